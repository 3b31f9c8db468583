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
    func asides() throws(StoreFailure) -> [QuarantinedWrite]

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
    private var placeCount: Int {
        #if DEBUG
            if Faults.isPlanted(.successionSharesPlace) { return writes.count + states.count }
        #endif
        return (batch?.count ?? 0) + writes.count + late.count + states.count
    }

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
        (self.complete, self.settled, self.heads, self.clock) = (complete, settled, heads, clock)
        (self.order, self.resume) = (order, resume)
        (self.dropped, self.reports, self.snapshots) = (dropped, reports, snapshots)
    }
}

/// Writes and the claims that they complete.
package struct StoreTransaction: Equatable, Sendable {
    package var lane: Lane
    package var writes: [Write]
    package var completing: VersionVector
    /// The life and lane of this device that begin with it; the store fills in which lives they follow.
    package var beginning: Origin?
    /// Writes of this device that the store makes, in the order of all places.
    package var late: [LateWrite] = []
    /// A staged batch that ends with it.
    package var batch: StagedBatch?
    /// Client states of this device that end the batch; the store fills in what they cover.
    package var states: [EndingState] = []
    /// The condition that must hold; otherwise only the name is kept, so that claims of this device's writes go on.
    package var condition: IndexCondition?
    /// The hybrid clock after these writes.
    package var clock: HybridTime
    /// Notes that this device keeps for itself, together with the writes; in spaces of the same lane
    /// (`NoteSpace.lane`).
    package var notes: [LocalNote]
    /// Where to continue next time with the peer that sent the writes.
    package var resume: Resume?
    /// The part of a snapshot that the writes are.
    package var range: ReceivedRange?
    /// Whether the writes belong to a snapshot and stand before its next range.
    package var isAhead = false
    /// Whether the writes are part of a stream of changes whose end is yet to come, and claims them.
    package var isPart = false
    /// The claims of the peer that sent the writes, when it did; nil for writes that were made here.
    package var sender: VersionVector?
    /// A life that nobody had before, for what must be written anew.
    package var renewingLife: Life?
    /// The parts that came with the writes and can't be read.
    package var asides: [QuarantinedWrite] = []
    /// Whether the writes repair a difference: they are merged although they are claimed, and let nothing be claimed.
    package var isMending = false

    /// Whether this device made the writes.
    package var isOwn: Bool { sender == nil }

    /// The number under which this device made the writes, all of them in one life; nil if it made none.
    package var ownName: (origin: Origin, sequence: UInt64)? { isOwn ? completing.sorted.last : nil }

    /// Whether its writes may be sent before they are kept: they are few, complete, and do not depend on what stands in
    /// the store.
    package var canBeToldAhead: Bool {
        lane == .activities && isOwn && beginning == nil && late.isEmpty && condition == nil
            && !writes.isEmpty
            && writes.allSatisfy { [.currentActivity, .savedActivity].contains($0.identity.kind) }
            && !withdraws
            && writes.reduce(0) { $0 + $1.byteCount } <= Limits.largestBatchBytes
    }

    /// Whether an activity goes on here that others are no longer to see.
    ///
    /// If that were not kept, a device that was sent it would bring back a deletion, which ends the activity.
    private var withdraws: Bool {
        notes.contains { $0.space == .ownActivity && $0.value != nil }
            && writes.contains { $0.identity.kind == .currentActivity && $0.action == .deletion }
    }

    /// Returns the claims that come with it: writes of this device only if none of their life may be missing.
    package func completing(unlessOf abandoned: Set<Life>) -> VersionVector {
        guard isOwn else { return completing }
        return completing.without(abandoned)
    }

    /// A resume token that a peer sent together with writes.
    package struct Resume: Equatable, Sendable {
        package let peer: DeviceIdentifier
        package let token: ResumeToken

        package init(peer: DeviceIdentifier, token: ResumeToken) { (self.peer, self.token) = (peer, token) }
    }

    /// Creates a transaction; without a clock, it shows the latest time of the writes.
    package init(
        lane: Lane, writes: [Write], completing: VersionVector, clock: HybridTime? = nil,
        notes: [LocalNote] = [], resume: Resume? = nil
    ) {
        (self.lane, self.writes, self.completing) = (lane, writes, completing)
        self.clock = clock ?? writes.map(\.latestTime).max() ?? .zero
        (self.notes, self.resume) = (notes, resume)
    }
}

