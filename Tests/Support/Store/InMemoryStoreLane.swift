package import BatonCore

/// One lane of an `InMemoryStore`, for callers that have only that lane.
package final class InMemoryStoreLane: LaneStore {
    private let store: InMemoryStore
    package let lane: Lane

    init(_ lane: Lane, of store: InMemoryStore) { (self.lane, self.store) = (lane, store) }

    package func group(
        durably: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try store.group([lane], body)
    }

    package func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        demandOwn(transaction.lane)
        return try store.commit(transaction)
    }

    package func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) {
        demandOwn(.index)
        store.state.index.staged[batch, default: []] += drafts
    }

    package func discard(_ batch: BatchIdentifier) {
        demandOwn(.index)
        store.state.index.staged[batch] = nil
    }

    package func settle(most: Int) -> StoreCommit? { nil }

    package func unsettled() -> Unsettled { Unsettled() }

    package func sweep(_ request: SweepRequest) -> SweepStep? {
        if let place = request.after { demandOwn(place.lane) }
        return store.sweep(lane, request)
    }

    package func report(of own: DeviceIdentifier, having known: VersionVector) {
        precondition(store.isGrouping(lane), "a report is kept with all that it says is kept")
        store.state.update(lane) { $0.reports.join(own, known.meet($0.complete), in: $0.lineage) }
    }

    package func recount(at time: WallTime) -> LaneSums { store.recount(lane, at: time) }

    // MARK: Queries

    package func mark(of life: Life) -> LaneMark? {
        let state = store.state[lane]
        guard state.complete.count < Limits.laneOrigins, !state.abandoned.contains(life) else { return nil }
        return LaneMark(
            lane: lane, life: life, order: state.order,
            sequence: state.complete[Origin(life: life, lane: lane)], head: state.head)
    }

    package func changes(_ request: ChangesRequest) -> ChangesAnswer {
        demandOwn(request.lane)
        return store.changes(request)
    }

    package func range(_ request: RangeRequest) -> RangeAnswer {
        demandOwn(request.lane)
        return store.range(request)
    }

    package func part(_ request: PartRequest) -> RecordPart {
        demandOwn(request.lane)
        return store.part(request)
    }

    package func records(
        of kind: RecordKind, besides space: NoteSpace?, where isWanted: (Record) -> Bool
    ) -> [Record] {
        demandOwn(kind.lane)
        let names = Set((space.map(store.notes) ?? []).map(\.name))
        return store.records(of: kind).filter { !names.contains($0.identity.hash.bytes) && isWanted($0) }
    }

    package func record(_ identity: RecordIdentity) -> Record? {
        demandOwn(identity.kind.lane)
        return store.record(identity)
    }

    package func visitActivities(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        demandOwn(.activities)
        for entry in store.activities(query, at: now) { guard try body(entry) else { return } }
    }

    package func visitActivityTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        demandOwn(.activities)
        for total in store.activityTotals(at: now) { try body(total) }
    }

    package func shownState(of name: ClientStateName) -> ShownState? {
        demandOwn(.index)
        return store.shownState(of: name)
    }

    package func visitNotes(in space: NoteSpace, _ body: (LocalNote) -> Bool) {
        demandOwn(space.lane ?? lane)
        for note in store.notes(in: space) { guard body(note) else { return } }
    }

    /// Checks that a request to a lane is about it.
    private func demandOwn(_ lane: Lane) {
        precondition(lane == self.lane, "what is about one lane is asked of that one")
    }
}
