import BatonCore
import Foundation
import Support
import Testing

/// A node whose account has a malicious member, which sends far more activities than any person has.
///
/// With `BATON_FLOOD=47000` the member sends that many small ones, and large ones of as many bytes in all.
@Suite(.serialized) struct `A member that floods the account` {
    private static let small =
        ProcessInfo.processInfo.environment["BATON_FLOOD"].flatMap { Int($0) } ?? 6000

    /// The number of activities, and the bytes of each.
    struct Load: CustomTestStringConvertible, Sendable {
        let (count, bytes): (Int, Int)
        var testDescription: String { "\(count) of \(bytes) bytes" }
    }

    private static let loads = [
        Load(count: small, bytes: 100), Load(count: max(small / 196, 40), bytes: 480_000),
    ]

    /// Runs a command with little memory for its data, and returns how long it took.
    @discardableResult private func timed(_ machine: Machine, _ words: String...) throws -> Duration {
        let started = ContinuousClock.now
        let answer = try machine.type(
            ["prlimit", "--data=\(64 << 20)", Products.baton] + words)
        #expect(answer.status == 0, "\(answer)")
        return ContinuousClock.now - started
    }

    @Test(arguments: loads) func `costs bounded memory, and delays no other member`(load: Load)
        throws
    {
        let account = try Account("laptop", "desktop", "rogue")
        let (laptop, desktop, rogue) = (account[0], account[1], account[2])
        try desktop.must("start", "org.example.honest", "--title", "honest")
        try laptop.waitForActivity(titled: "honest")
        try rogue.must("start", "org.example.last", "--title", "last")
        try laptop.waitForActivity(titled: "last")
        rogue.killNode()
        let before = try laptop.nodeMemory("VmHWM")

        let member = try FloodingMember(rogue.home + "/accounts/default/identity", at: laptop.port)
        let began = ContinuousClock.now
        try member.push(load.count, ofBytes: load.bytes)
        let pushed = ContinuousClock.now - began

        // Many commands ask at once, and keep going.
        let all = try laptop.list()
        #expect(all.count > 1 && all.count <= Limits.deviceActivities + 1, "\(all.count) are listed")
        let honest = try #require(all.first { $0["title"].string == "honest" })
        let identifier = try #require(honest["id"].string)
        // Activities that are not listed are counted and passed on.
        try eventually("a count") {
            try laptop.must("status").contains("more than the limit")
        }
        try laptop.waitUntilConnected(with: desktop)
        #expect(
            try laptop.must("status", "--digest", "--at", "1h")
                == desktop.must("status", "--digest", "--at", "1h"))
        let readers = try (0..<3).map { _ in
            try laptop.begin(["sh", "-c", "while :; do '\(Products.baton)' list --json >/dev/null; done"])
        }
        defer { for reader in readers { reader.end(SIGKILL) } }
        let list = try timed(laptop, "list", "--json")
        let show = try timed(laptop, "show", identifier)
        let status = try timed(laptop, "status")

        let revocation = ContinuousClock.now
        let revoking = try laptop.begin(["baton", "revoke", "rogue", "--yes"])
        try member.awaitClosing()
        let revoked = ContinuousClock.now - revocation
        #expect(try revoking.wait() == 0)
        #expect(member.closing?.code == .notMember)
        let grown = try laptop.nodeMemory("VmHWM") - before
        print(
            """
            \(load.testDescription): pushed in \(pushed); list \(list), show \(show), status \(status), \
            revocation \(revoked); memory from \(before) to \(before + grown) kilobytes
            """)
        #expect(list < .seconds(5) && show < .seconds(5))
        #expect(status < .seconds(2))
        #expect(revoked < .seconds(2))
        #expect(grown < 48 << 10)
    }
}
