/// Gives each write of this device its dot and stamp, and has it sent to other devices and stored.
///
/// It is a part of `Account`. The writes of one life are one sequence: after a write that was not stored, no later
/// write of the sequence may be stored in that lane, because it would claim the missing write, which others may have
/// received. So the life ends there, and later writes belong to a new life.
///
/// No stamp is earlier than the birth of its life, whatever the wall clock shows. So the next life of the device, which
/// begins later than all stamps, has the larger name.
package struct Writing: Sendable {
    /// Gives each write its dot and its stamp.
    package private(set) var journal: Journal
    private let device: DeviceIdentifier
    private let pauses: ClosedRange<Duration>
    private var generator: any RandomNumberGenerator & Sendable
    private var effects: [Effect] = []
    /// The transactions that wait for the disk.
    private var waiting: [Ticket: Waiting] = [:]
    private var ticketCount: UInt64 = 0
    /// The order of arrival that the store is to begin, and has not begun yet.
    private var nextOrder: ArrivalOrder?
    /// When the store is asked to begin the order; nil if it is asked already, or if there is none.
    private var orderTime: Instant?
    /// The pauses between new sessions while the disk refuses one write after the other.
    private var meetingPause: Backoff
    /// The end of the pause after the last new sessions, and when the next new sessions are due; nil if none are.
    private var (meetingPauseEnd, meetingTime): (Instant?, Instant?)

    /// Stands for a transaction until the disk has answered.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Waiting {
        let life: Life
        /// How many strays the transaction adopts.
        var adoptedCount = 0
    }

    package enum Effect: Equatable, Sendable {
        /// Send connected devices a transaction that the disk does not have yet, so that nobody waits for the disk.
        ///
        /// The witness must note the transaction first, so that the next process begins a new life if this one ends
        /// before the transaction is stored.
        indirect case tellAhead(StoreTransaction)
        /// Store a transaction, in the sequence of the present life. If it is durable, its success may be reported only
        /// once it would survive a loss of power.
        indirect case keep(StoreTransaction, Ticket, isDurable: Bool)
        /// A new life has begun. The witness is to forget the previous life, and to note the new one only after its
        /// order of arrival has begun: if the process ends in between, the next process must continue neither life.
        case begin(Life)
        /// Have the witness note from now on how far this life has come.
        case witness(Life)
        /// Begin another order of arrival.
        case beginOrder(ArrivalOrder)
        /// End all sessions, and begin new ones.
        case meetAnew
        /// The disk refused a write. The log sums refusals up with a count, instead of a line for each.
        case refused(StoreFailure)
        /// Write a line into the log.
        case tell(String)
        /// Write a line into the log that reports a fault.
        case warn(String)
    }

    /// Continues a journal that was opened.
    package init(
        of device: DeviceIdentifier, in journal: Journal, limits: Limits,
        drawingFrom generator: any RandomNumberGenerator & Sendable
    ) {
        (self.device, self.journal, self.generator) = (device, journal, generator)
        self.journal.witness(journal.life.birth)
        pauses = limits.retryPause
        meetingPause = Backoff(limits.retryPause)
    }

    // MARK: Commands

    /// Gives a transaction its dots and stamps, and has it sent and stored; returns nil if its content is beyond
    /// limits.
    ///
    /// A transaction about membership is always durable.
    package mutating func write(
        durably isDurable: Bool = false, naming name: (inout Journal) -> StoreTransaction?
    ) -> Ticket? {
        guard let transaction = name(&journal) else { return nil }
        return keep(transaction, isDurable: isDurable, Waiting(life: journal.life))
    }

    /// Called when a transaction was stored.
    package mutating func handleKept(_ ticket: Ticket) {
        guard let count = waiting.removeValue(forKey: ticket)?.adoptedCount, count > 0 else { return }
        effects.append(
            .tell(
                "adopted \(count) changes that would have been lost, because no other device can pass them on"
            ))
    }

    /// Called when a transaction could not be stored.
    ///
    /// A new order of arrival prevents interrupted transfers from resuming. So it begins only once the disk has refused
    /// no write for a while, however often it failed before.
    package mutating func handleFailure(_ failure: StoreFailure, of ticket: Ticket, at now: Instant) {
        let endsLife = waiting.removeValue(forKey: ticket)?.life == journal.life
        // No vector may cover later writes of this life, because it would also cover the write that was not stored.
        if endsLife { beginLife() }
        if endsLife || orderTime != nil { orderTime = now + pauses.upperBound }
        meetAfterRefusal(at: now)
        effects.append(.refused(failure))
    }

    /// Notes a time that the store or a peer shows: later writes get later times.
    package mutating func witness(_ time: HybridTime) { journal.witness(time) }

    /// Adopts strays: writes that their authors lost and that nobody can claim get new dots in the present life.
    package mutating func adopt(_ strays: [Write], in lane: Lane) {
        guard let latest = strays.map(\.dot.origin.life).max() else { return }
        if latest >= journal.life {
            // A life whose beginning is too late for clocks to follow was not named by any clock.
            guard journal.clock.latest.following(latest.birth) >= latest.birth else { return }
            journal.witness(latest.birth)
            beginLife()
            beginOrder()
        }
        guard let transaction = journal.adoption(of: strays, in: lane) else { return }
        let waiting = Waiting(life: journal.life, adoptedCount: transaction.writes.count)
        _ = keep(transaction, isDurable: false, waiting)
    }

    /// Begins another life and new sessions with all devices, because the store gave up what it claimed.
    package mutating func beginAnew() {
        beginLife()
        beginOrder()
        effects.append(.meetAnew)
    }

    /// Gives up a life in which another machine writes, too, as clones of one disk do; later writes belong to a life of
    /// this machine alone.
    ///
    /// The other machine shares the order of arrival, too, but has other writes at the same places. So the store begins
    /// a new order, and only then do all sessions begin anew.
    package mutating func giveUp(_ taken: Life, at wall: WallTime) {
        guard journal.life == taken else { return }
        beginLife()
        beginOrder()
        let draft = Journal.Draft(.full(Write.Content(fields: Fields())), SharedLife(taken).key)
        _ = write { $0.transaction(.activities, [draft], now: wall) }
    }

    /// Called when the store has begun an order of arrival.
    package mutating func handleBegun(_ order: ArrivalOrder) {
        if order == nextOrder {
            nextOrder = nil
            effects.append(.witness(journal.life))
        }
        // Sessions must not use places of the previous order.
        effects.append(.meetAnew)
    }

    /// Called when the store could not begin an order of arrival.
    package mutating func handleFailure(_ failure: StoreFailure, of order: ArrivalOrder, at now: Instant) {
        guard order == nextOrder else { return }
        effects.append(.warn("could not begin a new order of arrival: \(failure)"))
        orderTime = now + pauses.lowerBound
    }

    package mutating func handleDeadline(at now: Instant) {
        if let orderTime, orderTime <= now { beginOrder() }
        if let meetingTime, meetingTime <= now { meetAnew(at: now) }
    }

    /// Returns a life that begins later than all that was written or seen here.
    package mutating func newLife() -> Life {
        Life(after: journal.clock.latest, of: device, random: generator.next())
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    package var deadline: Instant? { Instant.earliest(orderTime, meetingTime) }

    // MARK: Steps

    /// Begins new sessions, in which devices that received the refused write send it back.
    ///
    /// While the disk refuses one write after the other, this would end each session as soon as it is open. So the
    /// pauses before new sessions grow.
    private mutating func meetAfterRefusal(at now: Instant) {
        guard meetingTime == nil else { return }
        if let end = meetingPauseEnd {
            guard end <= now else { return meetingTime = end }
            if now.since(end) >= pauses.upperBound { meetingPause.reset() }
        }
        meetAnew(at: now)
    }

    private mutating func meetAnew(at now: Instant) {
        effects.append(.meetAnew)
        (meetingPauseEnd, meetingTime) = (now + meetingPause.next(), nil)
    }

    private mutating func keep(
        _ transaction: StoreTransaction, isDurable: Bool, _ kept: Waiting
    ) -> Ticket {
        ticketCount += 1
        let ticket = Ticket(number: ticketCount)
        waiting[ticket] = kept
        if transaction.canBeToldAhead { effects.append(.tellAhead(transaction)) }
        effects.append(.keep(transaction, ticket, isDurable: isDurable || transaction.isAboutMembership))
        return ticket
    }

    /// Begins a new life, with which a new order of arrival is to begin: then machines that share an order share a
    /// life, too, and notice each other as soon as one of them writes.
    private mutating func beginLife() {
        journal.beginLife(newLife())
        journal.witness(journal.life.birth)
        effects.append(.begin(journal.life))
        nextOrder = ArrivalOrder.random(using: &generator)
    }

    private mutating func beginOrder() {
        orderTime = nil
        if let nextOrder { effects.append(.beginOrder(nextOrder)) }
    }
}

extension StoreTransaction {
    /// Whether the transaction says who belongs to the account, or what a device is called.
    ///
    /// Such writes are rare, and a person relies on them from the moment at which a command has answered.
    fileprivate var isAboutMembership: Bool {
        writes.contains(where: \.identity.kind.isSigned)
    }
}
