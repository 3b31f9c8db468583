import BatonNetwork
import Glibc
import Synchronization

/// The file of a witness, which stays open from its first write until it is removed.
///
/// All later writes go to the file that was opened first. If another program removes or replaces the file in the
/// meantime, the next process finds a file that does not agree with the store.
final class WitnessFile: Sendable {
    private let path: String
    /// The open file; nil before the first write and after `remove()`.
    private let file = Mutex<FileDescriptor?>(nil)

    init(path: String) { self.path = path }

    /// Writes bytes at an offset.
    ///
    /// Returns false if the file can't be written.
    ///
    /// If writing fails, only the witness is lost, and the next start begins a new life.
    func write(_ bytes: [UInt8], at place: Int, creating: Bool) -> Bool {
        file.withLock { file in
            do throws(NetworkError) {
                if file == nil {
                    let flags = O_WRONLY | O_NOFOLLOW | (creating ? O_CREAT : 0)
                    file = try FileDescriptor.open(path, flags: flags, mode: 0o600)
                }
            } catch {
                return false
            }
            guard let number = file?.number else { return false }
            return pwrite(number, bytes, bytes.count, place) == bytes.count
        }
    }

    func remove() {
        file.withLock { file in
            file = nil
            unlink(path)
        }
    }

    /// Returns the beginning of the file, at most `count` bytes; nil if the file can't be read.
    func read(upTo count: Int) -> [UInt8]? {
        do throws(NetworkError) {
            let file = try FileDescriptor.open(path, flags: O_RDONLY | O_NOFOLLOW)
            var bytes = [UInt8](repeating: 0, count: count)
            let found = pread(file.number, &bytes, count, 0)
            return found < 0 ? nil : Array(bytes.prefix(found))
        } catch {
            return nil
        }
    }
}
