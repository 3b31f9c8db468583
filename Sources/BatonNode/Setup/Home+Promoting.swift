package import BatonCore
import BatonSecurity
import BatonStore

extension Home {
    /// Makes this device an owner while no node runs.
    ///
    /// Lines are read until one of them is the account's recovery code. For each other line, `refuse` is called with
    /// the mistake.
    package func promote(
        line: () -> String?, refuse: (LocalFailure) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> Promotion {
        let home = try standing()
        let credentials = try home.credentials()
        let lock = try HomeLock(home)
        defer { withExtendedLifetime(lock) {} }
        let roster = try home.roster(of: credentials)
        let (promoted, wasOwner) = try Self.awaitCode(line: line, refuse: refuse) {
            (text) throws(LocalFailure) in
            try credentials.promoted(
                byCode: text, roster, now: WallTime.now.seconds, options: home.option + home.accountOption)
        }
        do {
            try IdentityFolder(path: home.identity()).promote(promoted)
        } catch {
            throw LocalFailure(.storage, "Could not save the owner's key: \(error.message)")
        }
        // When the node starts, it writes the rest: the admission, and the device's record, which says that the device
        // is an owner.
        let device = DeviceReference(identifier: promoted.device, name: promoted.deviceName, isHere: true)
        return Promotion(promoted, device, wasOwner: wasOwner)
    }

    /// Reads lines until one of them is accepted.
    ///
    /// For each line that is not, `refuse` is called with the mistake.
    static func awaitCode<Value>(
        line: () -> String?, refuse: (LocalFailure) throws(LocalFailure) -> Void,
        _ take: (String) throws(LocalFailure) -> Value
    ) throws(LocalFailure) -> Value {
        while let line = line() {
            do throws(LocalFailure) {
                return try take(line)
            } catch  where error.code == .usage || error.code == .wrongCode {
                try refuse(error)
            }
        }
        throw LocalFailure(.failed, "The recovery code was not given. Nothing has changed.")
    }

    /// Returns the roster that is stored in this home, including the revocations beside the database.
    private func roster(of credentials: Credentials) throws(LocalFailure) -> Roster {
        do throws(StoreFailure) {
            let store = try SQLiteStore(folder: account(), account: credentials.account)
            let verifier = RosterVerifier(root: credentials.root)
            var membership = try Membership(own: credentials.device, storedIn: store, by: verifier)
            for key in RevocationFiles(folder: account()).read().keys {
                _ = membership.learnKeptRevocation(key, by: verifier)
            }
            return membership.roster
        } catch {
            throw LocalFailure(opening: error, self)
        }
    }
}
