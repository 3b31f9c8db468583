package import BatonCore
import BatonSecurity
import BatonStore

extension Home {
    /// Writes a backup of the selected account, whose node may be running: for nodes that can't write the file, because
    /// they run as a service that sees most folders as read-only.
    ///
    /// A backup reads on connections of its own, and the node need not know of it.
    package func backUp(to path: String, replaces: Bool) throws(LocalFailure) -> BackupReply {
        let home = try standing()
        let credentials = try home.credentials()
        do throws(StoreFailure) {
            let summary = try Backups.write(
                to: path, replaces: replaces, of: credentials, in: home.account(), watch: BackupWatch())
            return .backup(BackupDescription(summary, path: path, own: credentials.device))
        } catch {
            throw LocalFailure(backup: error)
        }
    }
}
