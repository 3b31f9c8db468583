package import BatonCore

/// An app that a file declares to Baton, so that Baton can start the app to continue activities and to open items.
///
/// The file is `apps/ID.json` in the folder of the person's data, in JSON5.
package struct AppManifest: Equatable, Sendable {
    /// The identifier of the app, in reverse DNS, which is also the name of the file.
    package let app: String
    /// The name of the app that people see; nil if the manifest gives none.
    package let title: String?
    /// The types of activities that the app continues, as patterns like those of the configuration file.
    package let types: [String]
    /// The path of the program to start, and its arguments; empty if Baton can't start the app.
    package let run: [String]
    /// The path of a program, and its arguments, that indexes items again on request while the app is not running;
    /// empty if there is no such program.
    package let reindex: [String]
    /// Whether the app needs the terminal of the command that starts it.
    package let terminal: Bool
    /// Whether a search can be continued in the app.
    package let searches: Bool

    /// The size of the largest file that is read, in bytes.
    private static let fileBytes = 64 << 10

    /// The name of the app that people see: its title, or else its identifier.
    package var label: String { title ?? app }

    /// Returns the folder of manifests.
    package static func folder(in home: Home) -> String { home.manifests }

    /// Reads the manifest of an app; returns nil if there is none.
    package static func read(_ app: String, in home: Home) throws(LocalFailure) -> AppManifest? {
        guard isName(app) else { return nil }
        let path = "\(folder(in: home))/\(app).json"
        let file = TrustedFile(path: path, folder: folder(in: home), kind: "manifest", most: fileBytes)
        guard let bytes = try file.read(isOptional: true) else { return nil }
        do throws(TextError) {
            return try AppManifest(app, bytes)
        } catch {
            let (place, text) = (error.place, VisibleText(error.text).text)
            throw LocalFailure(.usage, "\(VisibleText(path).text):\(place): \(text).")
        }
    }

    /// Reads all manifests in the order of their names, and returns a failure for each manifest that can't be used.
    package static func readAll(in home: Home) -> (manifests: [AppManifest], troubles: [LocalFailure]) {
        ManifestFolder.readAll(in: folder(in: home)) { (app) throws(LocalFailure) in
            try read(app, in: home)
        }
    }

    /// Whether a text can be the name of an app, and so the name of a file.
    static func isName(_ app: String) -> Bool {
        !app.isEmpty && app.utf8.count <= 250 && app.utf8.first != UInt8(ascii: ".")
            && app.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
    }

    /// Parses the text of a manifest.
    package init(_ app: String, _ bytes: [UInt8]) throws(TextError) {
        self.app = app
        guard let value = try JSONReader.json5(bytes) else {
            throw TextError(TextPlace(), "a manifest must be an object: { types: [ … ], run: [ … ] }")
        }
        var (title, types, run, reindex): (String?, [String], [String], [String]) = (nil, [], [], [])
        var (terminal, searches) = (false, false)
        for member in try value.members(
            "a manifest", keys: ["title", "types", "run", "reindex", "terminal", "searches"])
        {
            switch member.key {
            case "title":
                guard case .string(let text) = member.value.content, !text.isEmpty else {
                    throw TextError(member.value.place, "`title` must be a string")
                }
                title = text
            case "types":
                types = try Self.words(member.value, "`types`")
                for (place, type) in types.enumerated() where TypePattern(type)?.isNarrow != true {
                    let elements = try member.value.elements("`types`")
                    throw TextError(
                        elements[place].place,
                        "`\(type)` is neither a type, such as org.example.editing, nor a pattern, such as org.example.*"
                    )
                }
            case "run": run = try Self.words(member.value, "`run`")
            case "reindex": reindex = try Self.words(member.value, "`reindex`")
            case "terminal": terminal = try Self.boolean(member)
            default: searches = try Self.boolean(member)
            }
        }
        for (key, program) in [("run", run.first), ("reindex", reindex.first)] {
            guard let program, !program.utf8.starts(with: "/".utf8) else { continue }
            throw TextError(
                value.place, "`\(key)` must begin with the whole path of a program, not `\(program)`")
        }
        self.title = title
        self.types = types
        self.run = run
        self.reindex = reindex
        (self.terminal, self.searches) = (terminal, searches)
    }

    private static func words(_ value: LocatedJSON, _ what: String) throws(TextError) -> [String] {
        try value.elements(what).map { (element) throws(TextError) in
            guard case .string(let text) = element.content, !text.isEmpty, !text.utf8.contains(0) else {
                throw TextError(element.place, "an element of \(what) must be a string that is not empty")
            }
            return text
        }
    }

    private static func boolean(_ member: LocatedJSON.Member) throws(TextError) -> Bool {
        guard case .boolean(let isOn) = member.value.content else {
            throw TextError(member.value.place, "`\(member.key)` must be true or false")
        }
        return isOn
    }
}
