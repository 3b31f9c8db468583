import BatonSecurity
import Foundation
import Support
import Synchronization

/// Many hostile connections to a node, on a few threads of the test, until the object is freed.
final class Flood {
    /// The behaviour of the connections.
    enum Kind: String, CaseIterable, Sendable {
        case silent = "open connections and say nothing"
        case slow = "say a byte at a time"
        case deaf = "say what the node must answer, and never read"
        case rubbish = "send rubbish"
        case strangers = "shake hands with a certificate of another account"
    }

    /// The number of connections that one thread holds at once; there are three threads.
    private static let held = 120

    private final class State: Sendable {
        let isOver = Atomic(false)
        let running = Atomic(0)
        let made = Atomic(0)
    }

    private let state = State()
    private let shells: [ChildProcess]

    /// Starts the flood; the hint and the strangers' identity are options of the `openssl` command.
    init(_ kind: Kind, at machine: Machine, knowing own: String, stranger: [String]) throws {
        let (state, port) = (state, machine.port)
        if kind == .strangers {
            let words = ["openssl", "s_client", "-connect", machine.address] + Stranger.device + stranger
            let line = words.map { "'\($0)'" }.joined(separator: " ")
            shells = try (0..<3).map { _ in
                try machine.begin(["sh", "-c", "while :; do \(line) </dev/null; done"])
            }
            return
        }
        shells = []
        let context = try TLSContext.device(IdentityFolder(path: own).load())
        for _ in 0..<3 {
            state.running.add(1, ordering: .relaxed)
            Thread.detachNewThread {
                Self.flood(kind, port, context, state)
                state.running.subtract(1, ordering: .releasing)
            }
        }
    }

    deinit { end() }

    /// The number of connections so far.
    var made: Int {
        shells.isEmpty
            ? state.made.load(ordering: .relaxed)
            : shells.reduce(0) { $0 + $1.output.components(separatedBy: "CONNECTED").count - 1 }
    }

    func end() {
        for shell in shells { shell.end(SIGKILL) }
        state.isOver.store(true, ordering: .relaxed)
        _ = try? eventually("the end of a flood") { state.running.load(ordering: .acquiring) == 0 }
    }

    private static func flood(_ kind: Kind, _ port: UInt16, _ context: TLSContext, _ state: State) {
        var connections: [RawConnection] = []
        var generator = SystemRandomNumberGenerator()
        while !state.isOver.load(ordering: .relaxed) {
            guard let connection = try? RawConnection(port: port) else { continue }
            state.made.add(1, ordering: .relaxed)
            connections.append(connection)
            if connections.count > held { connections.removeFirst() }
            switch kind {
            case .silent, .strangers: break
            case .slow:
                connection.write([0x16, 3, 1, 2, 0, 1])
                for connection in connections { connection.write([0]) }
            case .deaf:
                // A device's own client hello, again and again, so that the node does as much work as for a device.
                let hello = (try? TLSSession(client: context))?.nextCiphertext() ?? []
                connection.write(hello)
                connection.write([UInt8](repeating: 0x17, count: 60_000))
            case .rubbish:
                connection.write((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
            }
            // The rate is that of a good line, not of this machine.
            usleep(1000)
        }
    }
}
