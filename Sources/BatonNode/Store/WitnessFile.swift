import Glibc
import Synchronization

/// The file of a witness, which stays open from when it is first written until it is removed.
///
/// All later writes go to the file that was opened first. If somebody removes or replaces it meanwhile, nothing more is
/// noted at its place, and the next process finds that it does not agree.
final class WitnessFile: Sendable {
    private let path: String
    private let descriptor = Mutex<Int32?>(nil)

    init(path: String) { self.path = path }

    deinit { if let open = descriptor.withLock({ $0 }) { close(open) } }

    /// False if it can't be written; then there is no witness, which costs a life and nothing else.
    func write(_ bytes: [UInt8], at place: Int, creating: Bool) -> Bool {
        descriptor.withLock { descriptor in
            if descriptor == nil {
                let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (creating ? O_CREAT : 0)
                let opened = open(path, flags, 0o600)
                guard opened >= 0 else { return false }
                descriptor = opened
            }
            return descriptor.map { pwrite($0, bytes, bytes.count, place) == bytes.count } ?? false
        }
    }

    func remove() {
        descriptor.withLock { descriptor in
            if let open = descriptor.take() { close(open) }
            unlink(path)
        }
    }

    /// What it begins with, or all of it; nothing if it is not there.
    func read(upTo count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = pread(descriptor, &bytes, count, 0)
        return found < 0 ? nil : Array(bytes.prefix(found))
    }
}
