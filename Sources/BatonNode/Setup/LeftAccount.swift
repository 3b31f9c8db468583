package import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// The folder of an account that this device leaves: it is moved out of the way at once, and then deleted.
///
/// Until the move the device is in the account, and from then on it is not. An interruption in between leaves files
/// that no node looks for; the next process that starts with the home deletes them.
struct LeftAccount: Sendable {
    /// The path of the account until the move.
    private let account: String
    /// The folder that has the account's folder in it.
    private var above: String { account.lastIndex(of: "/").map { String(account[..<$0]) } ?? "." }
    /// The path to which files are moved to be deleted.
    private let grave: String
    private let witness: String?

    /// The selected account of a home.
    init(_ home: Home) {
        (account, grave, witness) = (home.account(), Self.grave(in: home), home.witness())
    }

    private static func grave(in home: Home) -> String { home.data + "/left" }

    /// The path of the account after the move.
    private var place: String { "\(grave)/\(account.split(separator: "/").last ?? "account")" }

    /// Leaves the account, by moving its folder.
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

    /// Deletes the remains of accounts that this device has left, after an interruption.
    static func clear(in home: Home) { delete(grave(in: home), depth: 0) }

    /// The path of the files that could not be deleted; nil if there are none.
    var remains: String? { access(grave, F_OK) == 0 ? grave : nil }

    /// Syncs a folder, so that its names survive a power failure.
    ///
    /// An error is ignored: if the power fails before the move is on the disk, the device is still in the account.
    private static func synchronise(_ folder: String) {
        do throws(NetworkError) {
            let file = try FileDescriptor.open(folder, flags: O_RDONLY | O_DIRECTORY)
            fsync(file.number)
        } catch {
            return
        }
    }

    /// How deep the folders of an account are nested, with some room to spare.
    private static let depth = 8

    /// Deletes a file, or a folder with everything in it; links are deleted, and not followed.
    private static func delete(_ path: String, depth: Int) {
        guard unlink(path) != 0, errno == EISDIR || errno == EPERM, depth < Self.depth else { return }
        for name in FolderContents.names(in: path) { delete("\(path)/\(name)", depth: depth + 1) }
        rmdir(path)
    }
}

extension Home {
    /// Leaves the account while no node runs; other devices are not told.
    ///
    /// Unless that is confirmed, it only says what would happen.
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
