import BatonCore
import Support

/// What a node keeps of its activities, and what others can see of it, for `CurrentActivities` to drive.
struct ActivitiesDisk {
    let device: DeviceIdentifier
    private(set) var records: [RecordIdentity: Record] = [:]
    private(set) var notes: [[UInt8]: LocalNote] = [:]
    private(set) var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
    private var others = Journal(life: Life(high: 1, low: 2), latest: .zero)

    init(_ device: DeviceIdentifier) { self.device = device }

    /// Keeps a transaction of this device; answers with the records as they are now.
    mutating func keep(
        _ transaction: CurrentActivities.Transaction, at now: WallTime
    ) throws -> [Record] {
        for note in transaction.notes { notes[note.name] = note.value == nil ? nil : note }
        guard !transaction.drafts.isEmpty else { return [] }
        let named = journal.transaction(.activities, transaction.drafts, now: now)
        return try merge(try unwrapped(named))
    }

    /// What another device writes, which has seen all that is here.
    mutating func takeFromOthers(_ drafts: [Journal.Draft], at now: WallTime) throws -> [Record] {
        others.witness(journal.clock.latest)
        let changed = try merge(try unwrapped(others.transaction(.activities, drafts, now: now)))
        journal.witness(others.clock.latest)
        return changed
    }

    private func unwrapped(_ transaction: StoreTransaction?) throws -> StoreTransaction {
        guard let transaction else { throw StoreFailure(.failed, "a draft is beyond limits") }
        return transaction
    }

    private mutating func merge(_ transaction: StoreTransaction) throws -> [Record] {
        transaction.writes.map { write in
            var record = records[write.identity] ?? Record(write.identity)
            _ = record.merge(write)
            records[write.identity] = record
            return record
        }
    }

    // MARK: Queries

    /// What others see of an activity.
    func seen(_ name: ActivityName) -> Activity? { records[name.key.identity]?.activity?.activity }

    /// The activity that a node finds when it starts.
    func own(_ name: ActivityName) -> Activity? {
        notes[name.key.name].flatMap { OwnActivityNote.read($0)?.1.activity } ?? seen(name)
    }

    func saved(_ name: SavedActivityName) -> Activity? { records[name.key.identity]?.savedActivity }

    var saved: [Activity] { records.values.compactMap(\.savedActivity) }

    /// What a node reads when it starts.
    func open(_ machine: inout CurrentActivities, isPrivate: Bool, at now: CurrentActivities.Moment) {
        machine.load(
            Array(records.values), notes: Array(notes.values),
            taken: TakenActivities(records.values, of: device), isPrivate: isPrivate, at: now)
    }
}
