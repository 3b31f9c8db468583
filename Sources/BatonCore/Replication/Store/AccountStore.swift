/// A node's durable state of one account: in SQLite, or in memory in tests.
///
/// It is made of two lanes, each of which may be used by a thread of its own. The methods here concern both lanes, and
/// belong to the thread that has both at the time. Calls block. A transaction is stored whole or not at all; with
/// `group(_:)` several share one commit.
package protocol AccountStore: AnyObject {
    /// Returns one lane of the store.
    func lane(_ lane: Lane) -> any LaneStore

    /// Returns a summary of what the store has, read at one moment; `peer` is the device at the other end of the
    /// session, or nil outside of a session.
    func summary(for peer: DeviceIdentifier?) throws(StoreFailure) -> StoreSummary

    /// Begins a new order of arrival, because a place in the old order may now stand for another write.
    func begin(_ order: ArrivalOrder) throws(StoreFailure)

    /// Stores the devices' reports that cover only what is claimed here; returns all reports that are known.
    ///
    /// Other reports are skipped: a report is never sent to a device that lacks some of it, which would wait for that
    /// in vain.
    func keep(_ reports: Reports) throws(StoreFailure) -> Reports

    /// Garbage-collects at most `request.most` tombstones of deletions and clears that all devices of `request.roster`
    /// have durably; returns how many were removed. Tombstones of shared lives stay, because a device that claims them
    /// may have other writes under their dots.
    func collect(_ request: CollectRequest) throws(StoreFailure) -> Int

    /// Returns the surviving writes of some devices, in the order of their arrival: only those that are not claimed
    /// here or are of a shared life.
    func strays(of devices: Set<DeviceIdentifier>, in lane: Lane) throws(StoreFailure) -> [Write]

    /// Forgets the reports by and about devices that are no longer part of the account, and abandons their snapshots;
    /// returns the same as `abandonSnapshots(of:)`.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// Discards the progress of snapshots from some devices, because they will never be completed.
    ///
    /// Perhaps no device can tell what such a snapshot has removed so far. So if a snapshot sent a lane tombstones that
    /// the lane does not claim, the lane gives up all its claims, and receives everything from the other devices, as if
    /// it were new. Returns whether a lane did that: then every session of the store must end, and this device must
    /// write under another life, because its earlier writes are no longer claimed.
    func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// Returns the digest by which two stores compare their states; records that have expired at `time` count as gone.
    func digest(at time: WallTime) throws(StoreFailure) -> StateDigest

    /// Returns the writes that are quarantined now, in the order of dots.
    func quarantined() throws(StoreFailure) -> [QuarantinedWrite]

    /// Returns the claims and the digest by which two stores compare, read at one moment: stores that claim the same
    /// must have the same digest.
    ///
    /// Returns nil while another store with the same claims may correctly have another state: if the store holds a
    /// write that it does not claim, if a snapshot sent it tombstones that have been removed and that it does not
    /// claim, or if it has swept a record that had not expired at `time`.
    ///
    /// Records that have expired at `time` count as gone. The cost grows only with the number of records that expire
    /// between `time` and the time of the last call.
    func check(at time: WallTime) throws(StoreFailure) -> StateCheck?

    /// Runs the closure so that everything that it commits is stored together, or not at all; with `durably`, this and
    /// all earlier commits survive a loss of power.
    ///
    /// If the process ends in between, one lane may have stored its part, and the other lane not.
    func group(durably: Bool, _ body: () throws(StoreFailure) -> Void) throws(StoreFailure)
}

extension StoreTransaction {
    /// Appends a draft, named by a dot and a stamp.
    mutating func add(_ draft: Journal.Draft, _ dot: Dot, at stamp: Stamp) {
        switch draft.subject {
        case .ending(let state, let name):
            states.append(EndingState(state, of: name, dot: dot, stamp: stamp))
        case .late(let action): late.append(LateWrite(action, dot: dot, stamp: stamp))
        case .action, .counting:
            if let write = draft.write(dot, at: stamp) { writes.append(write) }
        }
    }

    /// Visits the writes, and the late writes that the store is to make, in the order of their places.
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

    /// The number of places in the transaction, including those of late writes and of a staged batch.
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
    /// A peer with the same claims has everything up to this place. Writes of a batch that was not whole are behind it,
    /// even if they came long ago.
    package var settled: [Lane: Arrival]
    /// The last place that was given out in each lane; no later place was sent to a peer.
    package var heads: [Lane: Arrival]
    /// The largest hybrid time that was ever stored here.
    package var clock: HybridTime
    /// The order of arrival of the places that are sent to peers; the least order if the store never began one.
    package var order: ArrivalOrder
    /// The resume token that the peer last sent, for each lane in which it sent one.
    package var resume: [Lane: ResumeToken]
    /// A vector that covers all tombstones that this store garbage-collected.
    package var dropped: VersionVector
    /// The reports of devices, this one among them.
    package var reports: Reports
    /// The progress of snapshots from the peer.
    package var snapshots: [Lane: SnapshotProgress]
    /// The time at which `state` is judged; nil if no state was requested.
    package var compared: WallTime?
    /// The digest of the store's state at that time, if `check(at:)` returns one.
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
