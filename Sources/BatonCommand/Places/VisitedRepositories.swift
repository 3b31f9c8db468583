import BatonCore

/// The repositories at which a helper looks again and again; each is remembered as a clone of this machine.
struct VisitedRepositories {
    private let reader: RepositoryReader
    private let clones: KnownClones?
    /// The clone that was remembered last, so that the list is read and written only for another one.
    private var last: KnownClones.Clone?
    /// The repository whose first commit was looked for last in vain.
    private var searched: String?

    init(_ reader: RepositoryReader = RepositoryReader(), environment: @escaping (String) -> String?) {
        (self.reader, clones) = (reader, KnownClones(environment: environment))
    }

    /// Returns the repository of a folder; nil outside of any.
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
            // It is tried again at the next look; a full disk is reported by whoever needs it.
        }
        return found
    }
}
