import BatonNetwork
import Glibc

/// Reads the identity and the state of a repository from its files, without starting git.
///
/// A folder that a person unpacks may contain a repository whose settings name programs, and each version of git adds
/// such settings. So no program is started only because a person entered a folder, or because an activity of another
/// machine names it. Reads are bounded, and whatever the files do not say plainly stays unknown.
package struct RepositoryReader: Sendable {
    private let patience: Duration

    /// The time for reading a repository; if a long history takes longer, its first commit stays unknown.
    package static let patience = Duration.seconds(2)

    package init(patience: Duration = RepositoryReader.patience) { self.patience = patience }

    /// The caller's knowledge of a repository's first commit.
    package enum FirstCommit: Equatable, Sendable {
        case unknown
        case known(String)
        /// An earlier search did not find it.
        case outOfReach

        init(_ commit: String?) { self = commit.map { .known($0) } ?? .unknown }
    }

    /// Returns the identity and state of a folder's repository; nil if it has none that can be read.
    ///
    /// The first commit is not searched for if `firstCommit` knows it for the root, because the search reads all
    /// commits.
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
        // Another repository may have replaced the remembered one at this path.
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

    /// Whether a repository has a local branch of that name.
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
    /// The folder of the working tree's private files.
    let own: String
    /// The folder of the files that all working trees of the repository share.
    let common: String
    let settings: GitSettings

    /// The most parent folders that are searched for a repository.
    private static let depthMost = 100

    /// Finds the repository of a folder as git does: the nearest `.git` in the folder or its parents, on the same disk.
    ///
    /// Like git, it ignores repositories that belong to another user, even if that user is root.
    init?(around folder: String) {
        guard var place = LocalPath.resolved(folder), let disk = Self.status(place)?.st_dev else {
            return nil
        }
        for _ in 0..<Self.depthMost {
            guard let status = Self.status(place), status.st_dev == disk else { return nil }
            if let own = Self.own(in: place) {
                // A folder within `.git` is not part of the working tree.
                guard status.st_uid == geteuid(),
                    !LocalPath.isWithin(own, LocalPath.resolved(folder) ?? folder)
                else { return nil }
                self.init(root: place, own: own)
                return
            }
            // This is a bare repository.
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
        // The settings may name another working tree, or say that there is none.
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

    /// Returns the folder of a working tree's private files: `.git`, or the one that the file `.git` names.
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

    /// Whether its branches and objects are stored in a supported format.
    var canBeRead: Bool {
        ["files", nil].contains(settings.value("extensions", nil, "refstorage")?.lowercased())
            && ["sha1", "sha256", nil].contains(
                settings.value("extensions", nil, "objectformat")?.lowercased())
    }

    /// The length of an object's hash in bytes.
    var hashBytes: Int {
        settings.value("extensions", nil, "objectformat")?.lowercased() == "sha256" ? 32 : 20
    }

    var references: GitReferences { GitReferences(own: own, common: common, digits: hashBytes * 2) }

    var objects: GitObjects { GitObjects(common + "/objects", hashBytes: hashBytes) }

    /// Whether the history was cut off by a shallow clone.
    var isShallow: Bool { PlainFile(common + "/shallow") != nil }

    /// Returns the commit of a branch's upstream branch, as of the last fetch.
    func upstream(of branch: String) -> String? {
        guard let remote = settings.value("branch", branch, "remote"),
            let followed = settings.value("branch", branch, "merge"), followed.hasPrefix("refs/heads/")
        else { return nil }
        if remote == "." { return references.commit(followed) }
        // Only the default rule says plainly where the remote's branch is stored.
        guard settings.value("remote", remote, "fetch") == "+refs/heads/*:refs/remotes/\(remote)/*" else {
            return nil
        }
        return references.commit("refs/remotes/\(remote)/" + followed.dropFirst(11))
    }
}
