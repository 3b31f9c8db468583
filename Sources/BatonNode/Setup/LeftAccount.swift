package import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// The folder of an account that this device leaves: it is moved out of the way at once, and deleted then.
///
/// Up to the move the device is in the account, and from then on it is not. A cut in between leaves files that no node
/// looks for; whoever starts next on the home deletes them.
struct LeftAccount: Sendable {
    /// Where the account is until then.
    private let account: String
    /// The folder in which that stands.
    private var above: String { account.lastIndex(of: "/").map { String(account[..<$0]) } ?? "." }
    /// Where what is to be deleted lies.
    private let grave: String
    private let witness: String?

    /// The account that is meant in a home.
    init(_ home: Home) {
        (account, grave, witness) = (home.account(), Self.grave(in: home), home.witness())
    }

    private static func grave(in home: Home) -> String { home.data + "/left" }

    /// Where the account is when it is left.
    private var place: String { "\(grave)/\(account.split(separator: "/").last ?? "account")" }

    /// Leaves: this is the moment.
    func leave() throws(StoreFailure) {
        clear()
        guard mkdir(grave, 0o700) == 0 || errno == EEXIST, rename(account, place) == 0 else {
            throw StoreFailure(.failed, "\(account) can't be moved: \(String(cString: strerror(errno)))")
        }
        Self.synchronise(grave)
        Self.synchronise(above)
        if let witness { Witness.remove(at: witness) }
    }

    /// Deletes what was left, as far as it can.
    func clear() { Self.delete(grave, depth: 0) }

    /// Deletes what a cut left of accounts that this device has left.
    static func clear(in home: Home) { delete(grave(in: home), depth: 0) }

    /// What could not be deleted, if anything.
    var remains: String? { access(grave, F_OK) == 0 ? grave : nil }

    /// That a name is not on the disk yet when the power goes is no fault: then the device is still in the account.
    private static func synchronise(_ folder: String) {
        do throws(NetworkError) {
            let file = try FileDescriptor.open(folder, flags: O_RDONLY | O_DIRECTORY)
            fsync(file.number)
        } catch {
            return
        }
    }

    /// How deep the folders of an account are nested, with room to spare.
    private static let depth = 8

    /// Deletes a file, or a folder with all in it; links are deleted, and not followed.
    private static func delete(_ path: String, depth: Int) {
        guard unlink(path) != 0, errno == EISDIR || errno == EPERM, depth < Self.depth else { return }
        for name in FolderContents.names(in: path) { delete("\(path)/\(name)", depth: depth + 1) }
        rmdir(path)
    }
}

extension Home {
    /// Leaves the account where no node runs, so that nobody is told.
    ///
    /// Unless that is confirmed, it is only looked at.
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
            throw LocalFailure(.storage, "This machine could not leave: \(error). Nothing has changed.")
        }
        left.clear()
        departure.remains = left.remains
        return departure
    }
}
