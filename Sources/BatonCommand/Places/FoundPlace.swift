package import BatonCore

/// The folder or file on this machine in which a folder or file of another machine is continued.
package struct FoundPlace: Equatable, Sendable {
    package let path: String
    /// Sentences that tell the person how this machine differs from the other one.
    package var notes: [VisibleText] = []
    /// The branch of the other machine, if git may switch to it here; otherwise nil.
    ///
    /// It is nil if the branches are the same, if the branch is unknown here, or if git could start programs that the
    /// repository names.
    package var otherBranch: String?
    /// The roots of the repository on both machines, or nil if the place has the same path on both.
    var roots: Roots?

    /// The root of a repository on the other machine, and its root on this machine.
    struct Roots: Equatable, Sendable {
        let there: String
        let here: String

        /// Converts a path of the other machine to a path of this machine; returns nil if the path is not in the
        /// repository.
        func path(for path: String) -> String? {
            let names = path.utf8.split(separator: UInt8(ascii: "/"))
            guard LocalPath.isWithin(there, path), !names.contains(where: { $0.elementsEqual("..".utf8) })
            else {
                return nil
            }
            return String(path.utf8.dropFirst(there.utf8.count)).map { here + $0 }
        }
    }

    package init(_ path: String) { self.path = path }
}

/// Finds the folder or file on this machine that corresponds to one on another machine.
struct PlaceSearch {
    var reader = RepositoryReader()
    let clones: KnownClones?
    /// The person's home folder.
    let home: String?
    /// Whether a file or a folder is looked for.
    var kind = LocalPath.Kind.folder

    /// Returns the place for a path of another machine, or nil if this machine has no such place.
    ///
    /// If the path exists here and is not in another repository, it is the place. Otherwise, the place is in the clone
    /// of the repository that was visited last. If there is no such clone, the place is the path, if it exists here.
    func place(for path: String, in repository: Repository?, on device: String) -> FoundPlace? {
        guard let repository else { return isThere(path) ? FoundPlace(path) : nil }
        if isThere(path) {
            guard let here = look(at: folder(of: path)) else { return FoundPlace(path) }
            if here.identity.isSame(as: repository.identity) {
                return place(path, here, repository, on: device)
            }
        }
        let known = (clones?.all() ?? []).filter { $0.identity.isSame(as: repository.identity) }
        for clone in known where LocalPath.kind(clone.root) == .folder {
            guard let here = look(at: clone.root), here.identity.isSame(as: repository.identity),
                let inner = self.path(for: path, of: repository, in: here.root)
            else { continue }
            var place = place(inner, here, repository, on: device)
            place.roots = root(of: repository).map { FoundPlace.Roots(there: $0, here: here.root) }
            return place
        }
        return isThere(path) ? FoundPlace(path) : nil
    }

    private func look(at folder: String) -> Repository? {
        reader.repository(at: folder) { RepositoryReader.FirstCommit(clones?.firstCommit(of: $0)) }
    }

    private func isThere(_ path: String) -> Bool { LocalPath.kind(path) == kind }

    /// The folder in which the search for the path's repository begins.
    private func folder(of path: String) -> String { kind == .folder ? path : LocalPath.folder(of: path) }

    private func root(of repository: Repository) -> String? { LocalPath.whole(repository.root, home: home) }

    /// Returns the path in a clone of this machine, or nil if a file does not exist there.
    ///
    /// If a folder does not exist there, returns its innermost parent that exists.
    private func path(for path: String, of repository: Repository, in root: String) -> String? {
        let inner = self.root(of: repository).flatMap {
            FoundPlace.Roots(there: $0, here: root).path(for: path)
        }
        guard kind == .folder else { return inner.flatMap { isThere($0) ? $0 : nil } }
        guard let inner else { return root }
        var folder = root
        for name in inner.dropFirst(root.count).split(separator: "/") {
            guard isThere(folder + "/" + name) else { break }
            folder += "/" + name
        }
        return folder
    }

    /// Returns the place, with notes about the differences between the clone here and the other machine's clone.
    private func place(
        _ path: String, _ here: Repository, _ there: Repository, on device: String
    ) -> FoundPlace {
        var place = FoundPlace(path)
        if let branch = there.branch, branch != here.branch {
            let current = here.branch.map { "the branch \($0)" } ?? "no branch"
            if reader.hasBranch(branch, in: here.root) {
                place.otherBranch = here.mayStartPrograms ? nil : branch
                place.notes.append("“\(device)” is on the branch \(branch); here is \(current).")
                if here.mayStartPrograms {
                    place.notes.append(
                        "Change to it yourself if you want to: settings of this repository may start programs."
                    )
                }
            } else {
                place.notes.append("“\(device)” is on the branch \(branch), which is not here.")
            }
        }
        if let commit = there.commit, commit != here.commit, !reader.has(commit, in: here.root) {
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
