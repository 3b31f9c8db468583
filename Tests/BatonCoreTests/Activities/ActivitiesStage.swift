import BatonCore
import Testing

/// Drives `CurrentActivities` over a disk in memory, as a node does, and checks the invariants.
struct ActivitiesStage {
    typealias Machine = CurrentActivities
    static let device = DeviceIdentifier(high: 1, low: 1)
    static let other = DeviceIdentifier(high: 1, low: 2)
    static let retryPause = Duration.seconds(1)...Duration.seconds(30)

    /// The pace at which changes may go out.
    let pace: PublishingPace
    private(set) var machine: Machine
    var disk = ActivitiesDisk(device)
    private(set) var isPrivate = false
    private(set) var withheld: Set<String> = []
    private(set) var now = Clocks(
        wall: WallTime(milliseconds: 1_700_000_000_000), steady: Instant(nanoseconds: 1_000_000_000))
    /// The transactions that the disk has not answered.
    private(set) var underWay: [Machine.Transaction] = []
    /// The answers by ticket.
    private(set) var answers: [(ticket: UInt64, failure: StoreFailure?)] = []
    private(set) var endings: [(name: ActivityName, ending: Machine.Ending)] = []
    private(set) var moves: [(from: ActivityName, to: ActivityName)] = []
    /// Whether the stored activities are withheld from other devices.
    private(set) var isWithdrawing = false
    /// The times at which each activity's record was written.
    private(set) var publications: [ActivityName: [Instant]] = [:]
    private var lastTicket: UInt64 = 0
    /// Whether the process is about to end, so that nothing waits for its time any more.
    private var isStopping = false

    init(finishedDays: Int64 = 30, publishedAtOnce: Int = 1) {
        var limits = Limits()
        limits.publishedAtOnce = publishedAtOnce
        pace = PublishingPace(limits)
        machine = Self.machine(pace, finishedDays)
    }

    private static func machine(_ pace: PublishingPace, _ finishedDays: Int64) -> Machine {
        Machine(
            of: device, signer: ActivitiesDisk.signer, pace: pace, retryPause: retryPause,
            finishedDays: finishedDays)
    }

    static func name(_ number: Int) -> ActivityName {
        ActivityName(device: device, app: "org.example", instance: "\(number)")
    }

    /// The process ends, and another one opens what is on the disk.
    mutating func crash() {
        let days = machine.finishedDays
        (machine, underWay) = (Self.machine(pace, days), [])
        (isStopping, isWithdrawing) = (false, false)
        // The next process knows nothing of the pace of the one before.
        publications = [:]
        disk.open(&machine, isPrivate: isPrivate, withheld: withheld, at: now)
        drain()
    }

    mutating func pass(_ duration: Duration) {
        now = Clocks(wall: now.wall.advanced(by: duration), steady: now.steady + duration)
        if let deadline = machine.deadline, deadline <= now.steady {
            machine.handleDeadline(at: now)
            drain()
        }
    }

    /// Announces that the process will end.
    mutating func stop() {
        isStopping = true
        happen { $0.handleStop(at: $1) }
    }

    /// Does something at an app's request; returns its ticket.
    @discardableResult
    mutating func ask(_ body: (inout Machine, UInt64, Clocks) -> Void) -> UInt64 {
        lastTicket += 1
        body(&machine, lastTicket, now)
        drain()
        return lastTicket
    }

    mutating func happen(_ body: (inout Machine, Clocks) -> Void) {
        body(&machine, now)
        drain()
    }

    mutating func set(isPrivate: Bool) {
        self.isPrivate = isPrivate
        happen { $0.handlePrivacy(isPrivate, at: $1) }
    }

    mutating func set(withheld: Set<String>) {
        self.withheld = withheld
        happen { $0.handleWithheld(withheld, at: $1) }
    }

    /// The disk stores its oldest transaction, or fails to; the closure says what else happens before it answers.
    mutating func work(
        _ failure: StoreFailure? = nil, before answer: (inout Self) throws -> Void = { _ in }
    ) throws {
        guard !underWay.isEmpty else { return }
        let transaction = underWay.removeFirst()
        if failure == nil {
            let (changed, outranked) = try disk.keep(transaction, at: now.wall)
            machine.handleRecords(
                changed, complete: disk.complete, outranked: outranked, clock: disk.clock, at: now)
        }
        try answer(&self)
        machine.handleKept(transaction.name, failure, at: now)
        drain()
    }

