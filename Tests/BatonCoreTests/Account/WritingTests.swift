import BatonCore
import Support
import Testing

@Suite("Writing own changes to the store") struct WritingTests {
    private static let device = DeviceIdentifier(high: 7, low: 1)
    private static let now = Instant(nanoseconds: 0)
    private static let wall = WallTime(milliseconds: 1_700_000_000_000)
    private static let failure = StoreFailure(.full, "the disk is full")

    private let limits = Limits()
    private var writing: Writing

    init() {
        let journal = Journal(life: Life(after: .zero, of: Self.device, random: 1), latest: .zero)
        writing = Writing(
            of: Self.device, in: journal, limits: limits, drawingFrom: SeededGenerator(seed: 1))
    }

    private var life: Life { writing.journal.life }

    private mutating func effects() -> [Writing.Effect] {
        var effects: [Writing.Effect] = []
        while let effect = writing.nextEffect() { effects.append(effect) }
        return effects
    }

    /// Writes an activity of this device, at a time that a clock shows.
    private mutating func write(_ title: String, at wall: WallTime = Self.wall) throws -> Writing.Ticket {
        var activity = Activity(type: "org.example.editing", started: wall)
        activity.title = title
        let name = ActivityName(device: Self.device, app: "org.example", instance: "1")
        let draft = Journal.Draft(.full(activity.content), name.key)
        return try #require(writing.write { $0.transaction(.activities, [draft], now: wall) })
    }

    /// Returns the transactions that are to be stored.
    private func kept(_ effects: [Writing.Effect]) -> [StoreTransaction] {
        effects.compactMap { if case .keep(let transaction, _, _) = $0 { transaction } else { nil } }
    }

    @Test mutating func `sends a write before storing it, except the first write of a life`() throws {
        let first = try write("first")
        let begun = effects()
        #expect(begun == [.keep(try #require(kept(begun).first), first, isDurable: false)])
        let second = try write("second")
        let told = effects()
        let transaction = try #require(kept(told).first)
        #expect(told == [.tellAhead(transaction), .keep(transaction, second, isDurable: false)])
        writing.handleKept(first)
        #expect(effects() == [])
    }

