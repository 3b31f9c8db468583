import BatonNetwork
import Glibc

/// Reads what a repository is, and its state, from its files, without starting git.
///
/// A folder that somebody unpacks may hold a repository whose settings name programs, in ways that each version of git adds
/// to. So nothing is started in a folder only because a person went there, or because an activity of another machine names
/// it. Files are read within bounds; what they don't say plainly is not known.
package struct RepositoryReader: Sendable {
    private let patience: Duration

    /// The time that a look may take until the first commit of a long history is left unknown.
    package static let patience = Duration.seconds(2)

    package init(patience: Duration = RepositoryReader.patience) { self.patience = patience }

    /// The knowledge of a repository's first commit before it is looked for.
    package enum FirstCommit: Equatable, Sendable {
        case unknown
        case known(String)
        /// It was looked for in vain.
        case outOfReach

        init(_ commit: String?) { self = commit.map { .known($0) } ?? .unknown }
    }

    /// Returns what a folder's repository is, and its state; nil if it is in none that can be read.
    ///
    /// The first commit is not looked for if `firstCommit` knows it for the root, because all commits are read for that.
    package func repository(
        at folder: String, firstCommit: (String) -> FirstCommit = { _ in .unknown }
    ) -> Repository? {
        guard let files = Files(around: folder) else { return nil }
        let remotes = files.settings.values("remote", "url").compactMap(RemoteAddress.shared)
        var found = Repository(
            root: files.root, identity: RepositoryIdentity(remotes: Set(remotes), firstCommit: nil))
        found.mayStartPrograms = files.settings.mayStartPrograms
        guard files.canBeRead else { return found }
        (found.branch, found.commit) = files.references.head
        guard let commit = found.commit else { return found }
        let history = GitHistory(objects: files.objects, deadline: .now + patience)
        if let tree = history.objects.commit(commit)?.tree {
            found.isChanged = GitIndex.isChanged(
                files.own + "/index", root: files.root, tree: tree, hashBytes: files.hashBytes)
        }
        guard !files.isShallow else { return found }
        if let branch = found.branch, let upstream = files.upstream(of: branch) {
            found.unpushed = history.count(from: commit, beyond: upstream)
        }
        switch firstCommit(files.root) {
        // Another repository may have taken the place of the one that is remembered.
        case .known(let known) where history.objects.contains(known): found.identity.firstCommit = known
        case .known, .unknown: found.identity.firstCommit = history.firstCommit(from: commit)
        case .outOfReach: break
        }
        return found
    }

    /// Whether a commit is in the repository at a folder.
    func has(_ commit: String, in folder: String) -> Bool {
        Files(around: folder)?.objects.contains(commit) ?? false
    }

    /// Whether a repository has a branch of that name of its own.
    func hasBranch(_ name: String, in folder: String) -> Bool {
        Files(around: folder)?.references.hasBranch(name) ?? false
    }

    /// Returns the root of the working tree that a folder is in; nil if it is in none.
    func root(of folder: String) -> String? { Files(around: folder)?.root }
}

/// The files of one repository.
private struct Files {
    /// The folder of the working tree, without links.
    let root: String
    /// The folder of the working tree's own files.
    let own: String
    /// The folder of what all working trees of the repository share.
    let common: String
    let settings: GitSettings

    /// The most folders that are looked into on the way up.
    private static let depthMost = 100

    /// Finds the repository of a folder as git does: the nearest `.git` on the way up, on the same disk.
    ///
    /// As for git, the files of another person of this machine are none. That a folder is owned by root is no exception.
    init?(around folder: String) {
        guard var place = LocalPath.resolved(folder), let disk = Self.status(place)?.st_dev else {
            return nil
        }
        for _ in 0..<Self.depthMost {
            guard let status = Self.status(place), status.st_dev == disk else { return nil }
            if let own = Self.own(in: place) {
                // A folder of the repository's own files is no place to work in.
                guard status.st_uid == geteuid(),
                    !LocalPath.isWithin(own, LocalPath.resolved(folder) ?? folder)
                else { return nil }
                self.init(root: place, own: own)
                return
            }
            // This is a repository without a working tree.
            if Self.isRepository(place) || place == "/" { return nil }
            place = LocalPath.folder(of: place)
        }
        return nil
    }

