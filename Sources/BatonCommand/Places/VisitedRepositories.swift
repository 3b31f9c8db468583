import BatonCore

/// Reads the repositories that a person visits, and adds them to the list of clones of this machine.
struct VisitedRepositories {
    private let reader: RepositoryReader
    private let clones: KnownClones?
    /// The clone that was last added to the list.
    ///
    /// While it is visited again, the list is neither read nor written.
    private var last: KnownClones.Clone?
    /// The root of the repository whose first commit was last searched for in vain.
    private var searched: String?

    init(_ reader: RepositoryReader = RepositoryReader(), environment: @escaping (String) -> String?) {
        (self.reader, clones) = (reader, KnownClones(environment: environment))
    }

    /// Returns the repository of a folder, or nil if the folder is in no repository.
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
            // The next visit tries again. If the error remains, such as a full disk, commands that need the list report
            // it.
        }
        return found
    }
}
