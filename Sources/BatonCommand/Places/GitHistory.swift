import BatonNetwork

/// The ancestors of commits, as far as they are found in time.
struct GitHistory {
    let objects: GitObjects
    /// The time at which a walk is given up.
    let deadline: MonotonicTime

    /// The most commits that are looked at to count those that one branch has beyond another.
    private static let countedMost = 2000

    /// Returns the first commit: the last one on the way of first parents.
    ///
    /// All clones of a repository have the same way to it. Nil if the way is too long, or a commit is missing.
    func firstCommit(from commit: String) -> String? {
        var name = commit
        while deadline > .now {
            guard let found = objects.commit(name) else { return nil }
            guard let parent = found.parents.first else { return name }
            name = parent
        }
        return nil
    }

    /// Returns the number of commits that one has among its ancestors, itself included, and the other has not; nil if that
    /// is not known soon.
    func count(from commit: String, beyond other: String) -> Int? {
        if commit == other { return 0 }
        var commits: [String: GitCommit] = [:]
        // Whether each commit that was seen is an ancestor of the other one.
        var isOther: [String: Bool] = [commit: false, other: true]
        var waiting = [commit, other]
        for name in waiting {
            guard let found = objects.commit(name) else { return nil }
            commits[name] = found
        }
        func time(_ name: String) -> Int64 { commits[name]?.time ?? 0 }
        while let oldest = isOther.keys.filter({ isOther[$0] == false }).map(time).min() {
            // An ancestor of the other one that is older than all of these can't be one of them.
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
