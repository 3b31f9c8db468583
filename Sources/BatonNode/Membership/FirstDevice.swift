import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// A mark in the folder of an account that was made here: this device is its first, and is not in the roster yet.
///
/// A device writes its own record once it knows what another member knows, and collects tombstones from then on. The
/// first device has no other to learn from, so it writes the record immediately, but never twice: if it did so after
/// losing its store, it would collect tombstones without knowing the devices that need them. A device that joined by
/// the recovery code is an owner, too, but has no such mark.
struct FirstDevice: Sendable {
    private let path: String

    /// The mark of an account, whether the file exists or not.
    init(folder: String) { path = folder + "/first-device" }

    var isHere: Bool { access(path, F_OK) == 0 }

    /// Creates the mark, before the identity is stored; storing the identity waits until the mark is on the disk, too.
    func make() throws(LocalFailure) {
        do throws(NetworkError) {
            _ = try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT, mode: 0o600)
        } catch {
            throw LocalFailure(.storage, "\(path) can't be created: \(error.reason).")
        }
    }

    /// Removes a mark that was left by a process that was killed while making an account.
    func clear() throws(LocalFailure) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw LocalFailure(.storage, "\(path) can't be removed: \(String(cString: strerror(errno))).")
    }

    /// Removes the mark once the record is on the disk, on a thread of the store, because this waits for the disk.
    func remove(on store: StoreThreads, _ log: Log) {
        store.submit(to: .activities) { [path] (_) throws(StoreFailure) in
            unlink(path) == 0 || errno == ENOENT ? nil : String(cString: strerror(errno))
        } then: { result in
            if case .success(let reason?) = result { log.warn("\(path) can't be removed: \(reason)") }
        }
    }
}
