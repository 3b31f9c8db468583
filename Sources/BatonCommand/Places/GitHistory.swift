import BatonNetwork

/// Finds ancestors of commits, within a limited time.
struct GitHistory {
    let objects: GitObjects
    /// The time at which a search is given up.
    let deadline: MonotonicTime

    /// The largest number of commits that are read to count the commits of one branch that another branch lacks.
    private static let countedMost = 2000

    /// Returns the commit that is reached by following first parents to the end.
    ///
    /// All clones of a repository have the same first commit. The result is nil if the deadline passes or a commit is
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

    /// Returns the number of commits that belong to the history of one commit and not to the history of another.
    ///
    /// Both histories include the commit itself. The result is nil if a commit is missing or counting takes too long.
    func count(from commit: String, beyond other: String) -> Int? {
        if commit == other { return 0 }
        var commits: [String: GitCommit] = [:]
        // The commits found so far. The value says whether the commit belongs to the history of `other`.
        var isOther: [String: Bool] = [commit: false, other: true]
        var waiting = [commit, other]
        for name in waiting {
            guard let found = objects.commit(name) else { return nil }
            commits[name] = found
        }
        func time(_ name: String) -> Int64 { commits[name]?.time ?? 0 }
        while let oldest = isOther.keys.filter({ isOther[$0] == false }).map(time).min() {
            // The count is final when every waiting commit belongs to the history of `other` and is older than all
            // counted commits.
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
