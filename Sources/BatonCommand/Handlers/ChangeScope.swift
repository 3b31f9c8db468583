import BatonCore

/// Decides which files another machine may change here, together with a file that is continued here.
///
/// The other machine names the files. A change is accepted only for the continued file and for files of the same
/// repository or folder. Private files, and files that decide what programs do, are never changed. Links are resolved
/// before the check.
package struct ChangeScope {
    /// The path of the continued file, with its links resolved; nil if the file does not exist.
    private let own: String?
    /// The repository or folder of the continued file, with links resolved; nil if only the file itself may be changed.
    private let folder: String?
    private let home: String?
    private let places: PrivatePlaces

    /// The folders of version control systems.
    ///
    /// They may contain hooks, which are programs that run automatically.
    private static let toolFolders: Set<String> = [".git", ".hg", ".svn", ".bzr", ".jj", "CVS"]

    /// Finds the repository or folder that contains a file.
    package init(_ file: String, home: String?, places: PrivatePlaces = PrivatePlaces()) {
        (self.home, self.places) = (home, places)
        own = LocalPath.resolved(file)
        guard let own else {
            folder = nil
            return
        }
        let parent = LocalPath.folder(of: own)
        let near = RepositoryReader().root(of: parent) ?? parent
        // If the folder contained the home folder, all files of the person could be changed.
        let person = home.map { LocalPath.resolved($0) ?? $0 }
        folder = near == "/" || person.map { LocalPath.isWithin(near, $0) } ?? true ? nil : near
    }

    /// Returns the reason why a file may not be changed, or nil if it may be.
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

    /// Whether a file is private, or decides what programs do.
    ///
    /// The latter are files of version control systems, and hidden files in the home folder.
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