    private init?(root: String, own: String) {
        var common = own
        if !PlainFile.isMissing(own + "/commondir") {
            guard let named = PlainFile.onlyLine(of: own + "/commondir"),
                let resolved = LocalPath.resolved(named.hasPrefix("/") ? named : own + "/" + named),
                Self.isOfThisPerson(resolved)
            else { return nil }
            common = resolved
        }
        guard var settings = GitSettings([common + "/config"]) else { return nil }
        if settings.isOn("extensions", "worktreeconfig") {
            guard let all = GitSettings([common + "/config", own + "/config.worktree"]) else { return nil }
            settings = all
        }
        // The working tree of these settings may be elsewhere, or nowhere.
        if own == common {
            if settings.isOn("core", "bare") { return nil }
            if let named = settings.value("core", nil, "worktree") {
                let path = named.hasPrefix("/") ? named : own + "/" + named
                guard LocalPath.resolved(path) == root else { return nil }
            }
        }
        self.root = root
        self.own = own
        self.common = common
        self.settings = settings
    }

    /// Returns the folder of the own files of a working tree: `.git`, or the one that the file `.git` names.
    private static func own(in folder: String) -> String? {
        let path = folder + "/.git"
        guard let status = status(path), status.st_uid == geteuid() else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return isRepository(path) ? path : nil }
        guard let line = PlainFile.onlyLine(of: path, most: 8 << 10), line.hasPrefix("gitdir: ") else {
            return nil
        }
        let named = String(line.dropFirst(8))
        guard let own = LocalPath.resolved(named.hasPrefix("/") ? named : folder + "/" + named),
            isOfThisPerson(own), PlainFile(own + "/HEAD") != nil
        else { return nil }
        return own
    }

    private static func isRepository(_ folder: String) -> Bool {
        ["objects", "refs"].allSatisfy { LocalPath.kind(folder + "/" + $0) == .folder }
            && PlainFile(folder + "/HEAD") != nil
    }

    private static func isOfThisPerson(_ folder: String) -> Bool {
        status(folder).map { $0.st_mode & S_IFMT == S_IFDIR && $0.st_uid == geteuid() } ?? false
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    // MARK: Parts

    /// Whether its branches and objects are stored in the way that is read here.
    var canBeRead: Bool {
        ["files", nil].contains(settings.value("extensions", nil, "refstorage")?.lowercased())
            && ["sha1", "sha256", nil].contains(
                settings.value("extensions", nil, "objectformat")?.lowercased())
    }

    /// The length of the names of objects.
    var hashBytes: Int {
        settings.value("extensions", nil, "objectformat")?.lowercased() == "sha256" ? 32 : 20
    }

    var references: GitReferences { GitReferences(own: own, common: common, digits: hashBytes * 2) }

    var objects: GitObjects { GitObjects(common + "/objects", hashBytes: hashBytes) }

    /// Whether the history ends where somebody cut it off.
    var isShallow: Bool { PlainFile(common + "/shallow") != nil }

    /// Returns the commit of the branch that a branch follows, as it was when it was fetched last.
    func upstream(of branch: String) -> String? {
        guard let remote = settings.value("branch", branch, "remote"),
            let followed = settings.value("branch", branch, "merge"), followed.hasPrefix("refs/heads/")
        else { return nil }
        if remote == "." { return references.commit(followed) }
        // Only the usual rule says plainly where a branch is kept.
        guard settings.value("remote", remote, "fetch") == "+refs/heads/*:refs/remotes/\(remote)/*" else {
            return nil
        }
        return references.commit("refs/remotes/\(remote)/" + followed.dropFirst(11))
    }
}
