import BatonNetwork
import Glibc
import Support
import Synchronization
import Testing

/// A peer whose packets are lost, between two machines in network namespaces.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command")
)
struct `A peer whose packets are lost` {
    /// Settings that are a tenth of the usual ones, but for the probes' pause, of which the kernel counts whole seconds.
    private static let short: StreamSettings = {
        var settings = StreamSettings()
        settings.keepAliveIdle /= 10
        settings.keepAliveInterval /= 10
        settings.userTimeout /= 10
        return settings
    }()

    @Test func `is noticed within a minute with the usual settings, whether the connection is idle or not`() {
        let settings = StreamSettings()
        #expect(
            settings.keepAliveIdle + settings.keepAliveInterval * Int(settings.keepAliveProbes)
                <= .seconds(60))
        #expect(settings.userTimeout <= .seconds(60))
    }

    /// A report of a thread in a namespace.
    private enum Report: Sendable {
        case listening(SocketAddress)
        case connected
        case ended(StreamConnection.End)
        case failed(String)
    }

    /// The reports of a thread, for the test.
    private final class Reports: Sendable {
        private let list = Mutex<[Report]>([])
        func add(_ report: Report) { list.withLock { $0.append(report) } }
        var all: [Report] { list.withLock { $0 } }
    }

    /// A reason for which a connection notices that its peer is silent.
    private enum Cause: CaseIterable {
        case idleness, sending
        /// It was asked to probe the peer once more, while a probe was going on that had begun before.
        case secondProbe
    }

    @Test(arguments: Cause.allCases)
    private func `is disconnected after the configured time`(
        cause: Cause
    ) throws {
        let bridge = try Bridge(machines: 2)
        let (near, far) = (Reports(), Reports())
        let (places, isOver) = (
            (bridge.namespace(of: 1), bridge.namespace(of: 2)), Flag()
        )
        defer { isOver.set() }
        Self.run(in: places.1, far) { loop in
            let listener = try Listener(at: SocketAddress(text: "10.78.0.2:0"), on: loop)
            var accepted: StreamConnection?
            try listener.start(accepted: { connection in
                accepted = connection
                do throws(NetworkError) {
                    try connection.start(.init(received: { _ in }, ended: { _ in }))
                } catch {
                    far.add(.failed("\(error)"))
                }
            })
            far.add(.listening(try #require(listener.address)))
            _ = loop.run(until: loop.now + .seconds(30)) { isOver.isSet }
            accepted?.close()
            try listener.close()
        }
        let address = try eventual("a listener: \(far.all)") { () -> SocketAddress? in
            guard case .listening(let address) = far.all.first else { return nil }
            return address
        }
        Self.run(in: places.0, near) { loop in
            var connection: StreamConnection?
            try StreamConnection.connect(
                to: address, on: loop, settings: cause == .secondProbe ? StreamSettings() : Self.short,
                deadline: loop.now + .seconds(10)
            ) { outcome in
                do throws(NetworkError) {
                    let made = try outcome.get()
                    connection = made
                    try made.start(.init(received: { _ in }, ended: { near.add(.ended($0)) }))
                    // It is over before the kernel gives up a peer that is silent from now on.
                    if cause == .secondProbe { made.probe(within: .seconds(3)) }
                    near.add(.connected)
                } catch {
                    near.add(.failed("\(error)"))
                }
            }
            // A tick, so that the test can tell of the loss.
            var knowsLoss = false
            while !isOver.isSet {
                _ = loop.run(until: loop.now + .milliseconds(20)) { isOver.isSet }
                guard !knowsLoss, isOver.isLost, let connection else { continue }
                knowsLoss = true
                switch cause {
                case .idleness: break
                case .sending: connection.send([1, 2, 3])
                case .secondProbe: connection.probe(within: .seconds(3))
                }
            }
            connection?.close()
        }
        try eventually("a connection: \(near.all)") {
            if case .connected = near.all.first { true } else { false }
        }
        try bridge.lose(2, true)
        isOver.lose()
        let started = ContinuousClock.now
        // A second for the kernel's timers, and more for a busy machine.
        let end = try eventual("the end: \(near.all)", within: .seconds(12)) { () -> StreamConnection.End? in
            guard case .ended(let end) = near.all.last else { return nil }
            return end
        }
        #expect(end == .timedOut)
        #expect(ContinuousClock.now - started > .seconds(1))
    }

    /// Notices of the test for the threads.
    private final class Flag: Sendable {
        private let over = Atomic(false), lost = Atomic(false)
        var isSet: Bool { over.load(ordering: .sequentiallyConsistent) }
        func set() { over.store(true, ordering: .sequentiallyConsistent) }
        /// Whether packets are lost by now.
        var isLost: Bool { lost.load(ordering: .sequentiallyConsistent) }
        func lose() { lost.store(true, ordering: .sequentiallyConsistent) }
    }

    /// Runs a body with a loop on a thread in a namespace.
    private static func run(
        in namespace: String, _ reports: Reports, _ body: @escaping @Sendable (EventLoop) throws -> Void
    ) {
        detach {
            NetworkNamespaces.enter(namespace)
            do {
                try withLoop { try body($0) }
            } catch {
                reports.add(.failed("\(error)"))
            }
        }
    }
}
