/// A node's durable state of one account: in SQLite, or in memory in tests.
///
/// It is made of two lanes, each of which may be used by a thread of its own; the methods here concern both, and belong
/// to the thread that has both of them at the time. Calls block. A transaction is kept whole or not at all; with
/// `group(_:)` several share one commit.
package protocol AccountStore: AnyObject {
    /// Returns one lane of the store.
    func lane(_ lane: Lane) -> any LaneStore

    /// Returns what the store has, read at one moment, for a session with that device, if it is for one.
    func summary(for peer: DeviceIdentifier?) throws(StoreFailure) -> StoreSummary

    /// Begins a new order of arrival, because a place in the old one may not mean what it did.
    func begin(_ order: ArrivalOrder) throws(StoreFailure)

    /// Keeps what devices reported, as far as all of it is claimed here; returns all reports that are known.
    ///
    /// Other reports are skipped: a report is never sent to a device that lacks some of it, and would be waited for in
    /// vain.
    func keep(_ reports: Reports) throws(StoreFailure) -> Reports

    /// Garbage-collects at most `request.most` tombstones of deletions and clears that all those devices have durably;
    /// returns how many were removed. Those of shared lives stay, because a device that claims them may have others.
    func collect(_ request: CollectRequest) throws(StoreFailure) -> Int

    /// Returns surviving writes of those devices that are not claimed here, or whose life is shared, in the order of
    /// their arrival.
    func strays(of devices: Set<DeviceIdentifier>, in lane: Lane) throws(StoreFailure) -> [Write]

    /// Forgets what was reported by and about devices that are no part of the account any more, and abandons their
    /// snapshots; returns the same as `abandonSnapshots(of:)`.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// Discards the progress of snapshots of those devices, because they will never come to their end.
    ///
    /// Nobody may know any more what such a snapshot has removed by now. So if a snapshot sent a lane tombstones that
    /// the lane does not claim, the lane claims nothing from then on, and takes everything from the other devices, as
    /// if it had just begun. Returns whether one of the lanes did that: then every session of the store is to end, and
    /// this device must write under another life, because its earlier writes are not claimed any more.
    func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// Returns what two stores compare to find out whether they hold the same; what has expired at that time counts as
    /// gone.
    func digest(at time: WallTime) throws(StoreFailure) -> StateDigest

    /// Returns the writes that are quarantined now, in the order of dots.
    func quarantined() throws(StoreFailure) -> [QuarantinedWrite]

    /// Returns what two stores that claim the same must have in common, read at one moment.
    ///
    /// Nil while the store holds a write that it does not claim, or a snapshot sent it tombstones that have been
    /// removed and that it does not claim, or it has swept what had not expired at that time: then another store may
    /// correctly hold something else.
    ///
    /// Records that have expired at that time count as gone. The cost grows with what expires between that time and the
    /// one that was asked for before, and with nothing else.
    func check(at time: WallTime) throws(StoreFailure) -> StateCheck?

    /// Runs the closure so that all that it commits is kept together, or nothing of it; durably, so that it survives
    /// the loss of power, and all that was kept before with it.
    ///
    /// If the process ends in between, one lane may have kept its part, and the other not.
    func group(durably: Bool, _ body: () throws(StoreFailure) -> Void) throws(StoreFailure)
}

extension StoreTransaction {
    /// Puts a draft of that name behind the others.
    mutating func add(_ draft: Journal.Draft, _ dot: Dot, at stamp: Stamp) {
        switch draft.subject {
        case .ending(let state, let name):
            states.append(EndingState(state, of: name, dot: dot, stamp: stamp))
        case .late(let action): late.append(LateWrite(action, dot: dot, stamp: stamp))
        case .action, .counting:
            if let write = draft.write(dot, at: stamp) { writes.append(write) }
        }
    }

    /// Visits the writes, and those that the store is to make, in the order of their places.
    package func visitWrites(
        _ body: (Write?, LateWrite?) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        var late = late[...]
        for write in writes {
            while let next = late.first, next.dot.place < write.dot.place {
                try body(nil, late.removeFirst())
            }
            try body(write, nil)
        }
        for next in late { try body(nil, next) }
    }

    /// Returns the write that says which lives the life of this transaction follows, if it begins one and follows any.
    package func succession(after complete: VersionVector, _ lineage: Lineage) -> Write? {
        guard let beginning, complete[beginning] == 0 else { return nil }
        return Succession(beginning: beginning, after: complete, lineage)?
            .write(at: placeCount)
    }

    /// How many places of the transaction are named: those of writes that the store is to make and of a staged batch,
    /// too.
    private var placeCount: Int { (batch?.count ?? 0) + writes.count + late.count + states.count }

    /// The transaction with the same name and no content.
    package var emptied: StoreTransaction {
        var empty = self
        (empty.writes, empty.late, empty.states) = ([], [], [])
        (empty.batch, empty.condition) = (nil, nil)
        return empty
    }
}

/// A summary of what a store has.
package struct StoreSummary: Equatable, Sendable {
    /// A vector that covers only writes that are in the store, or were overwritten or deleted by writes in the store.
    package var complete: VersionVector
    /// The place in each lane up to which `complete` covers every write.
    ///
    /// A peer that claims as much has all that stands there. Writes of a batch that was not whole stand behind it,
    /// though they came long ago.
    package var settled: [Lane: Arrival]
    /// The last place that was given out in each lane; no peer was sent a later one.
    package var heads: [Lane: Arrival]
    /// The largest hybrid time that was ever kept here.
    package var clock: HybridTime
    /// The order of arrival in which places are reported; the least one if the store never began one.
    package var order: ArrivalOrder
    /// The resume token that the peer last sent, for each lane in which it sent one.
    package var resume: [Lane: ResumeToken]
    /// A vector that covers all tombstones that this store garbage-collected.
    package var dropped: VersionVector
    /// The reports of devices, this one among them.
    package var reports: Reports
    /// The progress of the snapshots of the peer.
    package var snapshots: [Lane: SnapshotProgress]
    /// The time at which `state` is judged; nil if it is not asked for.
    package var compared: WallTime?
    /// The digest of what the store holds at that time, if `check(at:)` returns one.
    package var state: StateDigest?

    package init(
        complete: VersionVector, settled: [Lane: Arrival], heads: [Lane: Arrival], clock: HybridTime,
        order: ArrivalOrder = ArrivalOrder(high: 0, low: 0), resume: [Lane: ResumeToken] = [:],
        dropped: VersionVector = VersionVector(), reports: Reports = Reports(),
        snapshots: [Lane: SnapshotProgress] = [:]
    ) {
        self.complete = complete
        self.settled = settled
        self.heads = heads
        self.clock = clock
        (self.order, self.resume) = (order, resume)
        (self.dropped, self.reports, self.snapshots) = (dropped, reports, snapshots)
    }
}
