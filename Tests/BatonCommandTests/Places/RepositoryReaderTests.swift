import BatonCore
import Foundation
import Support
import Testing

@testable import BatonCommand

/// Compares what is read of a repository without git with what git itself says.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "git is not on this machine"))
struct `Repositories that are read without git` {
    private let folder: TemporaryFolder
    private let reader = RepositoryReader(patience: .seconds(20))

    init() throws { folder = try TemporaryFolder() }

    @discardableResult private func run(_ words: String..., in place: String) throws -> String {
        let named = [
            "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c",
            "protocol.file.allow=always",
        ]
        let answer = try #require(ProgramOutput(of: ["git", "-C", place] + named + words))
        try #require(answer.status == 0, "git \(words): \(answer.errors)")
        return answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func repository(_ name: String, _ options: String...) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let answer = try #require(
            ProgramOutput(of: ["git", "-c", "init.defaultBranch=main", "init", "-q"] + options + [path]))
        try #require(answer.status == 0, "\(answer.errors)")
        try write("first", to: path + "/a")
        try run("add", ".", in: path)
        try run("commit", "-qm", "one", in: path)
        return path
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Expects what git says of the branch, the commit, the first commit on the way of first parents, and of the root.
    private func expectSame(_ path: String, _ what: String) throws {
        let seen = try #require(reader.repository(at: path), "\(what)")
        let branch = try run("branch", "--show-current", in: path)
        #expect(seen.branch == (branch.isEmpty ? nil : branch), "\(what)")
        #expect(try seen.commit == run("rev-parse", "HEAD", in: path), "\(what)")
        #expect(try seen.root == run("rev-parse", "--show-toplevel", in: path), "\(what)")
        let first = try run("rev-list", "--first-parent", "HEAD", in: path).split(separator: "\n").last
        #expect(seen.identity.firstCommit == first.map(String.init), "\(what)")
        let lines = try run("status", "--porcelain=v2", "--branch", "--untracked-files=no", in: path)
            .split(separator: "\n")
        let isChanged = lines.contains { !$0.hasPrefix("#") }
        #expect(seen.isChanged == nil || seen.isChanged == isChanged, "\(what)")
        let ahead = lines.first { $0.hasPrefix("# branch.ab") }?.split(separator: " ")[2].dropFirst()
        #expect(seen.unpushed == ahead.flatMap { Int($0) }, "\(what)")
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `after any sequence of git commands, a repository is read exactly as git reads it`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let origin = try repository("origin")
        let path = folder.path + "/clone"
        try run("clone", "-q", origin, path, in: folder.path)
        try expectSame(path, "a clone")
        for round in 0..<12 {
            let what = [
                "commit", "branch", "merge", "detach", "pack", "gc", "change", "tag", "push", "stage",
            ]
            let name = random.pick(what)
            switch name {
            case "commit":
                // Messages that are alike are packed as differences.
                try write(String(repeating: "\(round) line\n", count: 200), to: path + "/a")
                let message = String(repeating: "The same long message, written again and again. ", count: 20)
                try run("commit", "-qam", "\(message) \(round)", in: path)
            case "branch": try run("checkout", "-q", "-b", "topic/\(round)", in: path)
            case "merge":
                try run("checkout", "-q", "-f", "-B", "side", in: path)
                try run("commit", "-q", "--allow-empty", "-m", "side \(round)", in: path)
                try run("checkout", "-q", "-B", "main", in: path)
                try run("commit", "-q", "--allow-empty", "-m", "main \(round)", in: path)
                try run("merge", "-q", "--no-edit", "-m", "merge", "side", in: path)
            case "detach": try run("checkout", "-q", "--detach", in: path)
            case "pack": try run("pack-refs", "--all", in: path)
            case "gc": try run("gc", "-q", "--aggressive", "--prune=now", in: path)
            case "change": try write("changed in \(round)", to: path + "/a")
            case "tag": try run("tag", "-f", "-m", "x", "v\(round)", in: path)
            case "push": try run("push", "-q", "-f", "origin", "HEAD:refs/heads/pushed", in: path)
            default:
                try write("staged in \(round)", to: path + "/a")
                try run("add", "a", in: path)
            }
            try expectSame(path, "\(seed), \(round): \(name)")
        }
    }

