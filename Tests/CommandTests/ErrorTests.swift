import Foundation
import Support
import Testing

/// What a person can do wrong: each has an exit status of its own, and words that say what to type next.
@Suite struct `Errors` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func machine(_ name: String) -> Machine { Machine(name, in: folder) }

    @Test(arguments: [
        ["list"], ["status"], ["devices"], ["invite"], ["start", "x"], ["update", "--title", "x"], ["finish"],
        ["continue"],
    ])
    func `on a home that is not initialised`(words: [String]) throws {
        expect(try machine("new").type(["baton"] + words), 4, advice: "baton init")
    }

    @Test func `a node on a home that is not initialised`() throws {
        expect(try machine("new").baton("node", "--listen", "127.0.0.1:0"), 4, advice: "baton init")
    }

    @Test(arguments: [
        ["list"], ["status"], ["devices"], ["invite"], ["start", "x"], ["update", "--title", "x"], ["finish"],
        ["continue"],
    ])
    func `while no node is running`(words: [String]) throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        expect(try laptop.type(["baton"] + words), 3, advice: "baton node")
        // The advice names the home, where the person did.
        let elsewhere = try laptop.type(["baton"] + words + ["--home", laptop.home])
        expect(elsewhere, 3, advice: "baton node --home \(laptop.home)")
    }

    @Test func `a node that was killed is not running`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        laptop.killNode()
        expect(try laptop.baton("list"), 3, advice: "baton node")
        try laptop.startNode()
        try laptop.must("list")
    }

    @Test func `an account on a home that has one`() throws {
        let account = try Account("laptop", "desktop", in: folder)
        expect(try account[0].baton("init", "--no-confirm"), 5, advice: "baton status")
        let code = try account[0].invite()
        expect(try account[1].baton("join", code, "--at", account[0].address), 5, advice: "baton status")
        // It was refused before anyone was asked, so the code is still good.
        let third = machine("third")
        try third.must("join", code, "--at", account[0].address)
    }

    @Test func `two nodes on one home`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        expect(try laptop.baton("node", "--listen", "127.0.0.1:0"), 6, advice: "baton status")
        try laptop.must("list")
    }

    @Test func `a port that is taken`() throws {
        let (laptop, desktop) = (machine("laptop"), machine("desktop"))
        try laptop.must("init", "--no-confirm")
        try laptop.startNode()
        try desktop.must("init", "--no-confirm")
        expect(
            try desktop.baton("node", "--listen", laptop.address), 7,
            advice: "baton node --listen ADDRESS:PORT")
    }

    @Test func `an address that is not of this machine`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        let answer = try laptop.baton("node", "--listen", "192.0.2.1:4817")
        expect(answer, 1)
        #expect(answer.errors.contains("192.0.2.1:4817"), "\(answer)")
    }

    @Test func `an activity that there is not, and one of two`() throws {
        let account = try Account("laptop", "desktop", in: folder)
        let (laptop, desktop) = (account[0], account[1])
        expect(try laptop.baton("continue", "nope"), 11, advice: "baton list")
        expect(try laptop.baton("update", "nope", "--title", "x"), 11, advice: "baton list")
        expect(try laptop.baton("finish", "nope"), 11, advice: "baton list")
        expect(try laptop.baton("finish"), 11, advice: "baton list", "baton start TYPE")
        expect(
            try laptop.baton("finish", "--instance", "notes"), 11, advice: "baton list", "baton start TYPE")
        expect(try laptop.baton("continue"), 11)

        // Of thirty-three identifiers two begin with the same of thirty-two letters.
        for number in 0...32 {
            try laptop.must("start", "x", "--instance", "\(number)", "--title", "t\(number)")
        }
        try desktop.waitForActivity(titled: "t32")
        let firsts = try laptop.list().compactMap { $0["id"].string?.first }
        let ambiguous = try #require(firsts.first { letter in firsts.filter { $0 == letter }.count > 1 })
        expect(try laptop.baton("continue", String(ambiguous)), 11, advice: "baton list")
        expect(try desktop.baton("continue", String(ambiguous)), 11, advice: "baton list")
        expect(try laptop.baton("update", String(ambiguous), "--title", "x"), 11, advice: "baton list")
        expect(try laptop.baton("finish", String(ambiguous)), 11, advice: "baton list")
        // Another machine's can be continued, but neither changed nor finished.
        let whole = try #require(try laptop.list().first?["id"].string)
        try desktop.must("continue", whole)
        expect(try desktop.baton("update", whole, "--title", "x"), 11, advice: "baton list")
        expect(try desktop.baton("finish", whole), 11, advice: "baton list")
    }

    @Test func `a node refuses an address to listen on that is none`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        let answer = try laptop.baton("node", "--listen", "here")
        #expect(answer.status == 2, "\(answer)")
        #expect(answer.output.isEmpty && answer.errors.contains("baton: "), "\(answer)")
    }

    @Test func `an activity that is too large`() throws {
        let account = try Account("laptop", in: folder)
        let large = String(repeating: "x", count: 100_000)
        expect(try account[0].baton("start", "x", "--title", large, "--info", "a=" + large), 15)
        #expect(try account[0].list().isEmpty)
        try account[0].must("start", "x", "--title", large)
        expect(try account[0].baton("update", "--info", "a=" + large), 15)
        #expect(try account[0].list().first?["info"] == .object([:]))
    }

    @Test func `a home that can't be made`() throws {
        try File.write("", to: folder.path + "/file")
        let laptop = machine("laptop")
        let answer = try laptop.baton("init", "--no-confirm", "--home", folder.path + "/file/home")
        expect(answer, 1)
        #expect(answer.errors.contains(folder.path + "/file"), "\(answer)")
        expect(try laptop.baton("list", "--home", folder.path + "/file/home"), 1)
        expect(
            try laptop.baton(
                "join", "lemon-tiger-cloud", "--at", "127.0.0.1:1", "--home", folder.path + "/file/home"), 10)
    }

    @Test func `a disk that does not take it`() throws {
        let laptop = machine("laptop")
        try laptop.must("init", "--no-confirm")
        let path = laptop.home + "/accounts/default/activities.sqlite"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let answer = try laptop.baton("node", "--listen", "127.0.0.1:0")
        expect(answer, 13)
        #expect(answer.errors.contains(path), "\(answer)")
    }
}
