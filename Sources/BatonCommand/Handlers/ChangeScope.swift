import BatonCore

/// The files of this machine for which changes may come along with a file that is continued here.
///
/// Another machine names the files, so a change is accepted only for the file itself and for files of the same
/// repository or folder, and never for a place that is private or decides what programs do. Links are resolved first.
package struct ChangeScope {
    /// The file that is continued, without links.
    private let own: String?
    /// The repository or the folder of that file, without links; nil if only the file itself may be changed.
    private let folder: String?
    private let home: String?
    private let places: PrivatePlaces

    /// The folders of version control systems; they have hooks, which run programs.
    private static let toolFolders: Set<String> = [".git", ".hg", ".svn", ".bzr", ".jj", "CVS"]

    /// Finds the repository or folder of a file.
    package init(_ file: String, home: String?, places: PrivatePlaces = PrivatePlaces()) {
        (self.home, self.places) = (home, places)
        own = LocalPath.resolved(file)
        guard let own else {
            folder = nil
            return
        }
        let parent = LocalPath.folder(of: own)
        let near = RepositoryReader().root(of: parent) ?? parent
        // A folder that contains the home folder would allow changes to all files of the person.
        let person = home.map { LocalPath.resolved($0) ?? $0 }
        folder = near == "/" || person.map { LocalPath.isWithin(near, $0) } ?? true ? nil : near
    }

    /// Returns why changes of a file are refused, or nil if they are allowed.
    package func problem(with path: String) -> String? {
        guard LocalPath.kind(path) == .file, let real = LocalPath.resolved(path), let own else {
            return "it is not here"
        }
        if isPrivate(path) || isPrivate(real) { return "it is in a private place" }
        if real == own { return nil }
        guard let folder, LocalPath.isWithin(folder, real) else {
            return "it is not of the same repository or folder"
        }
        return nil
    }

    /// Whether a file is private, or is a hidden file of the home folder, which may decide what programs do.
    package func isPrivate(_ path: String) -> Bool {
        let names = path.split(separator: "/").map(String.init)
        if names.contains(where: Self.toolFolders.contains) { return true }
        if places.holds(file: path, home: home) || PrivatePlaces().holds(file: path, home: home) {
            return true
        }
        let homes = home.map { [$0, LocalPath.resolved($0) ?? $0] } ?? []
        return homes.contains { home in
            guard LocalPath.isWithin(home, path) else { return false }
            return path.utf8.dropFirst(home.utf8.count).drop { $0 == UInt8(ascii: "/") }.first
                == UInt8(ascii: ".")
        }
    }
}
