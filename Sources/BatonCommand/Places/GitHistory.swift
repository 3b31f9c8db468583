import BatonNetwork

/// The ancestors of commits, if they can be found in time.
struct GitHistory {
    let objects: GitObjects
    /// When a walk through the history is given up.
    let deadline: MonotonicTime

    /// The most commits that are read to count the commits of a branch that another branch lacks.
    private static let countedMost = 2000

    /// Returns the commit at the end of the chain of first parents.
    ///
    /// All clones of a repository have the same one. Nil if the chain is too long to walk in time, or if a commit is
    /// missing.
    func firstCommit(from commit: String) -> String? {
        var name = commit
        while deadline > .now {
            guard let found = objects.commit(name) else { return nil }
            guard let parent = found.parents.first else { return name }
            name = parent
        }
        return nil
    }

    /// Returns the number of ancestors of a commit, itself included, that are not ancestors of another commit; nil if
    /// counting takes too long.
    func count(from commit: String, beyond other: String) -> Int? {
        if commit == other { return 0 }
        var commits: [String: GitCommit] = [:]
        // Whether each commit found so far is an ancestor of `other`.
        var isOther: [String: Bool] = [commit: false, other: true]
        var waiting = [commit, other]
        for name in waiting {
            guard let found = objects.commit(name) else { return nil }
            commits[name] = found
        }
        func time(_ name: String) -> Int64 { commits[name]?.time ?? 0 }
        while let oldest = isOther.keys.filter({ isOther[$0] == false }).map(time).min() {
            // The count is final once all waiting commits are ancestors of `other` and older than all counted ones.
            guard waiting.contains(where: { isOther[$0] == false || time($0) >= oldest }) else { break }
            guard let place = waiting.indices.max(by: { time(waiting[$0]) < time(waiting[$1]) }),
                deadline > .now
            else { return nil }
            let name = waiting.remove(at: place)
            for parent in commits[name]?.parents ?? [] {
                let reaches = isOther[name] == true
                if let known = isOther[parent] {
                    guard reaches, !known else { continue }
                } else {
                    guard commits.count < Self.countedMost, let found = objects.commit(parent) else {
                        return nil
                    }
                    commits[parent] = found
                }
                isOther[parent] = reaches
                waiting.append(parent)
            }
        }
        return isOther.values.count { !$0 }
    }
}
