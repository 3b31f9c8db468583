package import BatonCore

/// The folder of this machine in which a folder of another one goes on.
package struct FolderPlace: Equatable, Sendable {
    package let folder: String
    /// Sentences about differences from the other machine.
    package var notes: [VisibleText] = []
    /// The branch that is checked out on the other machine, if this one has it and another one is checked out.
    package var otherBranch: String?

    package init(_ folder: String) { self.folder = folder }
}

/// Finds the folder of this machine for a folder of another one.
struct FolderSearch {
    let git: Git
    let clones: KnownClones?
    /// The person's home folder.
    let home: String?

    /// Returns the place for a folder, and for the repository that it is in, if any; nil if this machine has none.
    ///
    /// The same path is taken unless it is in another repository; else the same path in the clone that was visited last.
    func place(for path: String, in repository: Repository?, on device: String) -> FolderPlace? {
        guard let repository else { return isFolder(path) ? FolderPlace(path) : nil }
        if isFolder(path) {
            guard let here = look(at: path) else { return FolderPlace(path) }
            if here.identity.isSame(as: repository.identity) {
                return place(path, here, repository, on: device)
            }
        }
        let known = (clones?.all() ?? []).filter { $0.identity.isSame(as: repository.identity) }
        for clone in known where isFolder(clone.root) {
            guard let here = look(at: clone.root), here.identity.isSame(as: repository.identity) else {
                continue
            }
            let inner = innerPath(of: path, in: repository)
            return place(nearest(inner, in: here.root), here, repository, on: device)
        }
        return isFolder(path) ? FolderPlace(path) : nil
    }

    private func look(at folder: String) -> Repository? {
        git.repository(at: folder) { clones?.firstCommit(of: $0) }
    }

    private func isFolder(_ path: String) -> Bool { LocalPath.kind(path) == .folder }

    /// Returns the names of the folders between the root of a repository and a folder in it.
    private func innerPath(of path: String, in repository: Repository) -> [Substring] {
        guard let root = LocalPath.whole(repository.root, home: home), path.hasPrefix(root + "/") else {
            return []
        }
        let names = path.dropFirst(root.count).split(separator: "/")
        return names.contains("..") ? [] : names
    }

    /// Returns the innermost folder on the way that this clone has.
    private func nearest(_ names: [Substring], in root: String) -> String {
        var folder = root
        for name in names {
            guard isFolder(folder + "/" + name) else { break }
            folder += "/" + name
        }
        return folder
    }

    /// Compares the state of a clone with that of the other machine.
    private func place(
        _ folder: String, _ here: Repository, _ there: Repository, on device: String
    ) -> FolderPlace {
        var place = FolderPlace(folder)
        if let branch = there.branch, branch != here.branch {
            let current = here.branch.map { "the branch \($0)" } ?? "no branch"
            if git.hasBranch(branch, in: here.root) {
                place.otherBranch = branch
                place.notes.append("“\(device)” is on the branch \(branch); here is \(current).")
            } else {
                place.notes.append("“\(device)” is on the branch \(branch), which is not here.")
            }
        }
        if let commit = there.commit, commit != here.commit, !git.has(commit, in: here.root) {
            let count = there.unpushed.flatMap { $0 > 0 ? $0 : nil }
            switch count {
            case 1?: place.notes.append("“\(device)” has a commit that is not here.")
            case let count?: place.notes.append("“\(device)” has \(count) commits that are not here.")
            case nil:
                place.notes.append("“\(device)” has commits that are not here; `git fetch` may bring them.")
            }
        }
        if there.isChanged == true { place.notes.append("“\(device)” has changes that are not committed.") }
        return place
    }
}
