package import BatonCore

/// The folder or file of this machine where a folder or file of another machine continues.
package struct FoundPlace: Equatable, Sendable {
    package let path: String
    /// Sentences about differences from the other machine.
    package var notes: [VisibleText] = []
    /// The branch of the other machine, if it differs from the one here, is known here, and git can switch to it
    /// without starting programs that the repository names.
    package var otherBranch: String?
    /// The root of the repository on both machines; nil if the place is at the same path.
    var roots: Roots?

    /// The root of one repository, on the other machine and on this one.
    struct Roots: Equatable, Sendable {
        let there: String
        let here: String

        /// Returns this machine's path for a path of the other machine; nil if that path is not in the repository.
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

/// Finds the folder or file of this machine that corresponds to one of another machine.
struct PlaceSearch {
    var reader = RepositoryReader()
    let clones: KnownClones?
    /// The person's home folder.
    let home: String?
    /// The kind of place that is looked for: a file or a folder.
    var kind = LocalPath.Kind.folder

    /// Returns the place for a path and its repository, if any; nil if this machine has none.
    ///
    /// The same path is chosen unless it is in a different repository; otherwise the path in the most recently visited
    /// clone.
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

    /// Returns the folder at which the search for the place's repository begins.
    private func folder(of path: String) -> String { kind == .folder ? path : LocalPath.folder(of: path) }

    private func root(of repository: Repository) -> String? { LocalPath.whole(repository.root, home: home) }

    /// Returns the path in a clone of this machine; for a folder, its innermost ancestor that exists here.
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

    /// Returns the place with notes about how the clone here differs from that of the other machine.
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
