package import BatonCore
import BatonNetwork
import Glibc

/// A connection to a node that reconnects when the node has stopped and started again.
package struct NodeLink: ~Copyable, Sendable {
    private let home: Home
    private var connection: AppConnection?
    /// The time of the next attempt to connect; it has no meaning while there is a connection.
    private var nextAttempt = MonotonicTime.now

    /// The pause between two attempts to connect.
    package static let pause = Duration.milliseconds(300)

    /// Creates a link to the node of a home, without connecting yet.
    package init(_ home: Home) { self.home = home }

    package var isConnected: Bool {
        switch connection {
        case nil: false
        case _?: true
        }
    }

    /// The descriptor to poll; negative while there is no connection to the node.
    package var descriptor: Int32 {
        switch connection {
        case nil: -1
        case let connection?: connection.descriptor
        }
    }

    /// The events to poll for.
    package var events: Int16 {
        switch connection {
        case nil: 0
        case let connection?: connection.events
        }
    }

    /// Whether all bytes of the calls so far have been sent.
    var isIdle: Bool { events & Int16(POLLOUT) == 0 }

    /// The number of further requests that may be sent now.
    package var room: Int {
        switch connection {
        case nil: 0
        case let connection?: AppConnection.most - connection.unanswered
        }
    }

    /// The time until the next attempt to connect; nil while there is a connection.
    package var pause: Duration? { isConnected ? nil : max(nextAttempt - .now, .zero) }

    /// Connects to the node; throws if it can't be reached.
    package mutating func connect() throws(LocalFailure) {
        nextAttempt = .now + Self.pause
        connection = try AppConnection(home)
    }

    /// Tries to connect, if there is no connection and the pause is over; returns whether it succeeded.
    ///
    /// Throws if another attempt would fail for the same reason.
    package mutating func seek() throws(LocalFailure) -> Bool {
        guard !isConnected, pause == .zero else { return false }
        do throws(LocalFailure) {
            try connect()
            return true
        } catch  where error.isPassing {
            return false
        }
    }

    /// Makes a call; returns the number of the request, which the answer will also have.
    package mutating func send(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        guard let number = try connection?.send(call) else {
            throw LocalFailure(.noNode, "No node is running.")
        }
        return number
    }

    /// Makes a call as `send(_:)` does, but may leave its bytes to `flush()`, so that one write sends several calls.
    mutating func add(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        guard let number = try connection?.add(call) else {
            throw LocalFailure(.noNode, "No node is running.")
        }
        return number
    }

    /// Writes the bytes that `add(_:)` left unsent.
    mutating func flush() throws(LocalFailure) { try connection?.flush() }

    /// Returns the answers that have arrived, if any.
    package mutating func receive() throws(LocalFailure) -> [LocalAnswer] {
        try connection?.receive() ?? []
    }

    /// Drops the connection after a failure; rethrows the failure if another attempt to connect can't succeed either.
    package mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        connection = nil
        nextAttempt = .now + Self.pause
        if !failure.isPassing { throw failure }
    }

    /// An event during `wait`.
    package enum Event {
        case answers([LocalAnswer])
        /// The link has connected again.
        ///
        /// The node may have restarted, so it may not know the earlier requests.
        case returned
        /// The connection failed, so the owner has to call `lose(_:)`.
        case failed(LocalFailure)
    }

    /// Waits until the node answers, another descriptor is ready, or the time is over.
    ///
    /// While there is no connection, the link also tries to connect again, unless `reconnects` is false.
    package mutating func wait(
        beside others: [(descriptor: Int32, events: Int16)] = [], within time: Duration? = nil,
        reconnects: Bool = true
    ) -> (ready: [Bool], event: Event?) {
        let limit = longestWait(within: time, reconnects: reconnects)
        let ready = Waiting.forOne(of: others + [(descriptor, events)], within: limit)
        return (Array(ready.dropLast()), handleWait(isReady: ready[others.count], reconnects: reconnects))
    }

    /// The time after which a wait must end: when `time` is over, or when the next attempt to connect is due.
    func longestWait(within time: Duration?, reconnects: Bool) -> Duration? {
        [reconnects ? pause : nil, time].compactMap(\.self).min()
    }

    /// Finishes a wait: receives answers if the descriptor is ready, and otherwise tries to connect.
    mutating func handleWait(isReady: Bool, reconnects: Bool) -> Event? {
        do throws(LocalFailure) {
            if isReady { return .answers(try receive()) }
            guard reconnects, try seek() else { return nil }
            return .returned
        } catch {
            return .failed(error)
        }
    }
}

extension LocalFailure {
    /// Whether the failure may go away once the node is started again.
    package var isPassing: Bool { code == .noNode || code == .failed }
}
