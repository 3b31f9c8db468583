package import BatonCore

/// A working tree of git.
package struct Repository: Equatable, Sendable {
    /// The path of the working tree's folder.
    package var root: String
    package var identity: RepositoryIdentity
    /// The branch that is checked out, or nil if none is.
    package var branch: String?
    /// The commit that is checked out, or nil if there is no commit yet.
    package var commit: String?
    /// Whether files that git tracks have changed since the commit, or nil if this is unknown.
    package var isChanged: Bool?
    /// The number of commits that the branch has and its upstream branch lacks.
    ///
    /// It is nil if the branch has no upstream branch, or if the number is unknown.
    package var unpushed: Int?
    /// Whether git could start programs that the repository's settings name.
    ///
    /// Other machines are not told this.
    package var mayStartPrograms = false

    package init(root: String, identity: RepositoryIdentity) { (self.root, self.identity) = (root, identity) }
}

/// The properties by which clones of the same repository are recognised on all machines.
package struct RepositoryIdentity: Equatable, Sendable {
    /// The addresses of the repository's remotes, as `RemoteAddress` writes them.
    package var remotes: Set<String>
    /// The first commit of the repository, which is the oldest ancestor of the present commit; nil if it is unknown.
    package var firstCommit: String?

    package init(remotes: Set<String>, firstCommit: String?) {
        (self.remotes, self.firstCommit) = (remotes, firstCommit)
    }

    /// Whether both clones are of the same repository, which includes forks, because they have the same first commit.
    package func isSame(as other: RepositoryIdentity) -> Bool {
        !remotes.isDisjoint(with: other.remotes) || firstCommit != nil && firstCommit == other.firstCommit
    }
}

/// Converts a repository to a value in the payload of an activity, and back.
extension Repository {
    /// The value of the key `repository`.
    ///
    /// `root` is the path of the root in the form that other machines understand.
    package func value(root: String) -> PropertyValue {
        var pairs: [PropertyValue: PropertyValue] = [.string("root"): .string(root)]
        if !identity.remotes.isEmpty {
            pairs[.string("remotes")] = .array(identity.remotes.sorted().map { .string($0) })
        }
        pairs[.string("first")] = identity.firstCommit.map { .string($0) }
        pairs[.string("branch")] = branch.map { .string($0) }
        pairs[.string("commit")] = commit.map { .string($0) }
        pairs[.string("changed")] = isChanged.map { .boolean($0) }
        pairs[.string("unpushed")] = unpushed.map { .integer(Int64($0)) }
        return .dictionary(pairs)
    }

    /// Reads a value that another machine wrote; nil if the value does not identify a repository.
    package init?(_ value: PropertyValue?) {
        guard let pairs = value?.pairs, let root = pairs[.string("root")]?.string else { return nil }
        var remotes: Set<String> = []
        if case .array(let texts)? = pairs[.string("remotes")] { remotes = Set(texts.compactMap(\.string)) }
        let identity = RepositoryIdentity(
            remotes: remotes, firstCommit: Self.hash(pairs[.string("first")]))
        guard !remotes.isEmpty || identity.firstCommit != nil else { return nil }
        self.init(root: root, identity: identity)
        branch = pairs[.string("branch")]?.string
        commit = Self.hash(pairs[.string("commit")])
        if case .boolean(let value)? = pairs[.string("changed")] { isChanged = value }
        if case .integer(let count)? = pairs[.string("unpushed")], count >= 0 { unpushed = Int(count) }
    }

    /// Returns the text if it is the hash of a commit, and otherwise nil.
    private static func hash(_ value: PropertyValue?) -> String? {
        value?.string.flatMap { text in
            let isHash = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
            return isHash && (text.utf8.count == 40 || text.utf8.count == 64) ? text : nil
        }
    }
}