    @Test
    mutating func `begins one new life for several failed writes, and new sessions after a pause`() throws {
        let (before, first, second) = (life, try write("first"), try write("second"))
        _ = effects()
        writing.handleFailure(Self.failure, of: first, at: Self.now)
        let after = life
        #expect(after > before)
        #expect(
            effects() == [
                .begin(after), .meetAnew, .refused(Self.failure),
            ])
        // It came behind the first in the same life, which has ended.
        writing.handleFailure(Self.failure, of: second, at: Self.now)
        #expect(effects() == [.refused(Self.failure)])
        #expect(life == after)
        writing.handleDeadline(at: Self.now + limits.retryPause.lowerBound)
        #expect(effects() == [.meetAnew])
        _ = try write("third")
        #expect(kept(effects()).first?.writes.first?.dot.origin.life == after)
    }

    @Test
    mutating func `begins new sessions ever more rarely while the disk refuses every write`()
        throws
    {
        var count = 0
        for step in 0..<2000 {
            let now = Self.now + .milliseconds(100) * step
            writing.handleDeadline(at: now)
            writing.handleFailure(Self.failure, of: try write("page"), at: now)
            count += effects().count { $0 == .meetAnew }
        }
        #expect(count >= 5 && count <= 15, "\(count) times in 200 seconds")
    }

    /// The clock of the machine is years behind, so that all times come from received writes.
    @Test mutating func `begins every life later than the previous one, whatever the clock shows`() throws {
        let behind = WallTime(milliseconds: 0)
        for _ in 0..<200 {
            let (before, ticket) = (life, try write("page", at: behind))
            writing.handleFailure(Self.failure, of: ticket, at: Self.now)
            #expect(life > before)
        }
    }

    @Test mutating func `gives up a life and its order of arrival if another machine writes in the life`()
        throws
    {
        let taken = life
        writing.giveUp(taken, at: Self.wall)
        let effects = effects()
        guard case .begin(life)? = effects.first, case .beginOrder(let order)? = effects.dropFirst().first
        else {
            Issue.record("neither another life nor another order is begun: \(effects)")
            return
        }
        #expect(kept(effects).first?.writes.first?.key == SharedLife(taken).key)
        #expect(effects.count == 3, "the witness is not told of the life before the order has begun")
        writing.handleBegun(order)
        #expect(self.effects() == [.witness(life), .meetAnew])
        // The life is given up once.
        writing.giveUp(taken, at: Self.wall)
        #expect(self.effects() == [])
    }

    @Test
    mutating func
        `retries to begin an order of arrival, and witnesses the new life only after the order has begun`()
        throws
    {
        writing.giveUp(life, at: Self.wall)
        guard case .beginOrder(let order)? = effects().dropFirst().first else {
            Issue.record("no order is begun")
            return
        }
        writing.handleFailure(Self.failure, of: order, at: Self.now)
        #expect(effects() == [.warn("could not begin a new order of arrival: the disk is full")])
        let deadline = try #require(writing.deadline)
        #expect(deadline == Self.now + limits.retryPause.lowerBound)
        writing.handleDeadline(at: deadline)
        #expect(effects() == [.beginOrder(order)] && writing.deadline == nil)
        writing.handleBegun(order)
        #expect(effects() == [.witness(life), .meetAnew])
    }

    /// In a new order, peers begin anew what they were being sent.
    @Test
    mutating func
        `after repeated failures, begins one order of arrival when the disk has not failed for a while`()
        throws
    {
        let (pause, tries) = (limits.retryPause.upperBound, 5)
        for count in 0..<tries {
            let now = Self.now + pause * count
            let ticket = try write("page")
            writing.handleFailure(Self.failure, of: ticket, at: now)
            #expect(writing.deadline == now + pause)
            writing.handleDeadline(at: now + (pause - .milliseconds(1)))
        }
        let early = effects().contains {
            switch $0 {
            case .beginOrder, .witness: true
            default: false
            }
        }
        #expect(!early, "no order is begun, and no life noted, while the disk fails")
        writing.handleDeadline(at: Self.now + pause * tries)
        guard case .beginOrder(let order)? = effects().first else {
            Issue.record("no order is begun")
            return
        }
        writing.handleBegun(order)
        #expect(effects() == [.witness(life), .meetAnew] && writing.deadline == nil)
    }

    @Test mutating func `ends sessions that began in an order of arrival that has been replaced`()
        throws
    {
        writing.giveUp(life, at: Self.wall)
        guard case .beginOrder(let first)? = effects().dropFirst().first else {
            Issue.record("no order is begun")
            return
        }
        let ticket = try write("page")
        writing.handleFailure(Self.failure, of: ticket, at: Self.now)
        _ = effects()
        writing.handleBegun(first)
        #expect(effects() == [.meetAnew], "the witness waits for the order of the present life")
        #expect(writing.deadline == Self.now + limits.retryPause.upperBound)
    }

    @Test
    mutating func `adopts lost writes in a new life, and reports them once they are stored`()
        throws
    {
        _ = try write("page")
        let lost = try #require(kept(effects()).first?.writes)
        writing.adopt(lost, in: .activities)
        let effects = effects()
        let transaction = try #require(kept(effects).first)
        #expect(effects.first == .begin(life))
        #expect(transaction.writes.map(\.stamp) == lost.map(\.stamp))
        #expect(transaction.writes.allSatisfy { $0.dot.origin.life == life })
        let ticket = effects.compactMap { if case .keep(_, let ticket, _) = $0 { ticket } else { nil } }.first
        writing.handleKept(try #require(ticket))
        #expect(
            self.effects() == [
                .tell("adopted 1 changes that would have been lost, because no other device can pass them on")
            ])
        writing.adopt([], in: .activities)
        #expect(self.effects() == [])
    }
}
