import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// A mark in the folder of an account that was made here: this device is its first, and has not been entered yet.
///
/// A device knows by its own record that others know it, and lets traces of deletions go from then on. That of the first
/// one nobody else can write. So it writes it itself, once: if it lost what it had kept, with its record, it would know
/// nobody and wait for nobody. A device that came in by the recovery code is an owner, too, and has no such mark.
struct FirstDevice: Sendable {
    private let path: String

    /// The mark of an account, whether it is there or not.
    init(folder: String) { path = folder + "/first-device" }

    var isHere: Bool { access(path, F_OK) == 0 }

    /// Makes it, before the identity is there; whoever makes that waits until it is on the disk.
    func make() throws(LocalFailure) {
        do throws(NetworkError) {
            _ = try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT, mode: 0o600)
        } catch {
            throw LocalFailure(.storage, "\(path) can't be made: \(error.reason).")
        }
    }

    /// Takes away one that whoever was killed while making an account has left.
    func clear() throws(LocalFailure) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw LocalFailure(.storage, "\(path) can't be removed: \(String(cString: strerror(errno))).")
    }

    /// Takes it away, once the record is on the disk; the disk is waited for by the store's threads.
    func remove(on store: StoreThreads, _ log: Log) {
        store.submit(to: .activities) { [path] (_) throws(StoreFailure) in
            unlink(path) == 0 || errno == ENOENT ? nil : String(cString: strerror(errno))
        } then: { result in
            if case .success(let reason?) = result { log.warn("\(path) can't be removed: \(reason)") }
        }
    }
}
