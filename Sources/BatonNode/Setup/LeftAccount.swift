package import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// The folder of an account that this device leaves.
///
/// The folder is moved away at once, and then deleted.
///
/// The move decides: before it, the device is in the account, and after it, the device is not. If the process is
/// interrupted after the move, it leaves files that no node looks for. The next process that starts with this home
/// deletes them.
struct LeftAccount: Sendable {
    /// The path of the account's folder before the move.
    private let account: String
    /// The path of the folder that contains the account's folder.
    private var above: String { account.lastIndex(of: "/").map { String(account[..<$0]) } ?? "." }
    /// The folder to which the account's folder is moved, in order to be deleted.
    private let grave: String
    private let witness: String?

    /// Prepares to leave the selected account of a home.
    init(_ home: Home) {
        (account, grave, witness) = (home.account(), Self.grave(in: home), home.witness())
    }

    private static func grave(in home: Home) -> String { home.data + "/left" }

    /// The path of the account's folder after the move.
    private var place: String { "\(grave)/\(account.split(separator: "/").last ?? "account")" }

    /// Leaves the account by moving its folder away.
    func leave() throws(StoreFailure) {
        clear()
        guard mkdir(grave, 0o700) == 0 || errno == EEXIST, rename(account, place) == 0 else {
            throw StoreFailure(.failed, "\(account) can't be moved: \(String(cString: strerror(errno)))")
        }
        Self.synchronise(grave)
        Self.synchronise(above)
        if let witness {
            Witness.remove(at: witness)
            unlink(Witness.settingsPath(witness))
        }
    }

    /// Deletes the moved folder, as far as possible.
    func clear() { Self.delete(grave, depth: 0) }

    /// Deletes folders that an earlier process has moved away and not deleted.
    static func clear(in home: Home) { delete(grave(in: home), depth: 0) }

    /// The path of the files that could not be deleted; nil if there are none.
    var remains: String? { access(grave, F_OK) == 0 ? grave : nil }

    /// Syncs a folder, so that the names in it survive a power failure.
    ///
    /// Errors are ignored. If the power fails before the move is on the disk, the device is still in the account.
    private static func synchronise(_ folder: String) {
        do throws(NetworkError) {
            let file = try FileDescriptor.open(folder, flags: O_RDONLY | O_DIRECTORY)
            fsync(file.number)
        } catch {
            return
        }
    }

    /// The largest depth of nested folders that are deleted.
    ///
    /// The folders of an account are nested less deeply.
    private static let depth = 8

    /// Deletes a file, or a folder with everything in it.
    ///
    /// Symbolic links are deleted, and not followed.
    private static func delete(_ path: String, depth: Int) {
        guard unlink(path) != 0, errno == EISDIR || errno == EPERM, depth < Self.depth else { return }
        for name in FolderContents.names(in: path) { delete("\(path)/\(name)", depth: depth + 1) }
        rmdir(path)
    }
}

extension Home {
    /// Leaves the account while no node runs.
    ///
    /// The other devices are not told.
    ///
    /// If leaving is not confirmed, the method only describes the consequences.
    package func leave(isConfirmed: Bool) throws(LocalFailure) -> Departure {
        let home = try standing()
        let credentials = try home.credentials()
        let lock = try HomeLock(home)
        defer { withExtendedLifetime(lock) {} }
        var departure = Departure(
            account: credentials.account,
            device: DeviceReference(
                identifier: credentials.device, name: credentials.deviceName, isHere: true),
            folder: home.account(), isOwner: credentials.ownerKey != nil, others: nil, leavesOwner: false)
        guard isConfirmed else { return departure }
        let left = LeftAccount(home)
        do throws(StoreFailure) {
            try left.leave()
        } catch {
            throw LocalFailure(
                .storage, "This machine could not leave the account: \(error). Nothing has changed.")
        }
        left.clear()
        departure.remains = left.remains
        return departure
    }
}
