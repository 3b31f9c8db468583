import BatonCore

/// The repositories that a helper reads repeatedly; each is remembered as a clone of this machine.
struct VisitedRepositories {
    private let reader: RepositoryReader
    private let clones: KnownClones?
    /// The clone that was remembered last; the list is read and written only if another clone is visited.
    private var last: KnownClones.Clone?
    /// The last repository whose first commit could not be found.
    private var searched: String?

    init(_ reader: RepositoryReader = RepositoryReader(), environment: @escaping (String) -> String?) {
        (self.reader, clones) = (reader, KnownClones(environment: environment))
    }

    /// Returns the repository of a folder; nil if the folder is in none.
    mutating func repository(at folder: String) -> Repository? {
        let (known, clones, searched) = (last, clones, searched)
        let found = reader.repository(at: folder) { root in
            if searched == root { return .outOfReach }
            let first = known?.root == root ? known?.identity.firstCommit : clones?.firstCommit(of: root)
            return RepositoryReader.FirstCommit(first)
        }
        guard let found else { return nil }
        if found.commit != nil { self.searched = found.identity.firstCommit == nil ? found.root : nil }
        guard let clones else { return found }
        let clone = KnownClones.Clone(root: found.root, identity: found.identity)
        guard clone != last else { return found }
        do throws(LocalFailure) {
            try clones.remember(clone)
            last = clone
        } catch {
            // The next visit tries again. An error such as a full disk is reported by the commands that need the file.
        }
        return found
    }
}
