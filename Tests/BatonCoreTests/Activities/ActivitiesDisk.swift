import BatonCore
import Support

/// A node's stored activities, and what others can see of them, for `CurrentActivities` to drive.
struct ActivitiesDisk {
    let device: DeviceIdentifier
    private(set) var records: [RecordIdentity: Record] = [:]
    private(set) var notes: [[UInt8]: LocalNote] = [:]
    /// The claims here; nil in the middle of a snapshot.
    private(set) var complete: VersionVector? = VersionVector()
    private(set) var journal = Journal(life: Life(high: 1, low: 1), latest: .zero, signer: signer)
    /// Names what others write, or bring back of what this device wrote in an earlier life.
    private var others = Journal(life: Life(high: 1, low: 2), latest: .zero, signer: signer)
    /// Names what a member makes up.
    private var forger = Journal(life: Life(high: 1, low: 3), latest: .zero)
    /// The number of times that everything was written anew.
    private var renewals: UInt64 = 0

    /// The signer of this device.
    static let signer = PlainSigner(1)

    init(_ device: DeviceIdentifier) { self.device = device }

    /// Stores a transaction of this device; returns the records as they are now, and those in which it does not count.
    mutating func keep(
        _ transaction: CurrentActivities.Transaction, at now: WallTime
    ) throws -> (changed: [Record], outranked: [RecordIdentity]) {
        for note in transaction.notes { notes[note.name] = note.value == nil ? nil : note }
        guard !transaction.drafts.isEmpty else { return ([], []) }
        let named = try unwrapped(journal.transaction(.activities, transaction.drafts, now: now))
        complete?.join(named.completing)
        let outranked = named.newWrites.filter { $0.isOutranked(by: records[$0.identity], clearedAt: nil) }
        return (merge(named), outranked.map(\.identity))
    }

    /// Takes a write of another device that has seen everything here; the write is claimed here at once or later.
    mutating func takeFromOthers(
        _ drafts: [Journal.Draft], isClaimed: Bool, at now: WallTime
    ) throws -> [Record] {
        others.witness(journal.clock.latest)
        let named = try unwrapped(others.transaction(.activities, drafts, now: now))
        if isClaimed { complete?.join(named.completing) }
        journal.witness(others.clock.latest)
        return merge(named)
    }

    /// Makes up a write of a member, in the name of this device, that is later than all others.
    mutating func forged(
        _ action: Write.Action, of name: ActivityName, at now: WallTime
    ) throws -> StoreTransaction {
        forger.witness(journal.clock.latest)
        return try unwrapped(
            forger.transaction(.activities, [Journal.Draft(action, name.key)], now: now))
    }

    /// Takes what a member made up, with notes of this device.
    mutating func take(_ forged: StoreTransaction, with kept: [LocalNote] = []) -> [Record] {
        for note in kept { notes[note.name] = note }
        complete?.join(forged.completing)
        journal.witness(forger.clock.latest)
        return merge(forged)
    }

    /// Takes a write that a member made up: counters in the record, which no write of this device ends.
    mutating func takeForgedCounter(of name: ActivityName, at now: WallTime) throws -> [Record] {
        forger.witness(journal.clock.latest)
        let fields = Fields { $0.field(2) { $0.text("counted") } }
        let draft = Journal.Draft(counting: Write.Content(fields: fields), name.key)
        var named = try unwrapped(forger.transaction(.activities, [draft], now: now))
        named.writes = named.writes.map {
            Write(
                dot: $0.dot, key: name.key, stamp: $0.stamp,
                action: .count(
                    begun: Stamp(time: .largest, life: $0.stamp.life), Write.Content(fields: fields)))
        }
        complete?.join(named.completing)
        return merge(named)
    }

    /// Writes all records anew, as a device does that takes a snapshot.
    mutating func renew() throws {
        renewals += 1
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.renewingLife = Life(high: 2, low: renewals)
        transaction.renewingSigner = StoreTransaction.Signer(Self.signer)
        guard var renewal = transaction.renewal(after: clock) else {
            throw StoreFailure(.failed, "nothing may be renewed")
        }
        for record in records.values.sorted(by: { $0.identity < $1.identity }) {
            transaction.writes += renewal.renew(record) { _ in true }
        }
        journal.witness(renewal.clock)
        _ = merge(transaction)
    }

    /// Takes a write of a faulty or hostile member with the largest time, which no clock follows.
    mutating func takeStrange(_ draft: Journal.Draft, at now: WallTime) throws -> [Record] {
        var named = try unwrapped(others.transaction(.activities, [draft], now: now))
        named.writes = named.writes.map {
            Write(
                dot: $0.dot, key: draft.key, stamp: Stamp(time: .largest, life: $0.stamp.life),
                action: $0.action)
        }
        complete?.join(named.completing)
        return merge(named)
    }

    /// Begins a snapshot with a range that lacks the record, of which no write is left.
    mutating func beginSnapshot(without identity: RecordIdentity) -> [Record] {
        (records[identity], complete) = (nil, nil)
        return [Record(identity)]
    }

    /// Ends the snapshot.
    mutating func endSnapshot() { complete = VersionVector() }

    private func unwrapped(_ transaction: StoreTransaction?) throws -> StoreTransaction {
        guard let transaction else { throw StoreFailure(.failed, "a draft is beyond limits") }
        return transaction
    }

    private mutating func merge(_ transaction: StoreTransaction) -> [Record] {
        transaction.writes.map { write in
            var record = records[write.identity] ?? Record(write.identity)
            _ = record.merge(write)
            records[write.identity] = record
            return record
        }
    }

    // MARK: Queries

    /// Returns the incarnation of an activity's record.
    func incarnation(of name: ActivityName) -> Stamp? { records[name.key.identity]?.incarnation }

    /// The largest time that was given out or followed here.
    var clock: HybridTime { journal.clock.latest }

    /// Returns the activity as others see it.
    func seen(_ name: ActivityName) -> Activity? { records[name.key.identity]?.activity?.activity }

    /// Returns the activity that a node finds when it starts.
    func own(_ name: ActivityName) -> Activity? {
        notes[name.key.name].flatMap { OwnActivityNote.read($0)?.1.activity } ?? seen(name)
    }

    func saved(_ name: SavedActivityName) -> Activity? { records[name.key.identity]?.savedActivity }

    var saved: [Activity] { records.values.compactMap(\.savedActivity) }

    /// Opens a node with everything that it reads when it starts.
    func open(
        _ machine: inout CurrentActivities, isPrivate: Bool, withheld: Set<String> = [],
        at now: Clocks
    ) {
        machine.load(
            Array(records.values), notes: Array(notes.values),
            taken: TakenActivities(records.values, of: device), isPrivate: isPrivate,
            kept: KeptActivities(Array(notes.values)), withheld: withheld, clock: clock, at: now)
    }
}
