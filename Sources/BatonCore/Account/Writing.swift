/// Gives each write of this device its dot and stamp, and has the write sent to other devices and stored.
///
/// `Writing` is a part of `Account`. The writes of one life are one sequence. If a write is not stored, no later write
/// of the sequence may be stored in the same lane. A later write would claim the missing write, too, which other
/// devices may have received. So the life ends there, and later writes belong to a new life.
///
/// No stamp is earlier than the birth of its life, whatever the wall clock shows. The next life of the device begins
/// later than all stamps, so it has the larger name.
package struct Writing: Sendable {
    /// Gives each write its dot and its stamp.
    package private(set) var journal: Journal
    private let device: DeviceIdentifier
    private let pauses: ClosedRange<Duration>
    private var generator: any RandomNumberGenerator & Sendable
    private var effects: [Effect] = []
    /// The transactions that the store has not answered yet.
    private var waiting: [Ticket: Waiting] = [:]
    private var ticketCount: UInt64 = 0
    /// The order of arrival that the store is to begin; nil if the store has begun the latest one.
    private var nextOrder: ArrivalOrder?
    /// The time at which to ask the store to begin `nextOrder`; nil if the store was asked already, or if there is no
    /// such order.
    private var orderTime: Instant?
    /// The growing pauses between new sessions while the disk refuses one write after the other.
    private var meetingPause: Backoff
    /// The end of the pause after the last new sessions, and the time at which the next new sessions are due.
    ///
    /// `meetingTime` is nil if no new sessions are due.
    private var (meetingPauseEnd, meetingTime): (Instant?, Instant?)

    /// Identifies a transaction until the store has answered.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Waiting {
        let life: Life
        /// The number of strays that the transaction adopts.
        var adoptedCount = 0
    }

    package enum Effect: Equatable, Sendable {
        /// Send a transaction to connected devices before the disk has stored it, so that nobody waits for the disk.
        ///
        /// The witness must note the transaction before it is sent. Otherwise, if this process ended before the
        /// transaction is stored, the next process would not know that it must begin a new life.
        indirect case tellAhead(StoreTransaction)
        /// Store a transaction, in the sequence of the present life.
        ///
        /// If `isDurable` is true, success may be reported only when the transaction would survive a loss of power.
        indirect case keep(StoreTransaction, Ticket, isDurable: Bool)
        /// A new life has begun, and the witness is to forget the previous life.
        ///
        /// The witness notes the new life only after its order of arrival has begun. If the process ends in between,
        /// the next process must continue neither life.
        case begin(Life)
        /// From now on, have the witness note how far this life has come.
        case witness(Life)
        /// Ask the store to begin another order of arrival.
        case beginOrder(ArrivalOrder)
        /// End all sessions, and begin new sessions.
        case meetAnew
        /// The disk refused a write.
        ///
        /// The log reports refusals as a count, not with one line for each refusal.
        case refused(StoreFailure)
        /// Write a line into the log.
        case tell(String)
        /// Write a line about a fault into the log.
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

    /// Gives a transaction its dots and stamps, and has it sent and stored; returns nil if its content exceeds the
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
    /// After a new order of arrival, interrupted transfers can't resume. So the new order begins only after the disk
    /// has refused no write for a while, however often the disk failed before.
    package mutating func handleFailure(_ failure: StoreFailure, of ticket: Ticket, at now: Instant) {
        let endsLife = waiting.removeValue(forKey: ticket)?.life == journal.life
        // No vector may cover later writes of this life, because it would also cover the write that was not stored.
        if endsLife { beginLife() }
        if endsLife || orderTime != nil { orderTime = now + pauses.upperBound }
        meetAfterRefusal(at: now)
        effects.append(.refused(failure))
    }

    /// Notes a time that the store or a peer has shown; all later writes of this device get later times.
    package mutating func witness(_ time: HybridTime) { journal.witness(time) }

    /// Adopts strays by giving them new dots in the present life.
    ///
    /// Strays are writes that their authors lost and that nobody can claim.
    package mutating func adopt(_ strays: [Write], in lane: Lane) {
        guard let latest = strays.map(\.dot.origin.life).max() else { return }
        if latest >= journal.life {
            // If clocks may not follow the birth of this life, no clock has named the life. Its strays are not adopted.
            guard journal.clock.latest.following(latest.birth) >= latest.birth else { return }
            journal.witness(latest.birth)
            beginLife()
            beginOrder()
        }
        guard let transaction = journal.adoption(of: strays, in: lane) else { return }
        let waiting = Waiting(life: journal.life, adoptedCount: transaction.writes.count)
        _ = keep(transaction, isDurable: false, waiting)
    }

    /// Begins another life and new sessions with all devices, because the store gave up its claims.
    package mutating func beginAnew() {
        beginLife()
        beginOrder()
        effects.append(.meetAnew)
    }

    /// Gives up a life in which another machine also writes, as clones of one disk do.
    ///
    /// Later writes belong to a life that only this machine has.
    ///
    /// The other machine also shares the order of arrival, but has other writes at the same places. So the store begins
    /// a new order first. All sessions begin anew after that.
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
        // The present sessions use places of the previous order, so they must end.
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

    /// Returns a life that begins later than every write that was made or seen here.
    package mutating func newLife() -> Life {
        Life(after: journal.clock.latest, of: device, random: generator.next())
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    package var deadline: Instant? { Instant.earliest(orderTime, meetingTime) }

    // MARK: Steps

    /// Begins new sessions, in which a device that received the refused write sends it back.
    ///
    /// While the disk refuses one write after the other, each refusal would end a session as soon as it is open. So the
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

    /// Begins a new life, and chooses the new order of arrival that is to begin with it.
    ///
    /// As a result, two machines that share an order also share a life. They notice each other as soon as one of them
    /// writes.
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
    /// Such writes are rare. When the command has answered, the person relies on them, so they must be durable.
    fileprivate var isAboutMembership: Bool {
        writes.contains(where: \.identity.kind.isSigned)
    }
}
