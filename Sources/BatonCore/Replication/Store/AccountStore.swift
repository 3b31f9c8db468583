/// The durable state of one account on a node.
///
/// It is in SQLite, or in memory in tests.
///
/// It consists of two lanes. Each lane may be used by a thread of its own. The methods here are about both lanes, and
/// must be called by the thread that has both at that time. Calls block. A transaction is stored as a whole or not at
/// all. With `group(_:)`, several transactions share one commit.
package protocol AccountStore: AnyObject {
    /// Returns one lane of the store.
    func lane(_ lane: Lane) -> any LaneStore

    /// Returns a summary of the store, read at one moment.
    ///
    /// `peer` is the device at the other end of the session, or nil outside of a session.
    func summary(for peer: DeviceIdentifier?) throws(StoreFailure) -> StoreSummary

    /// Begins a new order of arrival, because a place in the old order may now belong to another write.
    func begin(_ order: ArrivalOrder) throws(StoreFailure)

    /// Stores those reports of devices that cover only writes that are claimed here; returns all known reports.
    ///
    /// Other reports are skipped. A report is never sent to a device that lacks a part of what it covers, because that
    /// device would wait for the part in vain.
    func keep(_ reports: Reports) throws(StoreFailure) -> Reports

    /// Garbage-collects at most `request.most` tombstones that all devices of `request.roster` have durably; returns
    /// the number of removed tombstones.
    ///
    /// Tombstones of shared lives are kept. A device that claims them may have other writes under the same dots.
    func collect(_ request: CollectRequest) throws(StoreFailure) -> Int

    /// Returns the surviving writes of these devices that are not claimed here or belong to a shared life.
    ///
    /// They are in the order of their arrival.
    func strays(of devices: Set<DeviceIdentifier>, in lane: Lane) throws(StoreFailure) -> [Write]

    /// Forgets the reports by and about devices that are no longer part of the account, and abandons snapshots from
    /// them.
    ///
    /// It returns the same as `abandonSnapshots(of:)`.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// Discards the progress of snapshots from these devices, because the snapshots will never be completed.
    ///
    /// It is possible that no device knows what such a snapshot has removed here so far. So if the snapshot sent a lane
    /// tombstones that the lane does not claim, the lane gives up all its claims. It then receives everything from the
    /// other devices, as if it were new. Returns whether a lane did that. If so, every session of the store must end,
    /// and this device must write under another life, because it no longer claims its earlier writes.
    func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// Returns the digest by which two stores compare their states.
    ///
    /// Records that have expired at `time` count as removed.
    func digest(at time: WallTime) throws(StoreFailure) -> StateDigest

    /// Returns the writes that are quarantined now, sorted by their dots.
    func quarantined() throws(StoreFailure) -> [QuarantinedWrite]

    /// Returns the claims and the digest by which two stores compare, both read at one moment.
    ///
    /// Two stores with the same claims must have the same digest.
    ///
    /// Returns nil if another store with the same claims may correctly have another state. There are three such cases:
    /// the store has a write that it does not claim; a snapshot sent it tombstones that were removed and that it does
    /// not claim; or it has swept a record that had not expired at `time`.
    ///
    /// Records that have expired at `time` count as removed. The cost grows only with the number of records that expire
    /// between `time` and the time of the last call.
    func check(at time: WallTime) throws(StoreFailure) -> StateCheck?

    /// Runs the closure and stores all its commits together, or none of them.
    ///
    /// With `durably`, these and all earlier commits survive a loss of power.
    ///
    /// If the process ends in the middle, it is possible that one lane has stored its part and the other lane has not.
    func group(durably: Bool, _ body: () throws(StoreFailure) -> Void) throws(StoreFailure)
}

extension StoreTransaction {
    /// Appends a draft as a write with this dot and this stamp.
    mutating func add(_ draft: Journal.Draft, _ dot: Dot, at stamp: Stamp) {
        switch draft.subject {
        case .ending(let state, let name):
            states.append(EndingState(state, of: name, dot: dot, stamp: stamp))
        case .late(let action): late.append(LateWrite(action, dot: dot, stamp: stamp))
        case .action, .counting:
            if let write = draft.write(dot, at: stamp) { writes.append(write) }
        }
    }

    /// Visits the writes and the late writes, whose content the store decides, in the order of their places.
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

    /// Returns the write that names the earlier lives before the life that this transaction begins.
    ///
    /// It is nil if the transaction does not begin a life, or if the life follows no others.
    package func succession(after complete: VersionVector, _ lineage: Lineage) -> Write? {
        guard let beginning, complete[beginning] == 0 else { return nil }
        return Succession(beginning: beginning, after: complete, lineage)?
            .write(at: placeCount)
    }

    /// The number of places in the transaction, including those of late writes and of a staged batch.
    private var placeCount: Int { (batch?.count ?? 0) + writes.count + late.count + states.count }

    /// A copy of the transaction that has the same name and no content.
    package var emptied: StoreTransaction {
        var empty = self
        (empty.writes, empty.late, empty.states) = ([], [], [])
        (empty.batch, empty.condition) = (nil, nil)
        return empty
    }
}

/// A summary of which writes a store has.
package struct StoreSummary: Equatable, Sendable {
    /// The claims of the store.
    ///
    /// The vector covers only writes that are in the store, or that writes in the store have overwritten or deleted.
    package var complete: VersionVector
    /// The place in each lane up to which `complete` covers every write.
    ///
    /// A peer with the same claims has everything up to this place. Writes of a batch that was not whole are after this
    /// place, even if they arrived long ago.
    package var settled: [Lane: Arrival]
    /// The last place that each lane gave to a write.
    ///
    /// No later place was sent to a peer.
    package var heads: [Lane: Arrival]
    /// The largest hybrid time that was ever stored here.
    package var clock: HybridTime
    /// The order of arrival to which the places belong that are sent to peers.
    ///
    /// It is the least order if the store never began one.
    package var order: ArrivalOrder
    /// For each lane, the last resume token that the peer sent, if it sent one.
    package var resume: [Lane: ResumeToken]
    /// A vector that covers all tombstones that this store garbage-collected.
    package var dropped: VersionVector
    /// The reports of devices, including this device.
    package var reports: Reports
    /// The progress of snapshots from the peer.
    package var snapshots: [Lane: SnapshotProgress]
    /// The time by which records count as expired in `state`; nil if no state was requested.
    package var compared: WallTime?
    /// The digest of the store's state at that time; nil if `check(at:)` returns nil.
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
