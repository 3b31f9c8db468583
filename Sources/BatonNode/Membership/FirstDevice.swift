import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// A mark in the folder of an account that was created on this device.
///
/// It says that this device is the first device of the account, and is not in the roster yet.
///
/// A device writes its own record once it knows everything that another member knows, and collects tombstones from then
/// on. The first device can't learn from another device, so it writes its record immediately. It must never do so
/// twice. If it wrote the record after losing its store, it would collect tombstones without knowing the devices that
/// need them. A device that joined by the recovery code is an owner, too, but has no such mark.
struct FirstDevice: Sendable {
    private let path: String

    /// Creates the mark of an account, whether its file exists or not.
    init(folder: String) { path = folder + "/first-device" }

    var isHere: Bool { access(path, F_OK) == 0 }

    /// Creates the file of the mark.
    ///
    /// This happens before the identity is stored, and storing the identity also waits until the mark is on the disk.
    func make() throws(LocalFailure) {
        do throws(NetworkError) {
            _ = try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT, mode: 0o600)
        } catch {
            throw LocalFailure(.storage, "\(path) can't be created: \(error.reason).")
        }
    }

    /// Removes a mark that was left by a process that was killed while it created an account.
    func clear() throws(LocalFailure) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw LocalFailure(.storage, "\(path) can't be removed: \(String(cString: strerror(errno))).")
    }

    /// Removes the mark once the device's record is on the disk.
    ///
    /// This waits for the disk, so it runs on a thread of the store.
    func remove(on store: StoreThreads, _ log: Log) {
        store.submit(to: .activities) { [path] (_) throws(StoreFailure) in
            unlink(path) == 0 || errno == ENOENT ? nil : String(cString: strerror(errno))
        } then: { result in
            if case .success(let reason?) = result { log.warn("\(path) can't be removed: \(reason)") }
        }
    }
}
