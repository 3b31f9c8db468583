/// One lane of an account's durable state.
///
/// Each method can run while another thread uses the other lane.
///
/// Calls block. They must be made by the one thread that has the lane at that time. A transaction is stored as a whole
/// or not at all. With `group(_:)`, several transactions share one commit.
package protocol LaneStore: AnyObject {
    /// Returns the position of a life's journal and of the lane; nil if it is not known.
    ///
    /// It is unknown if the lane has reached the limit of its claims and no longer claims its own writes.
    func mark(of life: Life) throws(StoreFailure) -> LaneMark?

    /// Merges the writes of a transaction and claims the transactions that they complete, all in one database
    /// transaction.
    ///
    /// A write that the lane claims already is skipped, unless it repairs a difference. At most `Limits.laneOrigins`
    /// origins are claimed in a lane. A write that can't be read is quarantined, unless the lane already has it or has
    /// a write that overwrote it. Then its transaction and the later transactions of its origin are not claimed. A
    /// store may refuse a transaction if the lane would then have more quarantined writes than
    /// `Limits.quarantinedWrites`. If a peer lacks deletions that were garbage-collected here, its writes are refused
    /// (`peerSetBack`), except the writes of a snapshot.
    func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit

    /// Appends drafts to a batch of an app that has not ended.
    ///
    /// The first drafts begin the batch. Only the index lane has batches.
    ///
    /// No part of a batch is visible until the transaction that ends the batch. A batch that has not ended is lost when
    /// the store is reopened.
    func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure)

    /// Deletes a batch that will not be ended.
    func discard(_ batch: BatchIdentifier) throws(StoreFailure)

    /// Does the next step of the work that batches and clears have left, for about `most` records; returns nil if no
    /// work is left.
    ///
    /// Until the work is done, records are already returned as if it were done. The exceptions are records that are
    /// sent to peers and records that a search by words finds.
    func settle(most: Int) throws(StoreFailure) -> StoreCommit?

    /// Returns the amount of work that `settle(most:)` still has to do.
    func unsettled() throws(StoreFailure) -> Unsettled

    /// Sweeps some expired records; returns nil if all are swept.
    ///
    /// The place in the request must be of this lane.
    ///
    /// Each swept record becomes what a clear would leave of it: the tombstone of a deletion, with the record's dot and
    /// stamp, at its old place. Work that batches and clears have left is done first. After a sweep, states can't be
    /// compared at times that are earlier than the request's time (`AccountStore.check(at:)`).
    func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep?

    /// Stores this device's own report, which is the part of a vector that this lane claims.
    ///
    /// It is called within a durable group, so that everything in the report survives a loss of power.
    ///
    /// The vector has the claims from before this device named those writes of the lane that are not stored yet. So
    /// every own write that is stored after the report has a later stamp than everything that the report covers.
    /// Therefore no tombstone that was garbage-collected because of the report can have ended such a write.
    func report(of own: DeviceIdentifier, having known: VersionVector) throws(StoreFailure)

    /// Returns writes that arrived after a place and that a peer lacks, together with the lane's claims.
    ///
    /// Both are read at one moment.
    func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer

    /// Returns all surviving writes of the records in a range, together with the lane's claims.
    ///
    /// Both are read at one moment.
    func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer

    /// Returns the existing records of a kind for which `isWanted` is true, in the order of their identities.
    ///
    /// Other records are not kept in memory. A record is not read at all if its hash is the name of a note in `space`.
    func records(
        of kind: RecordKind, besides space: NoteSpace?, where isWanted: (Record) -> Bool
    ) throws(StoreFailure) -> [Record]

    /// Returns one record; nil if the lane has no write of it.
    func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record?

    /// Visits activities that have not expired at `now`, in the order of the query, until the closure returns false.
    ///
    /// Only the activities lane has activities.
    ///
    /// No record is read for this. Activities that a clear has ended may be among them until they are swept.
    func visitActivities(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure)

    /// Visits the totals of the devices whose current activities have not expired at `now`, in the order of devices.
    func visitActivityTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure)

    /// Returns the client state from which a job may continue on this device; nil if there is none.
    ///
    /// The state covers only transactions that are in the store. Only the index lane has client states.
    func shownState(of name: ClientStateName) throws(StoreFailure) -> ShownState?

    /// Recomputes, for each part, the sum over all records that have not expired at `time`.
    ///
    /// Later digests are made from these sums.
    ///
    /// This reads the whole lane. It is called only if two stores differ.
    func recount(at time: WallTime) throws(StoreFailure) -> LaneSums

    /// Returns the surviving writes of some records of a part.
    func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart

    /// Visits the notes in a space of this lane, in the order of their names, until the closure returns false.
    ///
    /// Notes are never sent to other devices.
    func visitNotes(in space: NoteSpace, _ body: (LocalNote) -> Bool) throws(StoreFailure)

    /// Runs the closure and stores all its commits together, or none of them.
    ///
    /// With `durably`, these and all earlier commits of the lane survive a loss of power.
    func group(durably: Bool, _ body: () throws(StoreFailure) -> Void) throws(StoreFailure)
}

/// Shorthands for calls to one lane of a store.
extension AccountStore {
    /// Returns a summary of the store, outside of a session.
    package func summary() throws(StoreFailure) -> StoreSummary { try summary(for: nil) }

    /// Runs the closure and stores all its commits together, or none of them.
    package func group(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        try group(durably: false, body)
    }

    package func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        try lane(transaction.lane).commit(transaction)
    }

    /// Does the next step of the work that batches and clears have left, in the first lane that has any; returns nil if
    /// no work is left.
    package func settle(most: Int) throws(StoreFailure) -> (lane: Lane, commit: StoreCommit)? {
        for lane in Lane.allCases {
            if let commit = try self.lane(lane).settle(most: most) { return (lane, commit) }
        }
        return nil
    }

    package func records(of kind: RecordKind) throws(StoreFailure) -> [Record] {
        try lane(kind.lane).records(of: kind)
    }

    package func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        try lane(space.lane ?? .activities).notes(in: space)
    }
}

extension LaneStore {
    /// Returns the existing records of a kind for which `isWanted` is true, in the order of their identities.
    package func records(
        of kind: RecordKind, where isWanted: (Record) -> Bool = { _ in true }
    ) throws(StoreFailure) -> [Record] {
        try records(of: kind, besides: nil, where: isWanted)
    }

    /// Returns the notes in a space of this lane, in the order of their names.
    package func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        var notes: [LocalNote] = []
        try visitNotes(in: space) { note in
            notes.append(note)
            return true
        }
        return notes
    }

    /// Returns those of the keys for which the lane has no record.
    package func lacking(_ keys: [RecordKey]) throws(StoreFailure) -> [RecordKey] {
        var lacking: [RecordKey] = []
        for key in keys where try record(key.identity) == nil { lacking.append(key) }
        return lacking
    }
}
