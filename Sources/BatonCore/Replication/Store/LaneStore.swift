/// One lane of an account's durable state, with everything that can be done while another thread uses the other lane.
///
/// Calls block, and belong to the one thread that has the lane at the time. A transaction is stored whole or not at
/// all; with `group(_:)` several share one commit.
package protocol LaneStore: AnyObject {
    /// Returns how far a life's journal and the lane have come; nil if that is not known, because the lane has reached
    /// the limit of its claims and no longer claims its own writes.
    func mark(of life: Life) throws(StoreFailure) -> LaneMark?

    /// Merges writes of the lane, and claims what they complete, in one transaction.
    ///
    /// A write that `complete` covers is skipped, unless it repairs a difference. At most `Limits.laneOrigins` origins
    /// are claimed in a lane. A write that can't be read is quarantined, unless the lane already has it or something
    /// that overwrote it; its transaction and later ones of its origin are then not claimed. A store may fail a
    /// transaction if the lane would then have more quarantined writes than `Limits.quarantinedWrites`. Writes of a
    /// peer that lacks what was garbage-collected here are refused (`peerSetBack`), except those of a snapshot.
    func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit

    /// Appends drafts to a batch of an app that has not ended; the first drafts begin it. Only the lane of the index
    /// has batches.
    ///
    /// Nothing of a batch is visible before the transaction that ends it. A batch that has not ended is lost when the
    /// store is reopened.
    func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure)

    /// Forgets a batch that will not end.
    func discard(_ batch: BatchIdentifier) throws(StoreFailure)

    /// Does the next step of the work that batches and clears left behind, for about `most` records; nil if all of it
    /// is done.
    ///
    /// Until then, records are returned as if the work were done, except those that are sent to peers or found by
    /// words.
    func settle(most: Int) throws(StoreFailure) -> StoreCommit?

    /// Returns how much `settle(most:)` has left to do.
    func unsettled() throws(StoreFailure) -> Unsettled

    /// Sweeps some expired records; nil if all are swept. The place in the request is of this lane.
    ///
    /// Each record becomes what a clear would leave of it: the tombstone of a deletion with the record's dot and stamp,
    /// at its old place. Work that batches and clears left behind is done first. From then on, states can't be compared
    /// at earlier times than the request's (`AccountStore.check(at:)`).
    func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep?

    /// Stores this device's own report: the part of a vector that is claimed in this lane. It is called within a
    /// durable group, so that everything reported survives a loss of power.
    ///
    /// The vector is what was claimed before this device named its writes of the lane that are not stored yet. So every
    /// own write that is stored after the report has a later stamp than all that the report covers, and no tombstone
    /// that was garbage-collected because of the report can have ended it.
    func report(of own: DeviceIdentifier, having known: VersionVector) throws(StoreFailure)

    /// Returns writes that arrived after a place and that a peer lacks, read at one moment together with the claims.
    func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer

    /// Returns all surviving writes of a part of the records, read at one moment together with the claims.
    func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer

    /// Returns the existing records of a kind for which `isWanted` is true, in the order of their identities; the
    /// others are not kept in memory. Records whose hash is the name of a note in `space` are not read at all.
    func records(
        of kind: RecordKind, besides space: NoteSpace?, where isWanted: (Record) -> Bool
    ) throws(StoreFailure) -> [Record]

    /// Returns one record; nil if there is no trace of it.
    func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record?

    /// Visits activities that have not expired at `now`, in the order of the query, until the closure returns false.
    /// Only the lane of activities has them.
    ///
    /// No record is read for that. Activities that a clear has ended and that are not swept yet may be among them.
    func visitActivities(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure)

    /// Visits the devices that have current activities which have not expired at `now`, in the order of devices.
    func visitActivityTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure)

    /// Returns the client state from which a job may continue here; it covers nothing that is not in the store. Only
    /// the lane of the index has client states.
    func shownState(of name: ClientStateName) throws(StoreFailure) -> ShownState?

    /// Recomputes the sums over all records that have not expired at `time`, for each part; later digests are made from
    /// these sums.
    ///
    /// It reads the whole lane, and is done only if two stores differ.
    func recount(at time: WallTime) throws(StoreFailure) -> LaneSums

    /// Returns the surviving writes of records of a part.
    func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart

    /// Visits the notes in a space of this lane, in the order of names, until the closure returns false; notes are
    /// never sent.
    func visitNotes(in space: NoteSpace, _ body: (LocalNote) -> Bool) throws(StoreFailure)

    /// Runs the closure so that everything that it commits is stored together, or not at all; with `durably`, this and
    /// all earlier commits of the lane survive a loss of power.
    func group(durably: Bool, _ body: () throws(StoreFailure) -> Void) throws(StoreFailure)
}

/// Shorthands for requests to one lane of a store.
extension AccountStore {
    /// Returns a summary of what the store has, outside of a session.
    package func summary() throws(StoreFailure) -> StoreSummary { try summary(for: nil) }

    /// Runs the closure so that everything that it commits is stored together, or not at all.
    package func group(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        try group(durably: false, body)
    }

    package func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        try lane(transaction.lane).commit(transaction)
    }

    /// Does the next step of the work that batches and clears left behind, in the first lane with any; nil if all is
    /// done.
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

    /// Returns the notes in a space of this lane, in the order of names.
    package func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        var notes: [LocalNote] = []
        try visitNotes(in: space) { note in
            notes.append(note)
            return true
        }
        return notes
    }

    /// Returns the keys for which the lane has no record.
    package func lacking(_ keys: [RecordKey]) throws(StoreFailure) -> [RecordKey] {
        var lacking: [RecordKey] = []
        for key in keys where try record(key.identity) == nil { lacking.append(key) }
        return lacking
    }
}
