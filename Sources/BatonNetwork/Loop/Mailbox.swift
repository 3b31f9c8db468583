import CLinux
import Glibc
import Synchronization

/// A queue of messages from any thread to an event loop, which passes the messages to a handler in order.
///
/// `EventLoop.mailbox` makes a mailbox. A mailbox may outlive its loop; then it refuses messages.
package final class Mailbox<Message: Sendable>: Sendable {
    /// The queue holds a closure for each message, because a generic queue would look up the message type at each step.
    let queue: DeliveryQueue
    private let receiver: Receiver

    /// Holds the handler until the mailbox is closed.
    ///
    /// `@unchecked` because only the loop's thread uses the handler.
    private final class Receiver: @unchecked Sendable {
        var handler: ((Message) -> Void)?

        init(_ handler: @escaping (Message) -> Void) { self.handler = handler }
    }

    init(_ handler: @escaping (Message) -> Void) throws(NetworkError) {
        queue = try DeliveryQueue()
        receiver = Receiver(handler)
    }

    /// Queues a message for the handler; if the mailbox is closed, drops the message and returns false.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        queue.post { [receiver] in receiver.handler?(message) }
    }

    /// Refuses later messages, and releases the queued messages and the handler; called on the loop's thread.
    func close() {
        queue.close()
        receiver.handler = nil
    }
}

/// The queued messages of a mailbox, as closures that deliver them.
final class DeliveryQueue: Sendable {
    /// Hands one message to the handler.
    typealias Delivery = @Sendable () -> Void

    /// The state that threads share.
    private struct Waiting {
        /// Deliveries that the loop has not taken yet, oldest first.
        var deliveries: [Delivery] = []
        /// True if the loop was already woken for the queued deliveries; it is woken only once for all of them.
        var isRung = false
        /// True once deliveries are refused.
        var isClosed = false
    }

    /// The deliveries, protected by a lock that is never held while a closure is called.
    private let waiting = Mutex(Waiting())
    /// The `eventfd` that wakes the loop; it is watched edge-triggered, so nobody has to read it.
    let bell: FileDescriptor

    init() throws(NetworkError) {
        bell = FileDescriptor(
            owning: try SystemCall.run("make an event descriptor") {
                eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            })
    }

    /// Queues a delivery; if the queue is closed, drops the delivery and returns false.
    func post(_ delivery: @escaping Delivery) -> Bool {
        let (isTaken, mustRing) = waiting.withLock { waiting in
            guard !waiting.isClosed else { return (false, false) }
            waiting.deliveries.append(delivery)
            defer { waiting.isRung = true }
            return (true, !waiting.isRung)
        }
        if mustRing { ring() }
        return isTaken
    }

    /// Takes all deliveries; after that, the next post wakes the loop again.
    func takeAll() -> [Delivery] {
        waiting.withLock { waiting in
            waiting.isRung = false
            let deliveries = waiting.deliveries
            waiting.deliveries = []
            return deliveries
        }
    }

    /// Refuses later deliveries, and drops the queued deliveries.
    func close() {
        // The deliveries are released outside of the lock, because releasing a message may run any code.
        let dropped = waiting.withLock { waiting in
            waiting.isClosed = true
            let deliveries = waiting.deliveries
            waiting.deliveries = []
            return deliveries
        }
        withExtendedLifetime(dropped) {}
    }

    /// True once deliveries are refused.
    var isClosed: Bool { waiting.withLock { $0.isClosed } }

    /// Wakes the loop.
    ///
    /// The call fails only if the counter of the `eventfd` is full; then the loop has already been woken.
    private func ring() { _ = SystemCall.attempt { eventfd_write(bell.number, 1) } }
}

/// The part of a mailbox that takes messages out of the queue; it belongs to the loop's thread.
final class MailboxDelivery {
    /// The maximum number of messages that are delivered in one turn.
    private static let countPerTurn = 512
    private let queue: DeliveryQueue
    /// The deliveries that were taken from the queue; those before the index `place` are done.
    private var taken: [DeliveryQueue.Delivery] = []
    /// The index of the first delivery that is not done.
    private var place = 0
    /// True if further deliveries were queued while earlier ones were not done.
    private var hasNewer = false

    init(of queue: DeliveryQueue) { self.queue = queue }

    /// Delivers the queued messages in order; if there are too many for one turn, the next turn continues.
    func deliver(on loop: EventLoop) {
        // Messages of an earlier turn are still being delivered, and newer messages come after them.
        guard taken.isEmpty else { return hasNewer = true }
        taken = queue.takeAll()
        deliverShare(on: loop)
    }

    /// Delivers the messages that one turn may deliver.
    private func deliverShare(on loop: EventLoop) {
        let end = min(place + Self.countPerTurn, taken.count)
        while place < end, !queue.isClosed {
            place += 1
            taken[place - 1]()
        }
        guard !queue.isClosed else { return (taken, place) = ([], 0) }
        if place == taken.count {
            (taken, place) = (hasNewer ? queue.takeAll() : [], 0)
            hasNewer = false
        }
        if !taken.isEmpty { loop.nextTurn { self.deliverShare(on: loop) } }
    }
}
