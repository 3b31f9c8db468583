import CLinux
import Glibc
import Synchronization

/// A queue from any thread to an event loop: the loop hands each posted message to a handler, in order.
///
/// `EventLoop.mailbox` makes it. It may outlive its loop, and then refuses messages.
package final class Mailbox<Message: Sendable>: Sendable {
    /// The messages wait as closures, because a generic queue would look for their type at each step.
    let queue: DeliveryQueue
    private let receiver: Receiver

    /// Holds the handler until the mailbox is closed; unchecked, because only the loop's thread uses the handler.
    private final class Receiver: @unchecked Sendable {
        var handler: ((Message) -> Void)?

        init(_ handler: @escaping (Message) -> Void) { self.handler = handler }
    }

    init(_ handler: @escaping (Message) -> Void) throws(NetworkError) {
        queue = try DeliveryQueue()
        receiver = Receiver(handler)
    }

    /// Queues a message for the loop's thread; returns false, and drops the message, if the mailbox is closed.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        queue.post { [receiver] in receiver.handler?(message) }
    }

    /// Refuses messages from now on, and drops those in the queue and the handler; called on the loop's thread.
    func close() {
        queue.close()
        receiver.handler = nil
    }
}

/// The deliveries of a mailbox that wait for the loop.
final class DeliveryQueue: Sendable {
    /// Hands one message to the handler.
    typealias Delivery = @Sendable () -> Void

    /// The state that threads share.
    private struct Waiting {
        /// Deliveries that the loop has not taken yet, oldest first.
        var deliveries: [Delivery] = []
        /// True if the loop was woken for the deliveries in the queue; it is woken once for all of them.
        var isRung = false
        /// True once deliveries are refused.
        var isClosed = false
    }

    /// The deliveries, behind a lock that is never held during a callback.
    private let waiting = Mutex(Waiting())
    /// The `eventfd` that wakes the loop; it is watched edge-triggered, so it need not be read.
    let bell: FileDescriptor

    init() throws(NetworkError) {
        bell = FileDescriptor(
            owning: try SystemCall.run("make an event descriptor") {
                eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            })
    }

    /// Queues a delivery; returns false, and drops it, if the queue is closed.
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

    /// Takes all deliveries; the next post wakes the loop again.
    func takeAll() -> [Delivery] {
        waiting.withLock { waiting in
            waiting.isRung = false
            let deliveries = waiting.deliveries
            waiting.deliveries = []
            return deliveries
        }
    }

    /// Refuses deliveries from now on, and drops those in the queue.
    func close() {
        // They are released outside of the lock, because messages may hold anything.
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
    /// The call fails only when the counter of the `eventfd` is full, and then the loop wakes, too.
    private func ring() { _ = SystemCall.attempt { eventfd_write(bell.number, 1) } }
}

/// The loop's end of a mailbox; belongs to the loop's thread.
final class MailboxDelivery {
    /// The most messages that one turn delivers.
    private static let countPerTurn = 512
    private let queue: DeliveryQueue
    /// Deliveries taken from the queue; those before `place` are done.
    private var taken: [DeliveryQueue.Delivery] = []
    /// The index of the first delivery that is not done yet.
    private var place = 0
    /// True if the bell rang while earlier deliveries were left.
    private var hasNewer = false

    init(of queue: DeliveryQueue) { self.queue = queue }

    /// Delivers the messages in order; those beyond a turn's share are delivered in the next turn.
    func deliver(on loop: EventLoop) {
        // The rest of the last turn's messages is being delivered; newer messages come after them.
        guard taken.isEmpty else { return hasNewer = true }
        taken = queue.takeAll()
        deliverShare(on: loop)
    }

    /// Delivers one turn's share.
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
