import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

@testable import BatonCommand

/// Repositories on several machines, made with git itself.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "git is not on this machine"))
struct `Repositories` {
    private let folder: TemporaryFolder
    private let reader = RepositoryReader(patience: .seconds(20))

    init() throws { folder = try TemporaryFolder() }

    @discardableResult private func run(_ words: String..., in place: String) throws -> String {
        let named = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        let answer = try #require(ProgramOutput(of: ["git", "-C", place] + named + words))
        try #require(answer.status == 0, "git \(words): \(answer.errors)")
        return answer.output
    }

    private func repository(_ name: String, files: Int = 1) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(
            atPath: path + "/inner/deep", withIntermediateDirectories: true)
        try run("init", "-q", in: path)
        for number in 0..<files {
            try Data("\(number)".utf8).write(to: URL(fileURLWithPath: path + "/\(number)"))
        }
        try run("add", ".", in: path)
        try run("commit", "-qm", "one", in: path)
        return path
    }

    private func look(_ path: String) -> Repository? { reader.repository(at: path) }

    @Test(arguments: [
        ("https://example.org/a/b.git", "example.org/a/b"),
        ("ssh://me@Example.org:2222/a/b", "example.org/a/b"),
        ("git@example.org:a/b.git", "example.org/a/b"),
        ("https://me:geheim@example.org/a/b/", "example.org/a/b"),
        ("https://[2001:db8::1]:8443/a", "[2001:db8::1]/a"), ("example.org:b", "example.org/b"),
    ])
    func `an address of a remote has one form for all protocols, and contains no password`(
        address: String, shared: String
    ) {
        #expect(RemoteAddress.shared(address) == shared)
    }

    @Test(arguments: [
        "/srv/a.git", "../a", "file:///srv/a", "./a:b", "", ":", "https://", "https://example.org", "a:",
        "https://example.org/a\u{1b}[31m", "ext::sh -c reboot",
    ])
    func `a remote's address that has a meaning only on this machine is not shared`(address: String) {
        #expect(RemoteAddress.shared(address) == nil)
    }

    @Test func `the branch, the commit, uncommitted changes and unpushed commits are read`() throws {
        let path = try repository("origin")
        let first = try #require(look(path + "/inner/deep"))
        #expect(
            first.root == path && first.branch == "main" && first.isChanged == false && first.unpushed == nil)
        #expect(first.identity.firstCommit == first.commit)
        let clone = folder.path + "/clone"
        try run("clone", "-q", path, clone, in: folder.path)
        try run("commit", "-q", "--allow-empty", "-m", "two", in: clone)
        #expect(try #require(look(clone)).isChanged == false)
        try Data("longer".utf8).write(to: URL(fileURLWithPath: clone + "/0"))
        let second = try #require(look(clone))
        #expect(second.isChanged == true && second.unpushed == 1 && second.commit != first.commit)
        #expect(second.identity.isSame(as: first.identity), "the first commit is the same")
        try run("checkout", "-q", "--detach", in: clone)
        #expect(try #require(look(clone)).branch == nil)
        #expect(look(folder.path) == nil)
    }

    @Test func `a first commit remembered from another repository at the same path is not used`()
        throws
    {
        let path = try repository("a")
        let other = String(repeating: "b", count: 40)
        let found = try #require(reader.repository(at: path) { _ in .known(other) })
        #expect(found.identity.firstCommit == found.commit)
        try run("commit", "-q", "--allow-empty", "-m", "two", in: path)
        let first = try #require(found.commit)
        #expect(
            try #require(reader.repository(at: path) { _ in .known(first) }).identity.firstCommit == first)
        #expect(try #require(reader.repository(at: path) { _ in .outOfReach }).identity.firstCommit == nil)
    }

    @Test func `a hanging git is killed`() throws {
        let started = ContinuousClock.now
        #expect(ProgramOutput(of: ["sleep", "60"], within: .milliseconds(100)) == nil)
        #expect(ContinuousClock.now - started < .seconds(20))
    }

    // MARK: Where a folder goes on

    private func search() -> (PlaceSearch, KnownClones) {
        let clones = KnownClones(folder.path + "/state/clones")
        return (PlaceSearch(reader: reader, clones: clones, home: folder.path), clones)
    }

    @Test func `a folder continues at the same path, else in this machine's clone of its repository`() throws
    {
        let there = try repository("there")
        let here = folder.path + "/elsewhere/here"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
        try run("clone", "-q", there, here, in: folder.path)
        try FileManager.default.createDirectory(atPath: here + "/inner", withIntermediateDirectories: true)
        let (search, clones) = search()
        var remote = try #require(look(there))
        let path = there + "/inner/deep"
        #expect(search.place(for: path, in: remote, on: "desktop")?.path == path, "the same path")
        // On another machine the repository lies elsewhere.
        try FileManager.default.removeItem(atPath: there)
        #expect(search.place(for: path, in: remote, on: "desktop") == nil, "no shell has been in it")
        let clone = try #require(look(here))
        try clones.remember(KnownClones.Clone(root: clone.root, identity: clone.identity))
        let place = try #require(search.place(for: path, in: remote, on: "desktop"))
        #expect(place.path == here + "/inner", "`deep` is not here")
        #expect(place.notes.isEmpty && place.otherBranch == nil)
        // The other machine is ahead, on a branch that is not here.
        remote.commit = String(repeating: "a", count: 40)
        (remote.branch, remote.unpushed, remote.isChanged) = ("topic", 2, true)
        let ahead = try #require(search.place(for: path, in: remote, on: "desktop"))
        #expect(
            ahead.notes.map(\.text) == [
                "“desktop” is on the branch topic, which is not here.",
                "“desktop” has 2 commits that are not here.",
                "“desktop” has changes that are not committed.",
            ])
        try run("branch", "topic", in: here)
        let other = try #require(search.place(for: path, in: remote, on: "desktop"))
        #expect(other.otherBranch == "topic")
        #expect(Git.change(to: "topic", in: other.path) == nil)
        #expect(try #require(look(here)).branch == "topic")
    }

    @Test func `a different repository at the same path is not used`() throws {
        let path = try repository("a")
        let (search, clones) = search()
        let clone = folder.path + "/clone-of-another"
        let other = try repository("other", files: 2)
        try run("commit", "-q", "--allow-empty", "-m", "other", in: other)
        try run("clone", "-q", other, clone, in: folder.path)
        var remote = try #require(look(other))
        // Commits of the same second by the same person could be the same.
        remote.identity.remotes = ["example.org/other"]
        try run("remote", "set-url", "origin", "https://example.org/other", in: clone)
        remote.root = path
        let known = try #require(look(clone))
        try clones.remember(KnownClones.Clone(root: known.root, identity: known.identity))
        #expect(search.place(for: path, in: remote, on: "desktop")?.path == clone)
    }

    @Test func `hostile values from another machine name no branch and no place`() throws {
        let path = try repository("a")
        let (search, _) = search()
        var remote = try #require(look(path))
        remote.commit = nil
        for branch in ["-c", "--orphan=x", "$(reboot)", "a\nb", "../../x", ""] {
            remote.branch = branch
            let place = try #require(search.place(for: path, in: remote, on: "desktop"))
            #expect(place.otherBranch == nil, "\(branch)")
            #expect(!place.notes.contains { $0.text.contains("\n") })
        }
        let value = PropertyValue.dictionary([
            .string("root"): .string("/x"), .string("first"): .string("--all"),
            .string("commit"): .string("-x"),
        ])
        #expect(Repository(value) == nil, "neither a remote nor a commit")
        let inner = path + "/../../etc"
        remote.branch = "main"
        remote.root = path
        let (other, clones) = self.search()
        let known = try #require(look(path))
        try clones.remember(KnownClones.Clone(root: known.root, identity: known.identity))
        #expect(other.place(for: inner + "/none", in: remote, on: "desktop")?.path == path)
    }

    @Test func `known clones are listed newest first, and a damaged list has fewer entries`() throws {
        let clones = KnownClones(folder.path + "/state/clones")
        let identity = RepositoryIdentity(remotes: ["example.org/a"], firstCommit: nil)
        for number in 0..<20 { try clones.remember(.init(root: "/\(number)", identity: identity)) }
        try clones.remember(.init(root: "/5", identity: identity))
        #expect(clones.all().map(\.root).prefix(3) == ["/5", "/19", "/18"] && clones.all().count == 20)
        let file = URL(fileURLWithPath: clones.path)
        let whole = try Data(contentsOf: file)
        for count in stride(from: 0, to: whole.count, by: 7) {
            try whole.prefix(count).write(to: file)
            #expect(clones.all().count <= 20)
        }
        try clones.remember(.init(root: "/new", identity: identity))
        #expect(clones.all().first?.root == "/new")
        #expect(clones.remove() && clones.all().isEmpty)
    }
}
