import BatonNetwork
import Glibc

/// Reads the identity and the state of a repository from its files, without starting git.
///
/// A folder that a person unpacks may contain a repository. Its settings may name programs, and each version of git
/// adds settings of this kind. So no program may start just because a person enters a folder, or because another
/// machine's activity names the folder. All reads are limited. A property that can't be read from the files without
/// doubt remains unknown.
package struct RepositoryReader: Sendable {
    private let patience: Duration

    /// How long the reading of a repository may take.
    ///
    /// If the history is too long for this time, the first commit is unknown.
    package static let patience = Duration.seconds(2)

    package init(patience: Duration = RepositoryReader.patience) { self.patience = patience }

    /// The first commit of a repository, as far as the caller knows it.
    package enum FirstCommit: Equatable, Sendable {
        case unknown
        case known(String)
        /// The caller has searched for the first commit in vain.
        case outOfReach

        init(_ commit: String?) { self = commit.map { .known($0) } ?? .unknown }
    }

    /// Returns the repository of a folder, or nil if the folder is in no repository that can be read.
    ///
    /// The search for the first commit reads all commits. So it is left out if `firstCommit` returns the first commit
    /// for the root.
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
        // The caller's first commit may be that of another repository, which was at this path before.
        case .known(let known) where history.objects.contains(known): found.identity.firstCommit = known
        case .known, .unknown: found.identity.firstCommit = history.firstCommit(from: commit)
        case .outOfReach: break
        }
        return found
    }

    /// Whether the repository of a folder contains a commit.
    func has(_ commit: String, in folder: String) -> Bool {
        Files(around: folder)?.objects.contains(commit) ?? false
    }

    /// Whether the repository of a folder has a local branch with this name.
    func hasBranch(_ name: String, in folder: String) -> Bool {
        Files(around: folder)?.references.hasBranch(name) ?? false
    }

    /// Returns the root of the working tree that contains a folder, or nil if no working tree contains it.
    func root(of folder: String) -> String? { Files(around: folder)?.root }
}

/// Finds the files of one repository.
private struct Files {
    /// The path of the working tree's folder, with links resolved.
    let root: String
    /// The folder with the files that belong only to this working tree.
    let own: String
    /// The folder with the files that all working trees of the repository share.
    let common: String
    let settings: GitSettings

    /// The largest number of folders that are searched for a repository.
    private static let depthMost = 100

    /// Finds the repository of a folder as git does.
    ///
    /// It is the nearest `.git` in the folder or its parents, on the same disk. Like git, this ignores a repository
    /// that belongs to another user, even to root.
    init?(around folder: String) {
        guard var place = LocalPath.resolved(folder), let disk = Self.status(place)?.st_dev else {
            return nil
        }
        for _ in 0..<Self.depthMost {
            guard let status = Self.status(place), status.st_dev == disk else { return nil }
            if let own = Self.own(in: place) {
                // The folder is inside `.git`, so it is not part of the working tree.
                guard status.st_uid == geteuid(),
                    !LocalPath.isWithin(own, LocalPath.resolved(folder) ?? folder)
                else { return nil }
                self.init(root: place, own: own)
                return
            }
            // This folder is a bare repository, which has no working tree.
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
        // The settings may name another working tree, or say that the repository has none.
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

    /// Returns the folder with the files of this working tree: `.git`, or the folder that the file `.git` names.
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

    /// Whether this program knows the formats in which the branches and objects are stored.
    var canBeRead: Bool {
        ["files", nil].contains(settings.value("extensions", nil, "refstorage")?.lowercased())
            && ["sha1", "sha256", nil].contains(
                settings.value("extensions", nil, "objectformat")?.lowercased())
    }

    /// The length in bytes of the hash that names an object.
    var hashBytes: Int {
        settings.value("extensions", nil, "objectformat")?.lowercased() == "sha256" ? 32 : 20
    }

    var references: GitReferences { GitReferences(own: own, common: common, digits: hashBytes * 2) }

    var objects: GitObjects { GitObjects(common + "/objects", hashBytes: hashBytes) }

    /// Whether the repository is a shallow clone, which lacks a part of the history.
    var isShallow: Bool { PlainFile(common + "/shallow") != nil }

    /// Returns the commit of a branch's upstream branch, as it was at the last fetch; nil if it is unknown.
    func upstream(of branch: String) -> String? {
        guard let remote = settings.value("branch", branch, "remote"),
            let followed = settings.value("branch", branch, "merge"), followed.hasPrefix("refs/heads/")
        else { return nil }
        if remote == "." { return references.commit(followed) }
        // With any other rule than the default one, it is uncertain where the remote's branch is stored.
        guard settings.value("remote", remote, "fetch") == "+refs/heads/*:refs/remotes/\(remote)/*" else {
            return nil
        }
        return references.commit("refs/remotes/\(remote)/" + followed.dropFirst(11))
    }
}
