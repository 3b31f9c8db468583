package import BatonCore

/// A node's state in memory, by the contract of `AccountStore` and by the simplest means.
package final class InMemoryStore: AccountStore {
    /// Everything that is stored.
    ///
    /// A copy of it is a backup.
    package var state: State
    /// The places after which changes of the activities were read.
    package var readPlaces: [Arrival] = []
    /// The records behind which ranges were read.
    package var rangePlaces: [RecordIdentity?] = []
    /// The lanes whose sum was computed anew.
    package var countedLanes: [Lane] = []
    /// The lanes in which a group is open.
    private var grouping: Set<Lane> = []

    package init(_ state: State = State()) { self.state = state }

    /// The state of a store.
    package struct State: Equatable, Sendable {
        package var activities = InMemoryLane(.activities)
        package var index = InMemoryLane(.index)

        package init() {}

        /// The largest hybrid time that was ever stored here.
        var clock: HybridTime { max(activities.clock, index.clock) }

        /// All known reports.
        var reports: Reports {
            var reports = activities.reports
            reports.join(index.reports)
            return reports
        }

        package subscript(lane: Lane) -> InMemoryLane {
            get { lane == .activities ? activities : index }
            set { if lane == .activities { activities = newValue } else { index = newValue } }
        }

        /// Changes a lane in place, because changing a copy would copy everything that it holds.
        mutating func update<Result, Failure: Error>(
            _ lane: Lane, _ body: (inout InMemoryLane) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            switch lane {
            case .activities: try body(&activities)
            case .index: try body(&index)
            }
        }
    }

    // MARK: Transactions

    package func group(
        durably: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try group(Lane.allCases, body)
    }

    /// Runs the closure, and undoes its changes to those lanes if it fails.
    func group(_ lanes: [Lane], _ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        precondition(grouping.isDisjoint(with: lanes), "groups do not nest")
        let before = state
        grouping.formUnion(lanes)
        defer { grouping.subtract(lanes) }
        do {
            try body()
        } catch {
            for lane in lanes { state[lane] = before[lane] }
            throw error
        }
    }

    package func lane(_ lane: Lane) -> any LaneStore { InMemoryStoreLane(lane, of: self) }

    func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        if let refusal = refusal(of: transaction) {
            if let batch = transaction.batch { state.index.staged[batch.identifier] = nil }
            var commit = try commit(transaction.emptied)
            commit.refusal = refusal
            return commit
        }
        let staged =
            transaction.batch.flatMap { state.index.staged.removeValue(forKey: $0.identifier) } ?? []
        guard staged.count == transaction.batch?.count ?? 0 else {
            throw StoreFailure(.failed, "a batch does not have the staged changes that were expected")
        }
        var transaction = transaction
        if let mark = transaction.condition?.mark {
            let standing = notes(in: .batchMark)
            let own = standing.first { $0.name == mark.writer }
            transaction.notes += mark.notes(beside: own == nil ? standing : nil, replacing: own)
        }
        return try state.update(transaction.lane) { (lane) throws(StoreFailure) in
            try lane.commit(transaction, staged)
        }
    }

    // MARK: Queries

    /// Returns whether a group of a lane is open.
    func isGrouping(_ lane: Lane) -> Bool { grouping.contains(lane) }

    package func begin(_ order: ArrivalOrder) {
        for lane in Lane.allCases { state.update(lane) { $0.order = order } }
    }

    package func summary() -> StoreSummary { summary(for: nil) }

    package func summary(for peer: DeviceIdentifier?) -> StoreSummary {
        StoreSummary(
            complete: complete,
            settled: [.activities: state.activities.settled, .index: state.index.settled],
            heads: [.activities: state.activities.head, .index: state.index.head],
            clock: state.clock, order: state.activities.order, resume: peer.map(resume) ?? [:],
            dropped: dropped, reports: state.reports, snapshots: peer.map(snapshots) ?? [:])
    }

    /// The claims of both lanes.
    package var complete: VersionVector {
        var complete = state.activities.complete
        complete.join(state.index.complete)
        return complete
    }

    /// The largest hybrid time that was ever stored here.
    package var clock: HybridTime { state.clock }

    /// A vector that covers all collected tombstones.
    package var dropped: VersionVector {
        var dropped = state.activities.dropped
        dropped.join(state.index.dropped)
        return dropped
    }

    /// Returns the digest of the state at a time, if the store claims all of it and everything that it knows to be
    /// collected.
    func claimedState(at time: WallTime) -> StateDigest? {
        guard state.activities.holdsWhatItClaims, state.index.holdsWhatItClaims,
            max(state.activities.swept, state.index.swept) <= time
        else { return nil }
        var sum = state.activities.updatedSum(at: time)
        sum += state.index.updatedSum(at: time)
        return sum
    }

    private func resume(of peer: DeviceIdentifier) -> [Lane: ResumeToken] {
        var tokens: [Lane: ResumeToken] = [:]
        for lane in Lane.allCases { tokens[lane] = state[lane].resume[peer] }
        return tokens
    }

    private func snapshots(of peer: DeviceIdentifier) -> [Lane: SnapshotProgress] {
        var snapshots: [Lane: SnapshotProgress] = [:]
        for lane in Lane.allCases { snapshots[lane] = state[lane].snapshots[peer] }
        return snapshots
    }

    package func range(_ request: RangeRequest) -> RangeAnswer {
        rangePlaces.append(request.after)
        return state[request.lane].range(request)
    }

    // MARK: Garbage collection

    package func keep(_ reports: Reports) -> Reports {
        #if MISTAKES
            let kept =
                Faults.isPlanted(.tombstoneWithoutStability) ? reports : reports.within(complete)
        #else
            let kept = reports.within(complete)
        #endif
        for (device, vector) in kept.sorted {
            for lane in Lane.allCases {
                state.update(lane) { $0.reports.join(device, vector.restricted(to: lane), in: $0.lineage) }
            }
        }
        return state.reports
    }

    package func collect(_ request: CollectRequest) -> Int {
        var count = 0
        let shared = sharedLives
        for lane in Lane.allCases {
            #if MISTAKES
                if Faults.isPlanted(.tombstoneByAge) {
                    let age: UInt64 = 100 << 16
                    let latest = state.clock.value
                    state.update(lane) { $0.collect(before: HybridTime(value: latest - min(latest, age))) }
                }
            #endif
            guard
                let stable = state[lane].reports.stable(
                    among: request.roster, within: state[lane].complete, state[lane].lineage)
            else { continue }
            count += state.update(lane) { $0.collect(stable.without(shared), most: request.most - count) }
        }
        return count
    }

    /// Returns the latest stamp of everything that was garbage-collected in a lane.
    package func horizon(of lane: Lane) -> HybridTime { state[lane].horizon }

    /// The clears that a stored client state does not contain.
    package var unseenClears: Set<RecordIdentity> { Set(state.index.unseenClears) }

    package func forget(_ devices: Set<DeviceIdentifier>) -> Bool {
        for lane in Lane.allCases {
            state.update(lane) { lane in
                for device in devices { (lane.resume[device], lane.openStreams[device]) = (nil, nil) }
                lane.reports.forget(devices)
            }
        }
        return abandonSnapshots(of: devices)
    }

    package func abandonSnapshots(of devices: Set<DeviceIdentifier>) -> Bool {
        var givesUp = false
        for lane in Lane.allCases where state.update(lane, { $0.abandonSnapshots(of: devices) }) {
            givesUp = true
        }
        return givesUp
    }

    package func changes(_ request: ChangesRequest) -> ChangesAnswer {
        if request.lane == .activities { readPlaces.append(request.after) }
        return state[request.lane].changes(request)
    }

    package func strays(of devices: Set<DeviceIdentifier>, in lane: Lane) -> [Write] {
        state[lane].survivingWrites.filter { write in
            let isLost =
                !state[lane].complete.covers(write.dot) || sharedLives.contains(write.dot.origin.life)
            return isLost && devices.contains(where: write.dot.origin.life.isOf)
        }
    }

    /// The lives in which more than one machine wrote.
    var sharedLives: Set<Life> { Set(records(of: .sharedLife).compactMap(\.sharedLife)) }

    package func records(of kind: RecordKind) -> [Record] {
        state[kind.lane].records.values.filter { $0.identity.kind == kind && $0.isThere }
            .sorted { $0.identity < $1.identity }
    }

    package func record(_ identity: RecordIdentity) -> Record? {
        identity.kind.lane == .activities
            ? state.activities.records[identity] : state.index.records[identity]
    }

    package func shownState(of name: ClientStateName) -> ShownState? {
        state.index.shownStates[name.key.identity]
    }

    package func digest(at time: WallTime) -> StateDigest {
        var digest = state.activities.digest(at: time)
        digest += state.index.digest(at: time)
        return digest
    }

    /// Returns whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) -> Bool { state[write.dot.origin.lane].reflects(write) }

    package func quarantined() -> [QuarantinedWrite] {
        state.activities.quarantined.sorted + state.index.quarantined.sorted
    }

    package func notes(in space: NoteSpace) -> [LocalNote] {
        state[space.lane ?? .activities].notes.filter { $0.space == space }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    func lane(of lane: Lane) -> InMemoryLane { state[lane] }

    /// Replaces the stored record, which deletes those writes.
    func keep(_ record: Record, without gone: [Record.WriteName] = [], in lane: Lane) {
        state.update(lane) { state in
            state.keep(record, after: nil)
            for write in gone {
                state.dropped.cover(write.dot)
                state.horizon = max(state.horizon, write.stamp.time)
            }
        }
    }

    /// Notes that records that had expired at that time are swept.
    func noteSwept(_ time: WallTime, in lane: Lane) { state.update(lane) { $0.swept = max($0.swept, time) } }

    /// The surviving writes of both lanes.
    package var survivingWrites: [Write] { state.activities.survivingWrites + state.index.survivingWrites }

    /// Every record that has a surviving write, in the order of identities.
    package var allRecords: [Record] {
        (Array(state.activities.records.values) + state.index.records.values).sorted {
            $0.identity < $1.identity
        }
    }
}
