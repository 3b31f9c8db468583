import CLinux
import Glibc
import Synchronization

/// A queue from any thread to an event loop: the loop hands each posted message to a handler, in order.
///
/// `EventLoop.mailbox` makes it. It may outlive its loop, and then refuses messages.
package final class Mailbox<Message: Sendable>: Sendable {
    /// The state that threads share.
    private struct Queue {
        /// Messages that the loop has not taken yet, oldest first.
        var messages: [Message] = []
        /// True if the loop was woken for the messages in the queue; it is woken once for all of them.
        var isRung = false
        /// True once messages are refused.
        var isClosed = false
    }

    /// The messages, behind a lock that is never held during a callback.
    private let queue = Mutex(Queue())
    /// The `eventfd` that wakes the loop; it is watched edge-triggered, so it need not be read.
    let bell: FileDescriptor

    init() throws(NetworkError) {
        bell = FileDescriptor(
            owning: try SystemCall.run("make an event descriptor") {
                eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            })
    }

    /// Queues a message for the loop's thread; returns false, and drops the message, if the mailbox is closed.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        let (isTaken, mustRing) = queue.withLock { queue in
            guard !queue.isClosed else { return (false, false) }
            queue.messages.append(message)
            defer { queue.isRung = true }
            return (true, !queue.isRung)
        }
        if mustRing { ring() }
        return isTaken
    }

    /// Takes all messages; the next post wakes the loop again.
    func takeAll() -> [Message] {
        queue.withLock { queue in
            queue.isRung = false
            let messages = queue.messages
            queue.messages = []
            return messages
        }
    }

    /// Refuses messages from now on, and drops those in the queue.
    func close() {
        // Messages are released outside of the lock, because they may hold anything.
        let dropped = queue.withLock { queue in
            queue.isClosed = true
            let messages = queue.messages
            queue.messages = []
            return messages
        }
        withExtendedLifetime(dropped) {}
    }

    /// True once messages are refused.
    package var isClosed: Bool { queue.withLock { $0.isClosed } }

    /// Wakes the loop.
    ///
    /// The call fails only when the counter of the `eventfd` is full, and then the loop wakes, too.
    private func ring() { _ = SystemCall.attempt { eventfd_write(bell.number, 1) } }
}

/// The loop's end of a mailbox; belongs to the loop's thread.
final class MailboxDelivery<Message: Sendable> {
    /// The most messages that one turn delivers.
    private static var countPerTurn: Int { 512 }
    private let mailbox: Mailbox<Message>
    private let handler: (Message) -> Void
    /// Messages taken from the mailbox; those before `place` are delivered.
    private var taken: [Message] = []
    /// The index of the first message that is not delivered yet.
    private var place = 0
    /// True if the bell rang while earlier messages were left.
    private var hasNewer = false

    init(mailbox: Mailbox<Message>, handler: @escaping (Message) -> Void) {
        (self.mailbox, self.handler) = (mailbox, handler)
    }

    /// Delivers the messages in order; those beyond a turn's share are delivered in the next turn.
    func deliver(on loop: EventLoop) {
        // The rest of the last turn's messages is being delivered; newer messages come after them.
        guard taken.isEmpty else { return hasNewer = true }
        taken = mailbox.takeAll()
        deliverShare(on: loop)
    }

    /// Delivers one turn's share.
    private func deliverShare(on loop: EventLoop) {
        let end = min(place + Self.countPerTurn, taken.count)
        while place < end, !mailbox.isClosed {
            place += 1
            handler(taken[place - 1])
        }
        guard !mailbox.isClosed else { return (taken, place) = ([], 0) }
        if place == taken.count {
            (taken, place) = (hasNewer ? mailbox.takeAll() : [], 0)
            hasNewer = false
        }
        if !taken.isEmpty { loop.nextTurn { self.deliverShare(on: loop) } }
    }
}
