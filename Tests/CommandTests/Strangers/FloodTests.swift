import Foundation
import Support
import Testing

/// A node under connections that only keep it busy.
@Suite(.serialized) struct `A flood of connections` {
    /// The memory of a node's process, in kilobytes.
    private func memory(of machine: Machine) throws -> Int {
        let number = try #require(machine.nodeNumber)
        let status = try #require(File.read("/proc/\(number)/status"))
        let row = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(row.filter(\.isNumber)))
    }

    @Test(.enabled(if: Stranger.isThere), arguments: Flood.Kind.allCases)
    func `a flood of connections takes little memory, and does not keep devices from connecting`(
        kind: Flood.Kind
    ) throws {
        let folder = try TemporaryFolder()
        let other = try Stranger.otherAccount(in: folder)
        let account = try Account("laptop", "desktop", in: folder)
        let (laptop, desktop) = (account[0], account[1])
        let own = desktop.home + "/accounts/default/identity"
        let stranger = try Stranger.hint(own) + Stranger.identity(other)
        let before = try memory(of: laptop)
        desktop.killNode()

        let flood = try Flood(kind, at: laptop, knowing: own, stranger: stranger)
        try eventually("a flood") { flood.made > (kind == .strangers ? 30 : 300) }
        var most = try memory(of: laptop)
        let started = ContinuousClock.now
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        #expect(ContinuousClock.now - started < .seconds(15), "those who \(kind.rawValue)")
        most = max(most, try memory(of: laptop))
        try laptop.must("start", "x", "--title", "still here")
        try desktop.waitForActivity(titled: "still here")
        most = max(most, try memory(of: laptop))
        flood.end()
        #expect(most - before < 32 << 10, "from \(before) to \(most) kilobytes by those who \(kind.rawValue)")
        #expect(flood.made > 0)
        // The log does not report each of thousands of refused connections.
        #expect(laptop.log.components(separatedBy: "was refused").count < 200)
    }
}