    mutating func workAll() throws { while !underWay.isEmpty { try work() } }

    /// Another device writes.
    mutating func others(_ drafts: [Journal.Draft], isClaimed: Bool = true) throws {
        let changed = try disk.takeFromOthers(drafts, isClaimed: isClaimed, at: now.wall)
        take(changed)
    }

    /// Writes of a member that are on their way to the disk, with the notes that go with them.
    struct Arriving {
        let forged: StoreTransaction
        let kept: Machine.Arriving
    }

    /// A member makes up the record of an activity of this device; the closure says what happens once it is on the disk.
    mutating func forge(
        _ action: Write.Action, of name: ActivityName, isKept: Bool = true,
        then: ((inout Self) -> Void)? = nil
    ) throws {
        let arriving = try announceForged(action, of: name)
        if isKept { return arrive(arriving, then: then) }
        happen { $0.handleArrived(arriving.kept, isKept: false, at: $1) }
    }

    /// A record that a member made up is about to be stored.
    mutating func announceForged(_ action: Write.Action, of name: ActivityName) throws -> Arriving {
        let forged = try disk.forged(action, of: name, at: now.wall)
        return Arriving(forged: forged, kept: machine.handleArriving(forged.writes))
    }

    /// The disk takes what a member made up; the closure says what happens in place of the disk's answer.
    mutating func arrive(_ arriving: Arriving, then: ((inout Self) -> Void)? = nil) {
        let changed = disk.take(arriving.forged, with: arriving.kept.notes)
        if let then { return then(&self) }
        happen { $0.handleArrived(arriving.kept, isKept: true, at: $1) }
        take(changed)
    }

    /// A member counts in the record of an activity of this device.
    mutating func forgeCounter(of name: ActivityName) throws {
        take(try disk.takeForgedCounter(of: name, at: now.wall))
    }

    /// A member writes with a time that no clock shows.
    mutating func plant(_ draft: Journal.Draft) throws { take(try disk.takeStrange(draft, at: now.wall)) }

    /// The disk took records from others.
    mutating func take(_ changed: [Record]) {
        let (complete, clock) = (disk.complete, disk.clock)
        happen { $0.handleRecords(changed, complete: complete, outranked: [], clock: clock, at: $1) }
    }

    /// Lets everything come to rest.
    mutating func settle() throws {
        for _ in 0..<20 {
            try workAll()
            pass(Self.retryPause.upperBound)
        }
        try workAll()
    }

    private mutating func drain() {
        while let effect = machine.nextEffect() {
            switch effect {
            case .store(let transaction):
                watch(transaction)
                underWay.append(transaction)
            case .answer(let ticket, let failure): answers.append((ticket, failure))
            case .ending(let name, let ending): endings.append((name, ending))
            case .move(let from, let to): moves.append((from, to))
            case .changed, .stored: break
            case .withdrawing: Issue.record("it comes after the others")
            }
        }
        if case .withdrawing(let isWithdrawing)? = machine.nextWithdrawing() {
            #expect(self.isWithdrawing != isWithdrawing)
            self.isWithdrawing = isWithdrawing
        }
    }

    /// Checks the invariants of every transaction that goes to the disk.
    private mutating func watch(_ transaction: Machine.Transaction) {
        let name = transaction.name
        #expect(!underWay.contains { $0.name == name }, "one at a time")
        #expect(!(transaction.drafts.isEmpty && transaction.notes.isEmpty))
        #expect(Set(machine.all.map(\.name.first)).count == machine.all.count, "an instance has one activity")
        for draft in transaction.drafts where !draft.isDeletion {
            #expect(!isPrivate && !withheld.contains(name.app), "nothing leaves")
            guard draft.key == name.key else { continue }
            #expect(machine[name]?.activity.eligibility.contains(.handoff) == true)
            #expect(machine[name]?.isResigned == false)
            publications[name, default: []].append(now.steady)
            if !isStopping { expectPace(of: publications[name, default: []]) }
        }
    }
}

extension ActivitiesStage {
    /// Checks that in any time up to now no more changes went out than the burst, and one for each pause.
    private func expectPace(of publications: [Instant]) {
        for (number, earlier) in publications.reversed().enumerated() {
            #expect(pace.pause * (number + 1 - pace.atOnce) <= now.steady.since(earlier))
        }
    }
}

extension Journal.Draft {
    fileprivate var isDeletion: Bool { self == Journal.Draft(.deletion, key) }
}