    @Test
    func `working trees, submodules and SHA-256 names are read, and reftable storage gives only the root`()
        throws
    {
        let path = try repository("one")
        try run("worktree", "add", "-q", "-b", "other", folder.path + "/tree", in: path)
        try run("commit", "-q", "--allow-empty", "-m", "two", in: folder.path + "/tree")
        try expectSame(folder.path + "/tree", "a working tree")
        try expectSame(path, "the main working tree")
        let outer = try repository("outer")
        try run("submodule", "--quiet", "add", path, "inner", in: outer)
        try expectSame(outer + "/inner", "a submodule")
        let long = try repository("long", "--object-format=sha256")
        try expectSame(long, "names of 64 digits")
        try run("config", "extensions.refStorage", "reftable", in: path)
        let less = try #require(reader.repository(at: path))
        #expect(less.branch == nil && less.commit == nil && less.root == path)
        // Neither the own files of a repository nor a bare one are a place to work in.
        #expect(reader.repository(at: outer + "/.git/refs") == nil)
        try run("clone", "-q", "--bare", outer, folder.path + "/bare", in: folder.path)
        #expect(reader.repository(at: folder.path + "/bare") == nil && reader.repository(at: "/") == nil)
    }

    /// git follows links to its files, reads all their lines, and takes every number but 0 for true.
    @Test func `settings that name programs are found in every file from which git reads settings`() throws {
        let files = FileManager.default
        let (path, other) = (try repository("hidden"), try repository("other"))
        let (worktree, common) = (path + "/.git/config.worktree", path + "/.git/commondir")
        #expect(reader.repository(at: path)?.mayStartPrograms == false)
        for value in ["true", "2", "1k", "yes"] {
            try run("config", "extensions.worktreeConfig", value, in: path)
            try write("[filter \"x\"]\nsmudge = program\n", to: worktree)
            #expect(try run("config", "filter.x.smudge", in: path) == "program", "\(value)")
            #expect(reader.repository(at: path)?.mayStartPrograms == true, "\(value)")
        }
        try files.moveItem(atPath: worktree, toPath: path + "/elsewhere")
        try files.createSymbolicLink(atPath: worktree, withDestinationPath: path + "/elsewhere")
        #expect(try run("config", "filter.x.smudge", in: path) == "program")
        #expect(reader.repository(at: path) == nil, "a link")
        try files.removeItem(atPath: worktree)
        #expect(reader.repository(at: path)?.mayStartPrograms == false)
        try write(other + "/.git\n", to: path + "/named")
        try files.createSymbolicLink(atPath: common, withDestinationPath: path + "/named")
        #expect(try run("rev-parse", "--git-common-dir", in: path).hasSuffix("/other/.git"))
        #expect(reader.repository(at: path) == nil, "a link to another repository")
        try files.removeItem(atPath: common)
        try write(path + "/.git\nx", to: common)
        #expect(reader.repository(at: path) == nil, "a name of two lines")
        let tree = folder.path + "/tree"
        try files.createDirectory(atPath: tree, withIntermediateDirectories: true)
        for (text, isRead) in [("gitdir: \(other)/.git\n", true), ("gitdir: \(other)/.git\nx", false)] {
            try write(text, to: tree + "/.git")
            #expect((reader.repository(at: tree) != nil) == isRead, "\(text)")
        }
    }

