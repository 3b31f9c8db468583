package import BatonCore

/// A working tree of git.
package struct Repository: Equatable, Sendable {
    /// The folder of the working tree.
    package var root: String
    package var identity: RepositoryIdentity
    /// The branch; nil if none is checked out.
    package var branch: String?
    /// The commit that is checked out; nil before the first one.
    package var commit: String?
    /// Whether files that git tracks were changed since that commit; nil if that is not known.
    package var isChanged: Bool?
    /// The number of commits of the branch that its upstream branch lacks; nil if it has no upstream branch.
    package var unpushed: Int?
    /// Whether git may start programs that the repository's settings name; other machines do not learn this.
    package var mayStartPrograms = false

    package init(root: String, identity: RepositoryIdentity) { (self.root, self.identity) = (root, identity) }
}

/// The properties that identify the clones of one repository on all machines.
package struct RepositoryIdentity: Equatable, Sendable {
    /// The addresses of its remotes, as `RemoteAddress` writes them.
    package var remotes: Set<String>
    /// The oldest ancestor of the present commit; nil if it is not known.
    package var firstCommit: String?

    package init(remotes: Set<String>, firstCommit: String?) {
        (self.remotes, self.firstCommit) = (remotes, firstCommit)
    }

    /// Whether both identify clones of one repository; a fork has the same first commit.
    package func isSame(as other: RepositoryIdentity) -> Bool {
        !remotes.isDisjoint(with: other.remotes) || firstCommit != nil && firstCommit == other.firstCommit
    }
}

/// A repository in the payload of an activity.
extension Repository {
    /// The value of the key `repository`, with the path of the root as other machines read it.
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

    /// Reads a value that came from another machine; nil if it names no repository.
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

    /// Returns the hash of a commit; nil for any other text.
    private static func hash(_ value: PropertyValue?) -> String? {
        value?.string.flatMap { text in
            let isHash = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
            return isHash && (text.utf8.count == 40 || text.utf8.count == 64) ? text : nil
        }
    }
}
