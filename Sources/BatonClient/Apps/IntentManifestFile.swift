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
            return try IntentManifest(JSON(reading: bytes))
        } catch {
            throw LocalFailure(
                .usage,
                "\(VisibleText(path).text) can't be used: \(error.text). Start the app once, which writes it anew."
            )
        }
    }

    /// Reads the manifests of all apps, in the order of their names, and the reasons why others can't be used.
    package static func readAll(in home: Home) -> (manifests: [IntentManifest], troubles: [LocalFailure]) {
        var (manifests, troubles): ([IntentManifest], [LocalFailure]) = ([], [])
        for name in FolderContents.names(in: home.intentManifests).sorted() where name.hasSuffix(".json") {
            do throws(LocalFailure) {
                if let manifest = try read(String(name.dropLast(5)), in: home) { manifests.append(manifest) }
            } catch {
                troubles.append(error)
            }
        }
        return (manifests, troubles)
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
        guard unlink(path) != 0 else { return true }
        guard errno == ENOENT else { throw failure("\(path) can't be removed") }
        return false
    }

    /// Replaces a file.
    private static func replace(_ path: String, with text: String) throws(LocalFailure) {
        // Only the holder of the lock has this file.
        let part = path + ".part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("\(part) can't be created") }
        defer { close(descriptor) }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                let failure = failure("\(part) can't be written")
                unlink(part)
                throw failure
            }
        }
        guard fsync(descriptor) == 0, rename(part, path) == 0 else {
            let failure = failure("\(path) can't be written")
            unlink(part)
            throw failure
        }
    }

    private static func failure(_ what: String) -> LocalFailure {
        LocalFailure(.storage, "\(VisibleText(what).text): \(SystemText.of(errno)).")
    }
}
