package import BatonCore
import BatonSecurity
import BatonStore

extension Home {
    /// Writes a backup of the selected account without the help of a node.
    ///
    /// A node that runs as a service may see most folders as read-only, and then can't write the file.
    ///
    /// The node may be running. The backup reads the store on connections of its own, and the node need not know of it.
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
