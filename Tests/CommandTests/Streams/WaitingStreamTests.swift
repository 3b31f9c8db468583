import Foundation
import Support
import Testing

/// `baton start --stream` before another machine continues it.
@Suite struct `A stream that waits for another machine` {
    @Test(arguments: [SIGKILL, SIGTERM])
    func `a waiting stream survives a restart of its node`(signal: Int32) throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        try streams.fill("a", bytes: 100_000)
        try streams.fill("b", bytes: 17)
        let offered = try account[0].offer("file", from: "a", to: "a.out", in: streams)
        let before = try account[1].waitForActivity(titled: "file")
        if signal == SIGKILL { account[0].killNode() } else { #expect(try account[0].stopNode() == 0) }
        try eventually("what a person is told: \(offered.errors)") {
            offered.errors.contains("The node has stopped. Waiting until it is started again.")
        }
        try account[0].startNode()
        try eventually("what a person is told: \(offered.errors)") {
            offered.errors.split(separator: "\n").count { $0.contains(" waits for another machine. ") } == 2
        }
        try account[1].waitUntilConnected(with: account[0])
        let after = try account[1].waitForActivity(titled: "file")
        #expect(after["id"] == before["id"] && after["started"] == before["started"])
        #expect(offered.isRunning)
        let taken = try account[1].take("file", from: "b", to: "b.out", in: streams)
        #expect(try taken.wait() == 0, "\(taken.errors)")
        #expect(try offered.wait() == 0, "\(offered.errors)")
        #expect(try streams.contents("b.out") == streams.contents("a"))
        #expect(try streams.contents("a.out") == streams.contents("b"))
        try account[1].waitForEnd(ofActivityTitled: "file")
    }

    @Test(.enabled(if: TerminalShell.isThere, "tmux is not on this machine"))
    func `a waiting stream says on a terminal that it waits for another machine`() throws {
        let account = try Account("laptop")
        let shell = try TerminalShell(on: account[0])
        try shell.type("baton start file --stream --title waiting </dev/null")
        try eventually("what it waits for: \(shell.screen)") {
            shell.screen.contains { $0.hasPrefix("Waiting for another machine") }
        }
        #expect(!shell.screen.contains { $0.contains("Waiting for the node") })
    }

    @Test func `a waiting stream whose activity is deleted ends with a message`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        try streams.fill("a", bytes: 10)
        let offered = try account[0].offer("file", from: "a", to: "a.out", in: streams)
        let identifier = try #require(try account[1].waitForActivity(titled: "file")["id"].string)
        try account[1].must("forget", identifier, "--everywhere")
        #expect(try offered.wait() == 11, "\(offered.errors)")
        #expect(offered.errors.contains("The activity ended before anybody continued it."))
    }
}
