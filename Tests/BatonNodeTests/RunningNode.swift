import BatonCore
import BatonNetwork
import BatonNode
import Glibc
import Support
import Synchronization
import Testing

/// A node of this process, on a thread of its own, with whatever limits a test wants; its sockets are real.
///
/// It is stopped, and waited for, when nobody holds it any more.
final class RunningNode {
    /// Kept for as long as the node runs in it.
    private let folder: TemporaryFolder
    let home: Home
    private let stage: Stage
    private var isStopped = false

    /// Starts a node on a home that has an account, and waits until it listens.
    init(
        _ folder: TemporaryFolder, _ name: String = "home", at address: String = "127.0.0.1:0",
        _ change: (inout Limits) -> Void = { _ in }
    ) throws {
        self.folder = folder
        home = try Self.home(folder, name)
        var limits = Limits()
        change(&limits)
        let stage = Stage(home: home, address: try SocketAddress(text: address), limits: limits)
        self.stage = stage
        detach { stage.run() }
        try eventually("a node: \(lines)") {
            if stage.state.withLock({ $0.isOver }) {
                throw failure ?? LocalFailure(.failed, "the node ended well")
            }
            return port != 0
        }
    }

    deinit { stop() }

    /// Makes an account on a home, and starts its node.
    static func first(
        _ folder: TemporaryFolder, _ name: String = "home", _ change: (inout Limits) -> Void = { _ in }
    ) throws -> RunningNode {
        _ = try home(folder, name).makeAccount(name: "first")
        return try RunningNode(folder, name, change)
    }

    /// Makes a home a device of this node's account.
    func admit(_ name: String) throws {
        try join(name, with: try invite())
    }

    /// Opens an invitation, waits until it is over, and then tries to join with its code.
    func admitLate(_ name: String) throws {
        let code = try invite()
        try eventually("the end of the invitation") {
            guard case .failure = try ask(AwaitInvitation(code: code, isJoinerKnown: false)) else {
                return false
            }
            return true
        }
        try join(name, with: code)
    }

    /// Opens an invitation.
    func invite() throws -> String {
        try ask(OpenInvitation(asksPerson: false)).get().code
    }

    /// Has a home join with a code, by a clock of its own if there is one.
    func join(_ name: String, with code: String, clock: (() -> WallTime)? = nil) throws {
        let home = try Self.home(folder, name)
        _ = try Joining(home, code: code, at: "127.0.0.1:\(port)", name: name, clock: clock).run()
    }

    /// A home of that name in the folder.
    static func home(_ folder: TemporaryFolder, _ name: String = "home") throws -> Home {
        try Home(option: folder.path + "/" + name) { _ in nil }
    }

    /// Stops the node as a signal does, and waits until it is gone.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        _ = try? eventually("the end of a node") {
            stage.state.withLock { state in
                // The signal reaches a node only while it runs; its thread takes no other.
                if !state.isOver, !state.isAsked, let thread = state.thread {
                    state.isAsked = true
                    pthread_kill(thread, SIGTERM)
                }
                return state.isOver
            }
        }
    }

    // MARK: Queries

    /// What it has logged.
    var lines: [String] { stage.state.withLock { $0.lines } }

    /// Where it listens; zero until it does.
    var port: UInt16 {
        lines.first { $0.contains("is listening on ") }?.split(separator: ":").last.flatMap { UInt16($0) }
            ?? 0
    }

    /// Why it ended, if not because it was asked to.
    var failure: LocalFailure? { stage.state.withLock { $0.failure } }

    /// A connection as a command makes one.
    func connect() throws -> LocalPeer { try LocalPeer(home) }

    /// Makes one call, over a connection of its own.
    func ask<Call: LocalCall>(_ call: Call) throws -> Result<Call.Reply, LocalFailure> {
        var peer = try connect()
        return try peer.ask(call)
    }

    /// What it says of the other devices.
    func peers() throws -> [DeviceStatus] {
        try ask(GetStatus()).get().peers
    }

    /// What the node's thread and the test share.
    private final class Stage: Sendable {
        let home: Home
        let address: SocketAddress
        let limits: Limits
        let state = Mutex(State())

        struct State {
            var lines: [String] = []
            var failure: LocalFailure?
            var thread: pthread_t?
            var isAsked = false
            var isOver = false
        }

        init(home: Home, address: SocketAddress, limits: Limits) {
            (self.home, self.address, self.limits) = (home, address, limits)
        }

        func run() {
            do throws(LocalFailure) {
                try make().run()
            } catch {
                state.withLock { $0.failure = error }
            }
            state.withLock { $0.isOver = true }
        }

        /// A process that another test is just starting holds the lock of a node that has ended, for the moment in
        /// which it is still a copy of this one.
        private func make() throws(LocalFailure) -> Node {
            let log = Log { [self] line in
                state.withLock {
                    $0.lines.append(line)
                    // From here on the signal is blocked, and read.
                    if line.contains("is listening on ") { $0.thread = pthread_self() }
                }
            }
            let deadline = ContinuousClock.now + .seconds(5)
            while true {
                do throws(LocalFailure) {
                    return try Node(home, listen: [address], limits: limits, log: log)
                } catch  where error.code == .nodeRunning && ContinuousClock.now < deadline {
                    usleep(2000)
                }
            }
        }
    }
}
