import BatonCore
import BatonNetwork
import BatonNode
import Glibc
import Support
import Synchronization
import Testing

/// A node on a thread of this process, with real sockets and the limits that a test wants.
///
/// Its deinitializer stops it, and waits for its end.
final class RunningNode {
    /// Retained as long as the node runs in the folder.
    private let folder: TemporaryFolder
    let home: Home
    private let stage: Stage
    private var isStopped = false

    /// Starts a node on a home that has an account, in a network namespace if one is named, and waits until it listens.
    init(
        _ folder: TemporaryFolder, _ name: String = "home", at address: String = "127.0.0.1:0",
        in namespace: String? = nil, clock: ClockSynchronization? = nil,
        _ change: (inout Limits) -> Void = { _ in }
    ) throws {
        self.folder = folder
        home = try Self.home(folder, name)
        var limits = Limits()
        change(&limits)
        let stage = Stage(
            home: home, address: try SocketAddress(text: address), limits: limits, clock: clock)
        self.stage = stage
        detach {
            // The threads that the node starts are in the same namespace.
            if let namespace { NetworkNamespaces.enter(namespace) }
            stage.run()
        }
        try eventually("a node: \(lines)") {
            if stage.state.withLock({ $0.isOver }) {
                throw failure ?? LocalFailure(.failed, "the node ended without an error")
            }
            return port != 0
        }
    }

    deinit { stop() }

    /// Creates an account in a home, and starts its node.
    static func first(
        _ folder: TemporaryFolder, _ name: String = "home", clock: ClockSynchronization? = nil,
        _ change: (inout Limits) -> Void = { _ in }
    ) throws -> RunningNode {
        _ = try home(folder, name).makeAccount(name: "first")
        return try RunningNode(folder, name, clock: clock, change)
    }

    /// Pairs a home with this node.
    func admit(_ name: String) throws {
        try join(name, with: try invite())
    }

    /// Opens an invitation, waits until it has expired, and then tries to join with its code.
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

    /// Joins from a home with a code, and with another clock if one is given.
    func join(_ name: String, with code: String, clock: (() -> WallTime)? = nil) throws {
        let home = try Self.home(folder, name)
        _ = try Joining(home, code: code, at: "127.0.0.1:\(port)", name: name, clock: clock).run()
    }

    /// Returns the home of a name in the folder.
    static func home(_ folder: TemporaryFolder, _ name: String = "home") throws -> Home {
        try Home(option: folder.path + "/" + name) { _ in nil }
    }

    /// Stops the node with a signal, and waits for its end.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        _ = try? eventually("the end of a node") {
            stage.state.withLock { state in
                // Only the thread of a running node handles the signal.
                if !state.isOver, !state.isAsked, let thread = state.thread {
                    state.isAsked = true
                    pthread_kill(thread, SIGTERM)
                }
                return state.isOver
            }
        }
    }

    // MARK: Queries

    /// The lines of its log.
    var lines: [String] { stage.state.withLock { $0.lines } }

    /// The port that it listens on; zero until it listens.
    var port: UInt16 {
        lines.first { $0.contains("is listening on ") }?.split(separator: ":").last.flatMap { UInt16($0) }
            ?? 0
    }

    /// The failure that ended the node, if any.
    var failure: LocalFailure? { stage.state.withLock { $0.failure } }

    /// Connects to the local socket as a command does.
    func connect() throws -> LocalPeer { try LocalPeer(home) }

    /// Makes one call, over a connection of its own.
    func ask<Call: LocalCall>(_ call: Call) throws -> Result<Call.Reply, LocalFailure> {
        var peer = try connect()
        return try peer.ask(call)
    }

    /// Returns its status.
    func status() throws -> NodeStatus { try ask(GetStatus()).get() }

    /// Returns the status of the other devices.
    func peers() throws -> [DeviceStatus] { try status().peers }

    /// Returns all devices of the account; none if the node can't list them.
    func devices() throws -> [DeviceStatus] {
        guard case .success(let devices) = try ask(ListDevices()).map(\.devices) else { return [] }
        return devices
    }

    /// The state that the node's thread and the test share.
    private final class Stage: Sendable {
        let home: Home
        let address: SocketAddress
        let limits: Limits
        /// The answer of the kernel about the clock, so that no test depends on this machine's.
        let clock: ClockSynchronization?
        let state = Mutex(State())

        struct State {
            var lines: [String] = []
            var failure: LocalFailure?
            var thread: pthread_t?
            var isAsked = false
            var isOver = false
        }

        init(home: Home, address: SocketAddress, limits: Limits, clock: ClockSynchronization?) {
            (self.home, self.address, self.limits, self.clock) = (home, address, limits, clock)
        }

        func run() {
            do {
                // A node that locks its accounts ends; in this process no other run follows.
                try make().run()?.giveUp()
            } catch let error as LocalFailure {
                state.withLock { $0.failure = error }
            } catch {
                state.withLock { $0.failure = LocalFailure(.failed, "a socket was not closed: \(error)") }
            }
            state.withLock { $0.isOver = true }
        }

        /// Makes the node, and retries while its lock is held.
        ///
        /// A process that another test forks holds the lock of an ended node until it calls `exec`.
        private func make() throws(LocalFailure) -> Node {
            let log = Log { [self] line in
                state.withLock {
                    $0.lines.append(line)
                    // From here on the signal is blocked in this thread, and read by the node.
                    if line.contains("is listening on ") { $0.thread = pthread_self() }
                }
            }
            let deadline = ContinuousClock.now + .seconds(5)
            while true {
                do throws(LocalFailure) {
                    return try Node(
                        home, listen: [address], limits: limits,
                        clockSynchronization: { [clock] in clock }, log: log)
                } catch  where error.code == .nodeRunning && ContinuousClock.now < deadline {
                    usleep(2000)
                }
            }
        }
    }
}
