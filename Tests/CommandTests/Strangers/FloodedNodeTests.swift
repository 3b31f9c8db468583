import BatonCore
import Foundation
import Support
import Synchronization
import Testing

/// A node whose account has a malicious member, which writes what stays for ever, for as long as it is let.
///
/// With `BATON_FLOOD_TIME=300` each flood goes on for five minutes; `BATON_FLOODS=lives,texts` chooses some of them, and
/// `BATON_PRODUCTS` names a folder with other programs, such as those of a release.
@Suite(.serialized) struct `A node that a member floods` {
    /// The kind of writes that the member sends, always anew.
    enum Flood: String, CaseIterable, Sendable {
        case clears, texts, lives, admissions, revocations

        /// Whether only the thief of an owner's key can write this.
        var takesOwner: Bool { self == .admissions || self == .revocations }

        /// Those that the environment names; all of them if it names none.
        static let chosen =
            environment["BATON_FLOODS"].map { $0.split(separator: ",") }
            .map { names in allCases.filter { names.contains($0.rawValue[...]) } } ?? allCases
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["BATON_FLOOD_TIME"].flatMap { Int($0) } ?? 3
    /// The most memory that the node may take, in kilobytes.
    private static let memory = 96 << 10

    /// Runs a command that must succeed, and returns how long it took.
    private func timed(_ machine: Machine, _ words: String...) throws -> Duration {
        let started = ContinuousClock.now
        try machine.must(words)
        return ContinuousClock.now - started
    }

    @Test(arguments: Flood.chosen)
    func `takes bounded memory and answers soon, and recovers once the member is revoked`(
        flood: Flood
    ) throws {
        let account = try Account("laptop", "desktop", "rogue")
        let (laptop, desktop, rogue) = (account[0], account[1], account[2])
        try desktop.must("start", "org.example.honest", "--instance", "a", "--title", "honest")
        try laptop.waitForActivity(titled: "honest")
        if flood.takesOwner {
            #expect(try rogue.baton("promote", reading: account.recoveryCode).status == 0)
            try eventually("an owner") { try laptop.kinds()["rogue"] == "owner" }
        }
        rogue.killNode()
        let before = try laptop.nodeMemory("VmHWM")

        let flooding = FloodThread(rogue.home + "/accounts/default/identity", at: laptop.port, flood)
        defer { _ = flooding.finish() }
        let end = ContinuousClock.now + .seconds(Self.seconds)
        var slowest = Duration.zero
        while ContinuousClock.now < end {
            slowest = max(slowest, try timed(laptop, "status"))
        }
        let revocation = try timed(laptop, "revoke", "rogue", "--yes")
        let (count, endings) = flooding.finish()
        let after = try laptop.nodeMemory("VmHWM")
        print(
            """
            \(count) \(flood): status took \(slowest) at most, the revocation \(revocation); memory from \(before) to \
            \(after) kilobytes; the node ended \(endings.count) connections\(endings.last.map { ", the last: \($0)" } ?? "")
            """)
        #expect(count > 0)
        #expect(slowest < .seconds(Self.seconds < 60 ? 3 : 1))
        #expect(revocation < .seconds(5))
        #expect(after < Self.memory)

        try desktop.must("start", "org.example.later", "--instance", "b", "--title", "later")
        try laptop.waitForActivity(titled: "later")
        #expect(try laptop.list().contains { $0["title"].string == "honest" })
        #expect(!laptop.log.contains("damaged"), "\(laptop.log)")
        try laptop.waitUntilConnected(with: desktop)
        #expect(
            try laptop.must("status", "--digest", "--at", "1h")
                == desktop.must("status", "--digest", "--at", "1h"))
        // A node that starts with all of it here takes no more, and starts soon.
        try #require(try laptop.stopNode() == 0)
        let started = ContinuousClock.now
        try laptop.startNode()
        #expect(ContinuousClock.now - started < .seconds(5))
        #expect(try laptop.nodeMemory("VmHWM") < Self.memory)
        if flood.takesOwner { try expectNewDevice(phone: account.newMachine("phone"), of: laptop) }
    }

    /// A device that an honest owner admits gets in, and goes out when it is revoked.
    private func expectNewDevice(phone: Machine, of laptop: Machine) throws {
        try phone.join(laptop)
        try phone.startNode()
        // It verifies each statement of the flood once.
        let started = ContinuousClock.now
        try phone.waitUntilConnected(with: laptop, within: .seconds(30 + Self.seconds / 2))
        print("a new device was in step after \(ContinuousClock.now - started)")
        try laptop.must("revoke", "phone", "--yes")
        try eventually("a refusal") {
            try phone.baton("status").output.contains("that device was revoked")
        }
    }
}

/// A member that floods a node on a thread of its own, and connects again when the node hangs up.
private final class FloodThread: Sendable {
    private let state = Mutex(State())
    private let (over, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    private struct State {
        var isOver = false
        /// The number of writes that the node has stored.
        var count = 0
        /// Why connections ended.
        var endings: [String] = []
    }

    init(_ identity: String, at port: UInt16, _ flood: `A node that a member floods`.Flood) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                do {
                    try run(FloodingMember(identity, at: port), flood)
                } catch {
                    state.withLock { $0.endings.append("\(error)") }
                    // A node that is connected to too often says nothing, so the next attempt takes its time.
                    _ = over.wait(timeout: .now() + 0.1)
                }
            }
            done.signal()
        }
    }

    /// Waits until the flood has ended; returns how many writes the node has stored, and why connections ended.
    func finish() -> (count: Int, endings: [String]) {
        state.withLock { $0.isOver = true }
        over.signal()
        done.wait()
        done.signal()
        return state.withLock { ($0.count, $0.endings) }
    }

    private func run(_ member: FloodingMember, _ flood: `A node that a member floods`.Flood) throws {
        let before = state.withLock { $0.count }
        var number = before * 1000
        while !state.withLock({ $0.isOver }) {
            switch flood {
            case .clears: try member.push(full: (0..<1000).map { Self.clear(number + $0) })
            case .texts: try member.push(full: [Self.text(number)])
            case .admissions: try member.push(full: try (0..<50).map { _ in try member.admission() })
            case .revocations: try member.push(full: try (0..<100).map { _ in try member.revocation() })
            case .lives:
                try member.push(inLives: (0..<100).map { Self.item(number + $0, "life") }, of: .index)
            }
            number += 1000
            try member.awaitStored()
            state.withLock { $0.count = before + member.count }
        }
    }

    private static func clear(_ number: Int) -> (key: RecordKey, content: Write.Content) {
        let scope = Scope.items(app: "org.example.flood", index: "i", domain: "d\(number)")
        return (scope.clearKey(in: .index), Write.Content(fields: Fields()))
    }

    /// An item with 20,000 words that no other one has.
    private static func text(_ number: Int) -> (key: RecordKey, content: Write.Content) {
        item(number, (0..<20_000).map { "w\(number)x\($0)" }.joined(separator: " "))
    }

    private static func item(_ number: Int, _ text: String) -> (key: RecordKey, content: Write.Content) {
        let name = ItemName(app: "org.example.flood", index: "i", identifier: "\(number)")
        var item = Item()
        item.attributes[.textContent] = .plain(.string(text))
        return (name.key, item.content(name))
    }
}
