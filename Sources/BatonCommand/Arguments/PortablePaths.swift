package import BatonCore
import Glibc

/// Converts paths of this machine to paths that work on the person's other machines.
package struct PortablePaths {
    /// The working folder, or nil if it was deleted.
    private let folder: String?
    /// The home folder, as `HOME` names it and with all links resolved.
    private let homes: [String]

    /// The paths of this process.
    ///
    /// `PWD` is used if it names the working folder.
    package init(environment: (String) -> String?) {
        let named = environment("PWD").flatMap { Self.isSame($0, ".") && $0.hasPrefix("/") ? $0 : nil }
        self.init(in: named ?? LocalPath.resolved("."), home: environment("HOME"))
    }

    /// The paths of a working folder.
    package init(in folder: String?, home: String?) {
        self.folder = folder
        let home = home.flatMap { $0.hasPrefix("/") ? Self.trimmed($0) : nil }
        homes = home.map { [$0, LocalPath.resolved($0) ?? $0] } ?? []
    }

    /// The longest name of an activity about a file or folder, in bytes.
    private static let identifierMost = 1024

    /// Returns the identifier of an activity about a path; nil if the path is too long for an identifier.
    static func identifier(_ path: String) -> String? {
        path.utf8.count <= identifierMost ? path : nil
    }

    /// Makes a path absolute.
    package func whole(_ text: String) throws(LocalFailure) -> String {
        let path: String
        if let whole = LocalPath.whole(text, home: homes.first) {
            path = whole
        } else if text == "~" || text.hasPrefix("~/") {
            throw LocalFailure(.usage, "HOME is not set, so ~ has no meaning. Type the whole path.")
        } else if let folder {
            path = folder + "/" + text
        } else {
            throw LocalFailure(.failed, "The current folder does not exist any more. Change to another one.")
        }
        let parts = path.split(separator: "/").filter { $0 != "." }
        // After a link, `..` is not the folder that the text suggests; only the system knows.
        if parts.contains(".."), let resolved = LocalPath.resolved(path) { return resolved }
        return "/" + parts.joined(separator: "/")
    }

    /// Returns an absolute path for other machines: `~/…` below the home folder, else unchanged.
    package func portable(_ path: String) -> String {
        for home in homes where home != "/" {
            if path == home { return "~" }
            if path.hasPrefix(home + "/") { return "~" + path.dropFirst(home.count) }
        }
        return path
    }

    /// Converts a value of a payload if it is a path: by its key in the types that Baton knows, or by its form.
    package func portable(_ text: String, for key: String, of type: String?) throws(LocalFailure) -> String {
        let known = type.flatMap { WellKnownType(rawValue: $0)?.pathKey }
        let isPath = key == known || Self.keys.contains(key) && Self.looksRelative(text)
        return isPath && !text.isEmpty ? portable(try whole(text)) : text
    }

    /// The keys of payloads whose values are paths in some type.
    package static let keys = Set(WellKnownType.allCases.compactMap(\.pathKey))

    private static func looksRelative(_ text: String) -> Bool {
        [".", ".."].contains(text) || text.hasPrefix("./") || text.hasPrefix("../")
    }

    private static func trimmed(_ path: String) -> String {
        "/" + path.split(separator: "/").joined(separator: "/")
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }
}
