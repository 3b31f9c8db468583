package import BatonCore
import BatonNetwork

/// A connection to a node that may go away and come back: where it is gone, it is sought again now and then.
package struct NodeLink: ~Copyable {
    private let home: Home
    private var connection: AppConnection?
    /// When to seek the node next, while it is gone.
    private var nextAttempt = MonotonicTime.now

    /// How long a node that is gone is left alone between two attempts.
    package static let pause = Duration.milliseconds(300)

    /// A link to the node of a home, which is sought once it is asked for.
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

    /// How long to wait before the node is sought; nothing while it is there.
    package var pause: Duration? { isConnected ? nil : max(nextAttempt - .now, .zero) }

    /// Seeks the node, and throws if it can't be reached.
    package mutating func connect() throws(LocalFailure) {
        nextAttempt = .now + Self.pause
        connection = try AppConnection(home)
    }

    /// Seeks the node if it is gone and the time has come, and says whether it is there now and was not before.
    ///
    /// What waiting does not mend is thrown.
    package mutating func seek() throws(LocalFailure) -> Bool {
        guard !isConnected, pause == .zero else { return false }
        do throws(LocalFailure) {
            try connect()
            return true
        } catch  where error.isPassing {
            return false
        }
    }

    /// Asks the node; the number comes back with the answer.
    package mutating func send(_ request: LocalRequest) throws(LocalFailure) -> UInt64 {
        guard let number = try connection?.send(request) else {
            throw LocalFailure(.noNode, "The node is gone.")
        }
        return number
    }

    /// The answers that have come, which may be none.
    package mutating func receive() throws(LocalFailure) -> [(number: UInt64, answer: LocalAnswer)] {
        try connection?.receive() ?? []
    }

    /// The node is gone, as a failure said; one that waiting does not mend is thrown on.
    package mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        connection = nil
        nextAttempt = .now + Self.pause
        if !failure.isPassing { throw failure }
    }

    /// Something that happened to the link while its owner waited.
    package enum Event {
        case answers([(number: UInt64, answer: LocalAnswer)])
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
    /// Whether a node that is started again may be all that is missing.
    package var isPassing: Bool { code == .noNode || code == .failed }
}
