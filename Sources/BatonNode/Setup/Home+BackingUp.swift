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

extension Backups {
    /// Writes a backup of an account's folder to a file.
    static func write(
        to path: String, replaces: Bool, of credentials: Credentials, in folder: String, watch: BackupWatch
    ) throws(StoreFailure) -> BackupSummary {
        let manifest = BackupManifest(
            account: credentials.account, device: credentials.device, deviceName: credentials.deviceName,
            made: .now, build: Build.version)
        try demandElsewhere(path, than: folder)
        let output = try BackupOutput(path: path, replaces: replaces)
        let summary = try StoreBackup.write(manifest, of: folder, to: output, watch: watch)
        try output.end()
        return summary
    }
}
