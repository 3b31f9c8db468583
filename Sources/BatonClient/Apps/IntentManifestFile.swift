package import BatonCore
import BatonNetwork
import Glibc

/// The file with an app's intent manifest: `intents/ID.json` in the folder of the person's data.
///
/// It lies beside the folder of the manifests that people and installers write, because an app writes it itself.
package enum IntentManifestFile {
    /// The largest file that is read: a hundred intents take about 100 KiB.
    private static let mostBytes = 4 << 20

    /// Returns the path of an app's file; nil if a file can't have the app's name.
    private static func path(of app: String, in home: Home) -> String? {
        AppManifest.isName(app) ? "\(home.intentManifests)/\(app).json" : nil
    }

    /// Reads the manifest of an app; nil if there is none.
    package static func read(_ app: String, in home: Home) throws(LocalFailure) -> IntentManifest? {
        guard let path = path(of: app, in: home) else { return nil }
        // The manifest names a program that commands start, so nobody else may change it.
        let file = TrustedFile(
            path: path, folder: home.intentManifests, kind: "intent manifest", most: mostBytes)
        guard let bytes = try file.read(isOptional: true) else { return nil }
        do throws(JSONError) {
            let manifest = try IntentManifest(JSON(reading: bytes))
            guard manifest.app.utf8.elementsEqual(app.utf8) else {
                throw JSONError("it is the manifest of \(manifest.app)")
            }
            return manifest
        } catch {
            throw LocalFailure(
                .usage,
                "\(VisibleText(path).text) can't be used: \(VisibleText(error.text).text). Start the app, which writes it anew after a few seconds."
            )
        }
    }

    /// Reads the manifests of all apps, in the order of their names, and the reasons why others can't be used.
    package static func readAll(in home: Home) -> (manifests: [IntentManifest], troubles: [LocalFailure]) {
        ManifestFolder.readAll(in: home.intentManifests) { (app) throws(LocalFailure) in
            try read(app, in: home)
        }
    }

    /// Writes a manifest, unless the file has it already; returns whether it was written.
    ///
    /// Knowledge of an earlier start of the app about properties is kept. One writer at a time reads, completes and
    /// replaces the file, so that no writer loses what another one knew. Readers never see half of a file.
    @discardableResult
    package static func write(_ manifest: IntentManifest, in home: Home) throws(LocalFailure) -> Bool {
        guard let path = path(of: manifest.app, in: home) else {
            throw LocalFailure(
                .usage, "No file can have the name of the app “\(VisibleText(manifest.app).text)”.")
        }
        try demandOwnFolder(in: home)
        let result: Result<Bool, LocalFailure>
        do throws(NetworkError) {
            let lock = try SharedFile(
                lockedAt: "\(home.intentManifests)/\(manifest.app).lock", deadline: .now + patience)
            result = replace(path, by: manifest, in: home, holding: lock)
        } catch {
            throw LocalFailure(.storage, "The app's intent manifest can't be locked: \(error)")
        }
        return try result.get()
    }

    /// Throws if the folder, or the one in which it would be made, belongs to a person who is not the user of this
    /// process.
    ///
    /// `sudo -E app` would otherwise leave a folder in the home of that person which only root can use.
    private static func demandOwnFolder(in home: Home) throws(LocalFailure) {
        var folder = home.intentManifests[...]
        while true {
            var status = stat()
            if stat(String(folder), &status) == 0 {
                guard status.st_uid != geteuid(), status.st_uid != 0 else { return }
                throw LocalFailure(
                    .notAllowed,
                    "\(VisibleText(String(folder)).text) belongs to another user. Run the app as that user, without sudo."
                )
            }
            guard errno == ENOENT, let end = folder.lastIndex(of: "/"), end > folder.startIndex else {
                return
            }
            folder = folder[..<end]
        }
    }

    /// How long a writer waits for another one.
    private static let patience = Duration.seconds(5)

    /// Replaces the file, unless it has the manifest already; returns whether it was replaced.
    private static func replace(
        _ path: String, by manifest: IntentManifest, in home: Home, holding lock: borrowing SharedFile
    ) -> Result<Bool, LocalFailure> {
        do throws(LocalFailure) {
            let earlier = try earlier(of: manifest.app, in: home)
            let complete = earlier.map { manifest.completed(by: $0) } ?? manifest
            guard complete != earlier else { return .success(false) }
            try replace(path, with: complete.json.text + "\n")
            return .success(true)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the manifest in the file; nil if there is none, or one that nobody can use.
    private static func earlier(of app: String, in home: Home) throws(LocalFailure) -> IntentManifest? {
        do throws(LocalFailure) {
            return try read(app, in: home)
        } catch {
            // The disk may work again later, and then the file is still needed.
            guard error.code != .failed else { throw error }
            return nil
        }
    }

    /// Removes the manifest of an app, for example of one that was uninstalled; returns whether there was one.
    @discardableResult
    package static func remove(_ app: String, in home: Home) throws(LocalFailure) -> Bool {
        guard let path = path(of: app, in: home) else { return false }
        // A process that was killed while it wrote has left this file.
        unlink(path + ".part")
        guard unlink(path) != 0 else { return true }
        guard errno == ENOENT else { throw failure("\(path) can't be removed") }
        return false
    }

    /// Replaces a file.
    private static func replace(_ path: String, with text: String) throws(LocalFailure) {
        guard text.utf8.count <= mostBytes else {
            throw LocalFailure(
                .tooLarge,
                "The app's intent manifest would be larger than \(mostBytes >> 20) MiB, the limit.")
        }
        // Only the holder of the lock uses the file beside it.
        try FileReplacement(of: path, part: path + ".part", failing: .storage).write(text, mode: 0o600)
    }

    private static func failure(_ what: String) -> LocalFailure {
        LocalFailure(.storage, "\(VisibleText(what).text): \(SystemText.of(errno)).")
    }
}
