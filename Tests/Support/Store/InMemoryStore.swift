package import BatonCore

/// A node's state in memory, by the contract of `AccountStore` and by the plainest means.
package final class InMemoryStore: AccountStore {
    /// All that is kept.
    ///
    /// A copy of it is a backup.
    package var state: State
    /// After which places changes of the activities were read.
    package var readPlaces: [Arrival] = []
    /// Behind which records ranges were read.
    package var rangePlaces: [RecordIdentity?] = []
    private var isGrouping = false

    package init(_ state: State = State()) { self.state = state }

    /// What a store keeps.
    package struct State: Equatable, Sendable {
        fileprivate var activities = InMemoryLane(.activities)
        fileprivate var index = InMemoryLane(.index)
        fileprivate var clock = HybridTime.zero
        fileprivate var notes: [LocalNote] = []
        fileprivate var order = ArrivalOrder(high: 0, low: 0)
        fileprivate var reports = Reports()
        fileprivate var resume: [DeviceIdentifier: [Lane: ResumeToken]] = [:]

        package init() {}

        fileprivate subscript(lane: Lane) -> InMemoryLane {
            get { lane == .activities ? activities : index }
            set { if lane == .activities { activities = newValue } else { index = newValue } }
        }
    }

    // MARK: Transactions

    package func group(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        precondition(!isGrouping, "groups do not nest")
        let before = state
        isGrouping = true
        defer { isGrouping = false }
        do {
            try body()
        } catch {
            state = before
            throw error
        }
    }

    package func commit(_ transaction: StoreTransaction) -> StoreCommit {
        var clock = state.clock
        let changed = state[transaction.lane].commit(transaction, clock: &clock)
        state.clock = clock
        for note in transaction.notes { keep(note) }
        // The token of a range says where to go on once the snapshot is at its end.
        if let resume = transaction.resume, transaction.range?.through == nil {
            state.resume[resume.peer, default: [:]][transaction.lane] = resume.token
        }
        return StoreCommit(head: state[transaction.lane].head, clock: state.clock, changed: changed)
    }

    private func keep(_ note: LocalNote) {
        state.notes.removeAll { $0.space == note.space && $0.name == note.name }
        if note.value != nil { state.notes.append(note) }
    }

    // MARK: Queries

    package func begin(_ order: ArrivalOrder) { state.order = order }

    package func mark(of life: Life) -> JournalMark? {
        let lanes = Lane.allCases.map { ($0, state[$0]) }
        guard lanes.allSatisfy({ $0.1.complete.count < Limits.laneOrigins }) else { return nil }
        return JournalMark(
            life: life, order: state.order,
            sequences: Dictionary(
                uniqueKeysWithValues: lanes.map { ($0, $1.complete[Origin(life: life, lane: $0)]) }),
            heads: Dictionary(uniqueKeysWithValues: lanes.map { ($0, $1.head) }))
    }

    package func summary() -> StoreSummary { summary(for: nil) }

    package func summary(for peer: DeviceIdentifier?) -> StoreSummary {
        var complete = state.activities.complete
        complete.join(state.index.complete)
        return StoreSummary(
            complete: complete,
            settled: [.activities: state.activities.settled, .index: state.index.settled],
            heads: [.activities: state.activities.head, .index: state.index.head],
            clock: state.clock, order: state.order, resume: peer.flatMap { state.resume[$0] } ?? [:],
            dropped: dropped, reports: state.reports, snapshots: peer.map(snapshots) ?? [:])
    }

    private var dropped: VersionVector {
        var dropped = state.activities.dropped
        dropped.join(state.index.dropped)
        return dropped
    }

    private func snapshots(of peer: DeviceIdentifier) -> [Lane: SnapshotProgress] {
        var snapshots: [Lane: SnapshotProgress] = [:]
        for lane in Lane.allCases { snapshots[lane] = state[lane].snapshots[peer] }
        return snapshots
    }

    package func range(_ request: RangeRequest) -> RangeAnswer {
        rangePlaces.append(request.after)
        return state[request.lane].range(request, clock: state.clock)
    }

    // MARK: Letting go

    package func report(of own: DeviceIdentifier) -> Reports {
        precondition(!isGrouping, "a report stands by itself")
        state.reports.join(own, summary().complete)
        return state.reports
    }

    package func keep(_ reports: Reports) -> Reports {
        state.reports.join(reports)
        return state.reports
    }

    package func collect(_ request: CollectRequest) -> Int {
        var count = 0
        for lane in Lane.allCases {
            let reports = state.reports.restricted(to: lane)
            guard let stable = reports.stable(among: request.roster, within: state[lane].complete) else {
                continue
            }
            count += state[lane].collect(stable, most: request.most - count)
        }
        return count
    }

    package func changes(_ request: ChangesRequest) -> ChangesAnswer {
        if request.lane == .activities { readPlaces.append(request.after) }
        return state[request.lane].changes(request)
    }

    package func records(of kind: RecordKind) -> [Record] {
        allRecords.filter { $0.identity.kind == kind && $0.isThere }
    }

    package func record(_ identity: RecordIdentity) -> Record? {
        state.activities.records[identity] ?? state.index.records[identity]
    }

    package func digest(at time: WallTime) -> StateDigest {
        var digest = state.activities.digest(at: time)
        digest += state.index.digest(at: time)
        return digest
    }

    /// Whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) -> Bool { state[write.dot.origin.lane].reflects(write) }

    package func notes(in space: NoteSpace) -> [LocalNote] {
        state.notes.filter { $0.space == space }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// What stands in both lanes.
    package var survivingWrites: [Write] { state.activities.survivingWrites + state.index.survivingWrites }

    /// Every record of which there is a trace, in the order of identities.
    package var allRecords: [Record] {
        (Array(state.activities.records.values) + state.index.records.values).sorted {
            $0.identity < $1.identity
        }
    }
}
