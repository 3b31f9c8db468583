/// One lane of an account's durable state: all that can be done with it while another thread uses the other lane.
///
/// Calls block, and belong to the one thread that has the lane at the time. A transaction is kept whole or not at all;
/// with `group(_:)` several share one commit.
package protocol LaneStore: AnyObject {
    /// Returns how far the journal of that life and the lane have come; nil if that is not known, because the lane has
    /// reached the limit of its claims and does not claim its own writes any more.
    func mark(of life: Life) throws(StoreFailure) -> LaneMark?

    /// Merges writes of the lane, and claims what they complete, in one transaction.
    ///
    /// A write that `complete` covers is skipped, unless it repairs a difference. At most `Limits.laneOrigins` origins
    /// are claimed in a lane. A write that can't be read is quarantined, unless it is here already or overwritten, and
    /// nothing from its transaction on is claimed of its origin. A store that would hold more than
    /// `Limits.quarantinedWrites` of a lane may fail the transaction. Writes of a peer that lacks what was
    /// garbage-collected here are refused (`peerSetBack`), except those of a snapshot.
    func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit

    /// Puts drafts behind those of a batch that has not ended, which begins with its first; batches are of the index.
    ///
    /// Nobody sees anything of a batch before the transaction that ends it. A batch that has not ended when the store
    /// is opened again is gone.
    func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure)

    /// Forgets a batch that will not end.
    func discard(_ batch: BatchIdentifier) throws(StoreFailure)

    /// Does the next part of what batches and clears have left to be done, about `most` records; nil if all is done.
    ///
    /// Until then records are as if it was done, except for what is sent to others and found by words.
    func settle(most: Int) throws(StoreFailure) -> StoreCommit?

    /// Returns how much `settle(most:)` has left to do.
    func unsettled() throws(StoreFailure) -> Unsettled

    /// Does a step of sweeping what has expired; nil if all is done. The place in the request is of this lane.
    ///
    /// Each record becomes what a clear would leave of it: the tombstone of a deletion with the dot and the stamp that
    /// it had, at its old place. Work that batches and clears have left comes first. The state before that time can't
    /// be compared from then on (`AccountStore.check(at:)`).
    func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep?

    /// Keeps as this device's own report what is claimed of that vector in this lane. It is called within a durable
    /// group, so that all that is claimed survives the loss of power.
    ///
    /// The vector is what was claimed before this device named the last write of the lane that it has not yet kept. So
    /// whatever is kept here after the report has later stamps than all that the report covers, and nothing that was
    /// garbage-collected because of the report can have ended it.
    func report(of own: DeviceIdentifier, having known: VersionVector) throws(StoreFailure)

    /// Returns writes that arrived after a place and that a peer lacks, read at one moment with what is claimed then.
    func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer

    /// Returns all that a part of the records is made of, read at one moment with what is claimed then.
    func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer

    /// Returns the records of a kind that are there and are wanted, in the order of their identities; the others are
    /// not held meanwhile. Records whose hash is the name of a note in the space, if there is one, are not even read.
    func records(
        of kind: RecordKind, besides space: NoteSpace?, where isWanted: (Record) -> Bool
    ) throws(StoreFailure) -> [Record]

    /// Returns one record, if there is any trace of it.
    func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record?

    /// Visits activities that have not expired at that time, in the order of the query, until the closure returns
    /// false; activities are of their lane.
    ///
    /// No record is read for that. Activities that clears have left to be swept may be among them.
    func visitActivities(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure)

    /// Visits the devices that have current activities which have not expired at that time, in their order.
    func visitActivityTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure)

    /// Returns the client state from which a job may continue here; it covers nothing that is not in the store. States
    /// are of the index.
    func shownState(of name: ClientStateName) throws(StoreFailure) -> ShownState?

    /// Sums up all records that have not expired at that time anew, by their parts; from then on the digests are made
    /// from these sums.
    ///
    /// It reads all of the lane, and is done only where two stores differ.
    func recount(at time: WallTime) throws(StoreFailure) -> LaneSums

    /// Returns the surviving writes of records of a part.
    func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart

    /// Visits the notes that this device alone keeps in a space of this lane, in the order of names, until the closure
    /// returns false.
    func visitNotes(in space: NoteSpace, _ body: (LocalNote) -> Bool) throws(StoreFailure)

    /// Runs the closure so that all that it commits is kept together, or nothing of it; durably, so that it survives
    /// the loss of power, and all that was kept of this lane before with it.
    func group(durably: Bool, _ body: () throws(StoreFailure) -> Void) throws(StoreFailure)
}

/// Requests to a store with both lanes at hand that concern one of them.
extension AccountStore {
    /// Returns what the store has, for no session.
    package func summary() throws(StoreFailure) -> StoreSummary { try summary(for: nil) }

    /// Runs the closure so that all that it commits is kept together, or nothing of it.
    package func group(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        try group(durably: false, body)
    }

    package func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        try lane(transaction.lane).commit(transaction)
    }

    /// Does the next part of what is left to be done in any lane.
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
    /// Returns the records of a kind that are there and are wanted, in the order of their identities.
    package func records(
        of kind: RecordKind, where isWanted: (Record) -> Bool = { _ in true }
    ) throws(StoreFailure) -> [Record] {
        try records(of: kind, besides: nil, where: isWanted)
    }

    /// Returns the notes that this device alone keeps in a space of this lane, in the order of names.
    package func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        var notes: [LocalNote] = []
        try visitNotes(in: space) { note in
            notes.append(note)
            return true
        }
        return notes
    }

    /// Returns the keys of which the lane has no record.
    package func lacking(_ keys: [RecordKey]) throws(StoreFailure) -> [RecordKey] {
        var lacking: [RecordKey] = []
        for key in keys where try record(key.identity) == nil { lacking.append(key) }
        return lacking
    }
}
