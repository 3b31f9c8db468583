package import BatonCore
import BatonNetwork

/// A connection to a node that may go away and come back.
///
/// While the node is gone, the link tries to connect again.
package struct NodeLink: ~Copyable {
    private let home: Home
    private var connection: AppConnection?
    /// When to try to connect again, while the node is gone.
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

    /// What to ask the kernel about; less than zero while the node is gone.
    package var descriptor: Int32 {
        switch connection {
        case nil: -1
        case let connection?: connection.descriptor
        }
    }

    /// What to ask about it.
    package var events: Int16 {
        switch connection {
        case nil: 0
        case let connection?: connection.events
        }
    }

    /// How many more requests may be sent now.
    package var room: Int {
        switch connection {
        case nil: 0
        case let connection?: AppConnection.most - connection.unanswered
        }
    }

    /// How long to wait before the next attempt to connect; nil while the node is connected.
    package var pause: Duration? { isConnected ? nil : max(nextAttempt - .now, .zero) }

    /// Connects to the node; throws if it can't be reached.
    package mutating func connect() throws(LocalFailure) {
        nextAttempt = .now + Self.pause
        connection = try AppConnection(home)
    }

    /// Connects if the node is gone and the pause is over.
    ///
    /// Returns whether the node has come back.
    ///
    /// Throws a failure that waiting can't repair.
    package mutating func seek() throws(LocalFailure) -> Bool {
        guard !isConnected, pause == .zero else { return false }
        do throws(LocalFailure) {
            try connect()
            return true
        } catch  where error.isPassing {
            return false
        }
    }

    /// Makes a call; its number comes back with the answer.
    package mutating func send(_ call: some LocalCall) throws(LocalFailure) -> UInt64 {
        guard let number = try connection?.send(call) else {
            throw LocalFailure(.noNode, "The node is gone.")
        }
        return number
    }

    /// Returns the answers that have come, which may be none.
    package mutating func receive() throws(LocalFailure) -> [LocalAnswer] {
        try connection?.receive() ?? []
    }

    /// Notes that the node is gone; throws a failure that waiting can't repair.
    package mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        connection = nil
        nextAttempt = .now + Self.pause
        if !failure.isPassing { throw failure }
    }

    /// Something that happened to the link while its owner waited.
    package enum Event {
        case answers([LocalAnswer])
        /// The node is connected again, and knows nothing of what was sent before.
        case returned
        /// The connection failed; the owner calls `lose(_:)`.
        case failed(LocalFailure)
    }

    /// Waits until the node answers, another descriptor is ready, or the time is over.
    ///
    /// A node that is gone is looked for meanwhile, unless its owner no longer needs it.
    package mutating func wait(
        beside others: [(descriptor: Int32, events: Int16)] = [], within time: Duration? = nil,
        reconnects: Bool = true
    ) -> (ready: [Bool], event: Event?) {
        let limit = [reconnects ? pause : nil, time].compactMap(\.self).min()
        let ready = Waiting.forOne(of: others + [(descriptor, events)], within: limit)
        var event: Event?
        do throws(LocalFailure) {
            if ready[others.count] {
                event = .answers(try receive())
            } else if reconnects, try seek() {
                event = .returned
            }
        } catch {
            event = .failed(error)
        }
        return (Array(ready.dropLast()), event)
    }
}

extension LocalFailure {
    /// Whether starting the node again may be all that is needed.
    package var isPassing: Bool { code == .noNode || code == .failed }
}