/// The result of a transaction.
package struct StoreCommit: Equatable, Sendable {
    /// The last write of the lane, after the transaction.
    package var head: Arrival
    /// The largest hybrid time among all writes that the lane ever took.
    package var clock: HybridTime
    /// The records that changed, as they are now.
    package var changed: [Record]
    /// The claim of the lane after the transaction; nil in the middle of a snapshot, when a record that is not there
    /// may be on its way.
    package var complete: VersionVector?
    /// Writes that the store added: which lives the new life follows, and the client states.
    package var additions: [Write] = []
    /// The names whose shown client state has changed or is gone, in the order of their records' identities.
    package var shown: [ClientStateName] = []
    /// The writes that were quarantined by it, and were not before.
    package var quarantined: [QuarantinedWrite] = []
    /// The writes that were quarantined before, and are no longer: they came, or mean nothing now.
    package var resolved: [Dot] = []
    /// Whether less was claimed than the transaction completes, because of quarantined writes.
    package var isWithheld = false
    /// How many updates were skipped, because there is nothing that they could change.
    package var passedOver = 0
    /// Whether something is left to be done in the lane by `settle(most:)`.
    package var isUnsettled = false
    /// Why nothing was kept, if the transaction's condition did not hold.
    package var refusal: IndexRefusal?
    /// The records in which writes of this device do not count, because what stands there has a later time that no
    /// clock shows; for a clear that such a record survives, the clear itself.
    package var outranked: [RecordIdentity] = []

    package init(head: Arrival, clock: HybridTime, changed: [Record]) {
        (self.head, self.clock, self.changed) = (head, clock, changed)
    }

    /// Combines this commit with an earlier one, as if they were one.
    package func after(_ earlier: StoreCommit) -> StoreCommit {
        var both = self
        let again = Set(changed.map(\.identity))
        both.changed += earlier.changed.filter { !again.contains($0.identity) }
        both.changed.sort { $0.identity < $1.identity }
        both.shown = Set(earlier.shown + shown).sorted { $0.key.identity < $1.key.identity }
        both.additions = earlier.additions + additions
        let resolvedSince = Set(resolved)
        both.quarantined = earlier.quarantined.filter { !resolvedSince.contains($0.dot) } + quarantined
        both.resolved = earlier.resolved + resolved
        both.passedOver += earlier.passedOver
        both.outranked = earlier.outranked + outranked
        return both
    }
}

/// Why a store did not do what it was asked.
package struct StoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var code: Code
    /// A description of the failure for a person.
    package var text: String

    package enum Code: Equatable, Sendable {
        /// There is no room on the disk.
        case full
        /// Another program holds the store.
        case locked
        /// The store was made by a newer version.
        case newer
        /// The store is that of another account.
        case foreign
        /// The bytes read are not the bytes that were written.
        case damaged
        /// Nothing can be changed on the disk.
        case readOnly
        /// The disk failed, or denies access.
        case failed
        /// A peer sent more writes that can't be read than may be quarantined.
        case unreadable
        /// The peer that sent the writes lacks what was garbage-collected here, and must take a snapshot first.
        case peerSetBack
        /// The write does not count, because what stands there has a later time that no clock shows.
        case outranked
    }

    package init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }

    package var description: String { text }

    /// The failure of a change that does not count.
    package static let outranked = StoreFailure(
        .outranked,
        "a faulty or hostile device wrote this record with an impossible time")
}
