import BatonCore

/// The repositories at which a helper looks again and again; each is remembered as a clone of this machine.
struct VisitedRepositories {
    private let git: Git
    private let clones: KnownClones?
    /// The clone that was remembered last, so that the list is read and written only for another one.
    private var last: KnownClones.Clone?

    init(_ git: Git = Git(), environment: @escaping (String) -> String?) {
        (self.git, clones) = (git, KnownClones(environment: environment))
    }

    /// Returns the repository of a folder; nil outside of any.
    mutating func repository(at folder: String) -> Repository? {
        let (known, clones) = (last, clones)
        let found = git.repository(at: folder) { root in
            if let known, known.root == root { return known.identity.firstCommit }
            return clones?.firstCommit(of: root)
        }
        guard let found, let clones else { return found }
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
