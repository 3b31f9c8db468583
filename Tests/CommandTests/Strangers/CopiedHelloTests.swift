import BatonSecurity
import Foundation
import Glibc
import Support
import Synchronization
import Testing

/// A node that gets many copies of one device's client hello, which anyone on the network can record and send again.
@Suite(.serialized) struct `A flood of copied client hellos` {
    /// The number of copies and of their sources.
    private static let (count, sources) = (2000, 4)

    /// Sends copies of the same bytes as fast as one thread can, and holds as many connections as the node accepts.
    private final class Copies {
        private final class State: Sendable {
            let sent = Atomic(0)
            let isOver = Atomic(false)
            let hasEnded = Atomic(false)
        }

        private let state = State()

        init(of hello: [UInt8], at port: UInt16) {
            let state = state
            detach {
                var held: [RawConnection] = []
                for number in 0..<count where !state.isOver.load(ordering: .relaxed) {
                    // The first source has the address of the members.
                    let source = 0x7f00_0001 + UInt32(number % sources)
                    guard let connection = try? RawConnection(port: port, from: source) else { continue }
                    connection.write(hello)
                    state.sent.add(1, ordering: .relaxed)
                    held.append(connection)
                    if held.count > 200 { held.removeFirst() }
                }
                state.hasEnded.store(true, ordering: .releasing)
            }
        }

        var sent: Int { state.sent.load(ordering: .relaxed) }
        var hasEnded: Bool { state.hasEnded.load(ordering: .acquiring) }

        func end() throws {
            state.isOver.store(true, ordering: .relaxed)
            try eventually("the end of the copies") { hasEnded }
        }
    }

    /// The client hello of a real client, recorded on its way.
    private func record(_ options: [String], on machine: Machine) throws -> [UInt8] {
        let listening = try Listening()
        let client = try machine.begin(
            ["openssl", "s_client", "-connect", "127.0.0.1:\(listening.port)"] + options, hasInput: true)
        defer { client.end(SIGKILL) }
        let hello = try #require(listening.accept()?.read())
        try #require(hello.first == 0x16 && hello.count > 200)
        return hello
    }

    /// How long a device waits for the node's first frame after its own handshake; it tries again if it is refused.
    private func wait(
        of context: TLSContext, _ tickets: TicketCache, at port: UInt16, from source: UInt32
    ) throws -> Duration {
        let began = ContinuousClock.now
        while ContinuousClock.now - began < .seconds(20) {
            let connection = try RawConnection(port: port, from: source)
            let session = try TLSSession(client: context, tickets: tickets)
            do {
                while true {
                    if let words = session.nextCiphertext() { connection.write(words) }
                    guard let bytes = connection.read(), !bytes.isEmpty else { break }
                    try session.receive(bytes.span)
                    var plaintext: [UInt8] = []
                    if try session.readPlaintext(into: &plaintext) > 0 { return ContinuousClock.now - began }
                }
            } catch {
                continue
            }
        }
        throw DeadlinePassed(description: "a handshake with the node")
    }

    /// The processor time of the node's process, in seconds.
    private func processorTime(of machine: Machine) throws -> Double {
        let number = try #require(machine.nodeNumber)
        let fields = try #require(File.read("/proc/\(number)/stat")).split(separator: ") ").last
        let times = try #require(fields).split(separator: " ").dropFirst(11).prefix(2).compactMap {
            Double($0)
        }
        return times.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static let noCommand: Comment =
        "SKIPPED: the `openssl` command is not installed, so no first words can be recorded"

    @Test(.enabled(if: Stranger.isThere, noCommand), arguments: ["X25519", "ffdhe8192"], [false, true])
    func `a flood of copied client hellos delays neither members nor commands`(group: String, isJoiner: Bool)
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        desktop.killNode()
        let own = desktop.home + "/accounts/default/identity"
        let credentials = try IdentityFolder(path: own).load()
        let laptopCredentials = try IdentityFolder(path: laptop.home + "/accounts/default/identity").load()
        let context = try TLSContext.device(credentials)
        // Both are for the laptop: a hint counts only at the device that it is made for.
        let (tickets, empty) = (
            TicketCache(for: laptopCredentials.device), TicketCache(for: laptopCredentials.device)
        )
        if isJoiner { _ = try laptop.invite() }
        let kind = isJoiner ? ["-alpn", "baton-pair/1"] : Stranger.device + (try Stranger.hint(own))
        let hello = try record(kind + ["-groups", group], on: laptop)
        // One session before the flood leaves a ticket.
        _ = try wait(of: context, tickets, at: laptop.port, from: 0x7f00_0001)
        #expect(!tickets.isEmpty)

        let before = try processorTime(of: laptop)
        let copies = Copies(of: hello, at: laptop.port)
        try eventually("a flood") { copies.sent > 300 }
        // A member resumes an earlier session at once, even from the flood's own address.
        let resumed = try wait(of: context, tickets, at: laptop.port, from: 0x7f00_0001)
        // A member with a full handshake waits only for its turn.
        let whole = try wait(of: context, empty, at: laptop.port, from: 0x7f00_0064)
        let asked = ContinuousClock.now
        try laptop.must("status")
        let answered = ContinuousClock.now - asked
        try copies.end()
        let used = try processorTime(of: laptop) - before
        #expect(resumed < .seconds(3) && whole < .seconds(3) && answered < .seconds(3))
        // The cost of the copies is bounded, too: all together take less time than a few did before.
        #expect(used < 5, "\(used) s for \(copies.sent) copies")
    }
}
