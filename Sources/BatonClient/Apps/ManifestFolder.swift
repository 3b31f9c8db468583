import BatonCore
import BatonNetwork

/// A folder with a manifest of each app, `ID.json`.
enum ManifestFolder {
    /// Reads the manifests of all apps, in the order of their names, and the reasons why others can't be used.
    ///
    /// The closure reads the manifest of one app, and returns nil if it is gone.
    static func readAll<Manifest>(
        in folder: String, _ read: (String) throws(LocalFailure) -> Manifest?
    ) -> (manifests: [Manifest], troubles: [LocalFailure]) {
        var (manifests, troubles): ([Manifest], [LocalFailure]) = ([], [])
        let names: [String]
        do throws(NetworkError) {
            names = try FolderContents.read(folder)
        } catch {
            return ([], [LocalFailure(.failed, VisibleText(error.description).text)])
        }
        for name in names where name.hasSuffix(".json") {
            do throws(LocalFailure) {
                if let manifest = try read(String(name.dropLast(5))) { manifests.append(manifest) }
            } catch {
                troubles.append(error)
            }
        }
        return (manifests, troubles)
    }
}
