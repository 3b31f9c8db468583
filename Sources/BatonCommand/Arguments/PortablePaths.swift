package import BatonCore
import Glibc

/// Converts paths of this machine to paths that also work on the person's other machines.
package struct PortablePaths {
    /// The absolute path of the working folder, or nil if the folder was deleted.
    private let folder: String?
    /// The two paths of the home folder: as `HOME` has it, and with all symbolic links resolved.
    private let homes: [String]

    /// Uses the working folder and the home folder of this process.
    ///
    /// If `PWD` names the working folder, paths begin with the text of `PWD`, in which links are not resolved.
    package init(environment: (String) -> String?) {
        let named = environment("PWD").flatMap { Self.isSame($0, ".") && $0.hasPrefix("/") ? $0 : nil }
        self.init(in: named ?? LocalPath.resolved("."), home: environment("HOME"))
    }

    /// Uses the given working folder and home folder.
    package init(in folder: String?, home: String?) {
        self.folder = folder
        let home = home.flatMap { $0.hasPrefix("/") ? Self.trimmed($0) : nil }
        homes = home.map { [$0, LocalPath.resolved($0) ?? $0] } ?? []
    }

    /// The maximum length in bytes of a path that identifies an activity.
    private static let identifierMost = 1024

    /// Returns the identifier of an activity about a path, or nil if the path is too long for an identifier.
    static func identifier(_ path: String) -> String? {
        path.utf8.count <= identifierMost ? path : nil
    }

    /// Makes a path absolute, from the working folder or, after `~`, from the home folder.
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
        // If a link comes before `..`, only the system knows which folder `..` is.
        if parts.contains(".."), let resolved = LocalPath.resolved(path) { return resolved }
        return "/" + parts.joined(separator: "/")
    }

    /// Returns an absolute path in the form that other machines understand.
    ///
    /// A path in the home folder becomes `~/…`. Any other path is unchanged.
    package func portable(_ path: String) -> String {
        for home in homes where home != "/" {
            if path == home { return "~" }
            if path.hasPrefix(home + "/") { return "~" + path.dropFirst(home.count) }
        }
        return path
    }

    /// Converts a value of a payload if the value is a path, and returns any other value unchanged.
    ///
    /// In a type that Baton knows, the value of a certain key is a path. In any type, a value like `./…` is a path if
    /// its key is one of `keys`.
    package func portable(_ text: String, for key: String, of type: String?) throws(LocalFailure) -> String {
        let known = type.flatMap { WellKnownType(rawValue: $0)?.pathKey }
        let isPath = key == known || Self.keys.contains(key) && Self.looksRelative(text)
        return isPath && !text.isEmpty ? portable(try whole(text)) : text
    }

    /// The keys whose values are paths in at least one of the types that Baton knows.
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
