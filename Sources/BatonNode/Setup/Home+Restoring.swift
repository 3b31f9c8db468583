package import BatonCore
import BatonSecurity
import BatonStore
import Glibc

extension Home {
    /// Reads a backup while no node runs.
    ///
    /// If the restoration is confirmed, the backup replaces the state of the selected account.
    package func restore(_ path: String, isConfirmed: Bool) throws(LocalFailure) -> BackupReply {
        let home = try standing()
        let credentials = try home.credentials()
        let lock = try HomeLock(self)
        defer { withExtendedLifetime(lock) {} }
        do throws(StoreFailure) {
            let watch = BackupWatch()
            let input = try BackupInput(path: path, watch: watch)
            let description = BackupDescription(input.summary, path: path, own: credentials.device)
            try StoreRestoration.demand(
                input.summary.manifest, of: credentials.account, credentials.device)
            guard isConfirmed else { return .backup(description) }
            return .restored(description, replaced: try home.put(input, credentials, watch))
        } catch {
            throw LocalFailure(backup: error)
        }
    }

    private func put(
        _ input: BackupInput, _ credentials: Credentials, _ watch: BackupWatch
    ) throws(StoreFailure) -> [String] {
        let folder = StoreFolder(path: account())
        // An earlier restoration may have been decided and then interrupted. It is finished first.
        _ = try StoreRestoration.finish(in: folder, on: WallTime.today)
        var generator = SystemRandomNumberGenerator()
        let request = StoreRestoration.Request(
            account: credentials.account, device: credentials.device, order: .random(using: &generator),
            date: .now)
        try StoreRestoration.prepare(input, for: request, in: folder, watch: watch)
        try StoreRestoration.decide(in: folder)
        // The witness belongs to another order of arrival, so it can't agree with the restored state. It is removed.
        // Otherwise, later changes would be reported as missing.
        if let witness = witness() { Witness.remove(at: witness) }
        return try StoreRestoration.finish(in: folder, on: WallTime.today) ?? []
    }
}