    @Test func `remotes are read from the same settings that git reads`() throws {
        let text = """
            [core]
            \tbare = false ; a comment
            [remote "a \\"b\\" \\\\"]
            url = "https://example.org/a b" # c
              pushurl
            [Remote "two"] URL = git@example.org:x/\\
            y.git\r
            [remote.Old]\r
            url=ssh://example.org/old\r
            """
        let settings = try #require(GitSettings(text: text))
        #expect(
            settings.values("remote", "url") == [
                "https://example.org/a b", "git@example.org:x/y.git", "ssh://example.org/old",
            ])
        #expect(settings.value("remote", "a \"b\" \\", "pushurl") == "")
        #expect(settings.value("core", nil, "bare") == "false" && !settings.isOn("core", "bare"))
        let path = try repository("settings")
        try write(text, to: path + "/.git/config")
        let urls = try run("config", "--get-regexp", "remote\\..*\\.url", in: path).split(separator: "\n")
        #expect(urls.count == 3)
        for text in ["x = 1", "[a", "[a]\nb c", "[a]\nb = \"", "[a]\nb = \\q", "[]", "[a \"b\n\"]"] {
            #expect(GitSettings(text: text) == nil, "\(text)")
        }
    }

    // MARK: Hostile repositories

    /// Settings by which a repository has git start a program.
    static let programs: [(key: String, value: String)] = [
        ("core.fsmonitor", "PROGRAM"), ("filter.evil.clean", "PROGRAM"), ("filter.evil.process", "PROGRAM"),
        ("diff.evil.textconv", "PROGRAM"), ("diff.external", "PROGRAM"), ("core.sshCommand", "PROGRAM"),
        ("core.pager", "PROGRAM"), ("core.alternateRefsCommand", "PROGRAM"), ("core.editor", "PROGRAM"),
        ("credential.helper", "!PROGRAM"), ("gpg.program", "PROGRAM"), ("alias.switch", "!PROGRAM"),
        ("include.path", "/dev/zero"), ("includeIf.gitdir:/.path", "x"), ("core.gitProxy", "PROGRAM"),
        ("remote.origin.uploadpack", "PROGRAM; false"), ("remote.origin.promisor", "true"),
        ("remote.origin.vcs", "evil"), ("extensions.partialClone", "origin"),
        ("submodule.x.update", "!PROGRAM"),
        ("uploadpack.packObjectsHook", "PROGRAM"), ("trailer.x.command", "PROGRAM"), ("unknown.setting", "x"),
    ]

    @Test(arguments: programs.map(\.key))
    func `git is not started if a setting may name a program`(key: String) throws {
        let path = try repository("hostile")
        let value = try #require(Self.programs.first { $0.key == key }?.value)
        try run("branch", "topic", in: path)
        #expect(try #require(reader.repository(at: path)).mayStartPrograms == false)
        try run("config", key, value, in: path)
        let seen = try #require(reader.repository(at: path))
        #expect(seen.mayStartPrograms && seen.branch == "main" && seen.commit != nil)
        #expect(Git.change(to: "topic", in: path) == "the settings of the repository may start programs")
        var there = seen
        (there.branch, there.identity.remotes) = ("topic", ["example.org/a"])
        let place = try #require(
            PlaceSearch(reader: reader, clones: nil, home: folder.path).place(
                for: path, in: there, on: "desktop"))
        #expect(place.otherBranch == nil, "the change is not offered")
        #expect(place.notes.last?.text.hasPrefix("Change to it yourself") == true)
    }

    @Test func `a branch is changed without running the repository's hooks`() throws {
        let path = try repository("hooks")
        try run("branch", "topic", in: path)
        let mark = folder.path + "/ran"
        for hook in ["post-checkout", "reference-transaction", "post-index-change"] {
            try FileManager.default.createDirectory(
                atPath: path + "/.git/hooks", withIntermediateDirectories: true)
            try File.writeProgram("#!/bin/sh\ntouch '\(mark)'\n", to: path + "/.git/hooks/" + hook)
        }
        #expect(Git.change(to: "topic", in: path) == nil)
        #expect(try #require(reader.repository(at: path)).branch == "topic")
        #expect(File.read(mark) == nil)
        try run("checkout", "-q", "main", in: path)
        #expect(File.read(mark) != nil, "the hooks are real ones")
        #expect(Git.change(to: "none", in: path) != nil && Git.change(to: "--orphan=x", in: path) != nil)
    }

    @Test func `FIFOs, links and large files are not read`() throws {
        let path = try repository("odd")
        let own = path + "/.git"
        let commit = try #require(reader.repository(at: path)?.commit)
        for name in [
            "HEAD", "config", "packed-refs", "index", "commondir", "shallow", "objects/info/alternates",
        ] {
            let file = own + "/" + name
            let before = try? Data(contentsOf: URL(fileURLWithPath: file))
            for kind in ["fifo", "link", "folder"] {
                unlink(file)
                switch kind {
                case "fifo": #expect(mkfifo(file, 0o600) == 0)
                case "link": #expect(symlink("/dev/zero", file) == 0)
                default: #expect(mkdir(file, 0o700) == 0)
                }
                // A look that blocked would never come back.
                let seen = reader.repository(at: path)
                #expect(
                    ["HEAD", "config", "commondir"].contains(name) ? seen == nil : seen?.commit == commit,
                    "\(name) \(kind)")
                _ = kind == "folder" ? rmdir(file) : unlink(file)
            }
            if let before { try before.write(to: URL(fileURLWithPath: file)) }
        }
        // Branches that lead out of the repository, and objects that refer to each other.
        for head in [
            "ref: refs/heads/../../../../a", "ref: /etc/passwd", "ref: refs/heads/HEAD.lock", "x", "",
        ] {
            try write(head, to: own + "/HEAD")
            let seen = try #require(reader.repository(at: path))
            #expect(seen.branch == nil && seen.commit == nil, "\(head)")
        }
        try write("ref: refs/heads/loop", to: own + "/HEAD")
        try write("ref: refs/heads/loop", to: own + "/refs/heads/loop")
        #expect(reader.repository(at: path)?.commit == nil)
        try write("ref: refs/heads/packed", to: own + "/HEAD")
        var packed = (0..<100_000).map { "\(commit) refs/heads/b\($0)\n" }.joined()
        try write(packed + "\(commit) refs/heads/packed\n", to: own + "/packed-refs")
        #expect(reader.repository(at: path)?.commit == commit)
        packed += String(repeating: "#", count: 17 << 20)
        try write(packed + "\n\(commit) refs/heads/packed\n", to: own + "/packed-refs")
        #expect(reader.repository(at: path)?.commit == nil, "a list that is too large")
        // Folders for files of another repository.
        let other = folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        #expect(mkfifo(other + "/fifo", 0o600) == 0)
        for text in ["gitdir: fifo", "gitdir: /dev", "gitdir: /", "gitdir: \(other)", "gitdir:", "x"] {
            try write(text, to: other + "/.git")
            #expect(reader.repository(at: other) == nil, "\(text)")
        }
        try run("config", "core.worktree", "/", in: path)
        #expect(reader.repository(at: path) == nil)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `reading damaged files never crashes`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let path = try repository("damaged")
        for round in 0..<3 { try run("commit", "-q", "--allow-empty", "-m", "\(round)", in: path) }
        if seed % 2 == 0 { try run("gc", "-q", "--prune=now", in: path) }
        let own = path + "/.git"
        let files = (FileManager.default.enumerator(atPath: own)?.compactMap { $0 as? String } ?? []).sorted()
            .filter { name in
                LocalPath.kind(own + "/" + name) == .file
                    && ["objects/", "index", "HEAD", "config", "packed-refs"].contains { name.hasPrefix($0) }
            }
        for _ in 0..<10 {
            let file = own + "/" + random.pick(files)
            chmod(file, 0o600)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            guard !bytes.isEmpty else { continue }
            if random.number(0...3) == 0 {
                bytes.removeLast(random.number(1...bytes.count))
            } else {
                bytes[random.number(0...(bytes.count - 1))] = UInt8(random.number(0...255))
            }
            try bytes.write(to: URL(fileURLWithPath: file))
            _ = reader.repository(at: path)
        }
    }
}
