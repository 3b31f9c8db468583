import CLinux
import Glibc
import Synchronization

/// A way from any thread to an event loop: what is posted is handed to the loop's handler, in order.
///
/// Made by `EventLoop.mailbox`. It may outlive its loop; posts are refused then.
package final class Mailbox<Message: Sendable>: Sendable {
    /// What waits.
    private struct Queue {
        /// Posted and not yet taken by the loop, oldest first.
        var messages: [Message] = []
        /// True if the loop has been woken for what is in the queue; one ring serves all posts until then.
        var isRung = false
        /// True when nobody will take messages any more.
        var isClosed = false
    }

    /// What waits, behind a lock that is never held while anyone is called.
    private let queue = Mutex(Queue())
    /// Wakes the loop; an `eventfd`, watched edge-triggered, so it need not be read back.
    let bell: FileDescriptor

    init() throws(NetworkError) {
        bell = FileDescriptor(
            owning: try SystemCall.run("make a bell for an event loop") {
                eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            })
    }

    /// Leaves a message for the loop's thread; false if the mailbox is closed and the message was dropped.
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

    /// Takes all that waits; the next post rings again.
    func takeAll() -> [Message] {
        queue.withLock { queue in
            queue.isRung = false
            let messages = queue.messages
            queue.messages = []
            return messages
        }
    }

    /// Refuses posts from now on and drops what waits.
    func close() {
        // The messages are released outside of the lock: they may hold anything.
        let dropped = queue.withLock { queue in
            queue.isClosed = true
            let messages = queue.messages
            queue.messages = []
            return messages
        }
        withExtendedLifetime(dropped) {}
    }

    /// True when posts are refused.
    package var isClosed: Bool { queue.withLock { $0.isClosed } }

    /// Wakes the loop.
    ///
    /// The call fails only where the bell was rung as often as it counts, and then the loop wakes too.
    private func ring() { _ = SystemCall.attempt { eventfd_write(bell.number, 1) } }
}

/// The loop's end of a mailbox; lives on the loop's thread.
final class MailboxDelivery<Message: Sendable> {
    /// How many messages a turn delivers before others have theirs.
    private static var countPerTurn: Int { 512 }
    /// Where messages come from.
    private let mailbox: Mailbox<Message>
    /// Who gets them.
    private let handler: (Message) -> Void
    /// Taken from the mailbox, and delivered up to `place`.
    private var taken: [Message] = []
    /// The first message not yet delivered.
    private var place = 0

    init(mailbox: Mailbox<Message>, handler: @escaping (Message) -> Void) {
        (self.mailbox, self.handler) = (mailbox, handler)
    }

    /// Delivers what waits; what exceeds a turn's share goes on in the next, in order.
    func deliver(on loop: EventLoop) {
        // A rest from the last turn is already on its way, and what rang now comes after it.
        guard taken.isEmpty else { return }
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
        if place == taken.count { (taken, place) = (mailbox.takeAll(), 0) }
        if !taken.isEmpty { loop.nextTurn { self.deliverShare(on: loop) } }
    }
}
