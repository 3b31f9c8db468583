/// A node's durable state of one account, behind which stands SQLite, or memory in tests.
///
/// It is made of two lanes, each of which may be used by a thread of its own; what stands here concerns both, and
/// belongs to who has both of them at the time. Calls block. A transaction is kept whole or not at all; with `group(_:)`
/// several share one commit.
package protocol AccountStore: AnyObject {
    /// One lane of it.
    func lane(_ lane: Lane) -> any LaneStore

    /// What the store has, read at one moment, for a session with that device, if it is for one.
    func summary(for peer: DeviceIdentifier?) throws(StoreFailure) -> StoreSummary

    /// Begins a new order of arrival, because a place in the old one may not mean what it did.
    func begin(_ order: ArrivalOrder) throws(StoreFailure)

    /// Keeps what devices reported, as far as all of it is claimed here; answers with all reports that are known.
    ///
    /// Other reports are passed over: nobody tells one to who lacks some of it, and it would be waited for in vain.
    func keep(_ reports: Reports) throws(StoreFailure) -> Reports

    /// Lets go of traces of deletions and clears that all those devices have for good, so many at the
    /// most; answers how many went. Those of shared lives stay, because who claims them may have others.
    func collect(_ request: CollectRequest) throws(StoreFailure) -> Int

    /// Surviving writes of those devices that are not claimed here, or whose life is shared, in the order of their
    /// arrival.
    func strays(of devices: Set<DeviceIdentifier>, in lane: Lane) throws(StoreFailure) -> [Write]

    /// Forgets what was told by and of devices that are no part of the account any more, and abandons their
    /// snapshots; answers as `abandonSnapshots(of:)` does.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// Gives up how far snapshots of those devices came, because they will never come to their end.
    ///
    /// What such a snapshot has removed by now nobody may know any more. So a lane that was told in one of traces which
    /// it does not claim claims nothing from then on, and takes all from the other devices, as if it had just begun.
    /// Answers whether one of the lanes did that: then every session of the store is to end, and what this device
    /// writes is to bear another life, because what it wrote is not claimed any more.
    func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool

    /// What two stores compare to find out whether they hold the same; what has expired at that time counts as gone.
    func digest(at time: WallTime) throws(StoreFailure) -> StateDigest

    /// What is set aside by now, in the order of dots.
    func asides() throws(StoreFailure) -> [QuarantinedWrite]

    /// What two stores that claim the same must have in common, read at one moment.
    ///
    /// Nothing while the store holds a write that it does not claim, or was told in a snapshot of traces that are gone
    /// and does not claim those, or has swept what had not expired at that time: then another may honestly hold
    /// something else.
    ///
    /// What has expired at that time counts as gone. What this costs grows with what expires between that time and the
    /// one that was asked for before, and with nothing else.
    func check(at time: WallTime) throws(StoreFailure) -> StateCheck?

    /// Runs the closure so that all that it commits is kept together, or nothing of it; durably, so that it survives the
    /// loss of power, and all that was kept before with it.
    ///
    /// Where the process ends in between, one lane may have kept its part, and the other not.
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

    /// What the life follows that begins with this transaction, if it begins one and follows any.
    package func succession(after complete: VersionVector, _ lineage: Lineage) -> Write? {
        guard let beginning, complete[beginning] == 0 else { return nil }
        return Succession(beginning: beginning, after: complete, lineage)?
            .write(at: placeCount)
    }

    /// How many places of the transaction are named: those of writes that the store is to make and of a staged batch, too.
    private var placeCount: Int {
        #if DEBUG
            if Faults.isPlanted(.successionSharesPlace) { return writes.count + states.count }
        #endif
        return (batch?.count ?? 0) + writes.count + late.count + states.count
    }

    /// The same name, and nothing else.
    package var emptied: StoreTransaction {
        var empty = self
        (empty.writes, empty.late, empty.states) = ([], [], [])
        (empty.batch, empty.condition) = (nil, nil)
        return empty
    }
}

/// What a store has.
package struct StoreSummary: Equatable, Sendable {
    /// Every write that this covers is in the store, or was overwritten or deleted by what is.
    package var complete: VersionVector
    /// Up to where `complete` covers every write of a lane.
    ///
    /// A peer that claims as much has all that stands there. Writes of a batch that was not whole stand
    /// behind it, though they came long ago.
    package var settled: [Lane: Arrival]
    /// The last place that was given out in each lane; no peer was told a later one.
    package var heads: [Lane: Arrival]
    /// The largest hybrid time that was ever kept here.
    package var clock: HybridTime
    /// The order of arrival in which places are told; of a store that never began one, the least.
    package var order: ArrivalOrder
    /// What the peer told last, of each lane in which it told something.
    package var resume: [Lane: ResumeToken]
    /// What covers all traces that this store let go.
    package var dropped: VersionVector
    /// What devices reported, this one among them.
    package var reports: Reports
    /// How far the snapshots of the peer came.
    package var snapshots: [Lane: SnapshotProgress]
    /// The time for which it is told what the store holds; nothing where that is not asked.
    package var compared: WallTime?
    /// What the store holds at that time, if `check(at:)` tells it.
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

/// Writes and what they let the store claim.
package struct StoreTransaction: Equatable, Sendable {
    package var lane: Lane
    package var writes: [Write]
    package var completing: VersionVector
    /// The life and lane of this device that begin with it; the store fills in what they follow.
    package var beginning: Origin?
    /// Writes of this device that the store makes, in the order of all places.
    package var late: [LateWrite] = []
    /// A staged batch that ends with it.
    package var batch: StagedBatch?
    /// Client states of this device that end the batch; the store fills in what they cover.
    package var states: [EndingState] = []
    /// What must hold, or nothing is kept but the name: what is claimed of this device's writes goes on.
    package var condition: IndexCondition?
    /// The hybrid clock after these writes.
    package var clock: HybridTime
    /// What this device notes for itself, together with the writes; of spaces of the same lane (`NoteSpace.lane`).
    package var notes: [LocalNote]
    /// Where the peer that sent the writes is to go on next time.
    package var resume: Resume?
    /// The part of a snapshot that the writes are.
    package var range: ReceivedRange?
    /// Whether the writes belong to a snapshot and stand before its next range.
    package var isAhead = false
    /// What the peer that sent the writes had when it did; nothing of writes that were made here.
    package var sender: VersionVector?
    /// A life that nobody had before, for what must be written anew.
    package var renewingLife: Life?
    /// What came with the writes and can't be read.
    package var asides: [QuarantinedWrite] = []
    /// Whether the writes mend a difference: they are merged although they are claimed, and let nothing be claimed.
    package var isMending = false

    /// Whether this device made the writes.
    package var isOwn: Bool { sender == nil }

    /// Whether others may be told of its writes before they are kept: they are few, stand as they are, and nothing that
    /// stands in the store has a say in them.
    package var canBeToldAhead: Bool {
        lane == .activities && isOwn && beginning == nil && late.isEmpty && condition == nil
            && !writes.isEmpty
            && writes.allSatisfy { [.currentActivity, .savedActivity].contains($0.identity.kind) }
            && !withdraws
            && writes.reduce(0) { $0 + $1.byteCount } <= Limits.largestBatchBytes
    }

    /// Whether an activity goes on here that others are to see no more.
    ///
    /// Should that not be kept, whoever was told of it would bring back a deletion, which ends the activity.
    private var withdraws: Bool {
        notes.contains { $0.space == .ownActivity && $0.value != nil }
            && writes.contains { $0.identity.kind == .currentActivity && $0.action == .deletion }
    }

    /// What is claimed with it: writes of this device only if none of their life may be missing.
    package func completing(unlessOf abandoned: Set<Life>) -> VersionVector {
        guard isOwn else { return completing }
        return completing.without(abandoned)
    }

    /// What a peer told together with writes.
    package struct Resume: Equatable, Sendable {
        package let peer: DeviceIdentifier
        package let token: ResumeToken

        package init(peer: DeviceIdentifier, token: ResumeToken) { (self.peer, self.token) = (peer, token) }
    }

    /// Without a clock, it shows the latest time of the writes.
    package init(
        lane: Lane, writes: [Write], completing: VersionVector, clock: HybridTime? = nil,
        notes: [LocalNote] = [], resume: Resume? = nil
    ) {
        (self.lane, self.writes, self.completing) = (lane, writes, completing)
        self.clock = clock ?? writes.map(\.latestTime).max() ?? .zero
        (self.notes, self.resume) = (notes, resume)
    }
}

/// What a transaction did.
package struct StoreCommit: Equatable, Sendable {
    /// The last write of the lane, after the transaction.
    package var head: Arrival
    /// The largest hybrid time among all writes that the lane ever took.
    package var clock: HybridTime
    /// The records that changed, as they are now.
    package var changed: [Record]
    /// The claim of the lane after the transaction; nil in the middle of a snapshot, when a record that is not there may
    /// be on its way.
    package var complete: VersionVector?
    /// What the store wrote with it: what the life follows that began, and the client states.
    package var additions: [Write] = []
    /// The names whose shown client state is another now, or gone, in the order of their records' identities.
    package var shown: [ClientStateName] = []
    /// What was set aside, and was not before.
    package var setAside: [QuarantinedWrite] = []
    /// What was set aside before, and is not any more: it came, or means nothing now.
    package var resolved: [Dot] = []
    /// Whether less was claimed than the transaction completes, because of what is set aside.
    package var isWithheld = false
    /// How many updates were passed over, because there is nothing that they could change.
    package var passedOver = 0
    /// Whether something is left to be done in the lane by `settle(most:)`.
    package var isUnsettled = false
    /// Why nothing was kept, if the transaction's condition did not hold.
    package var refusal: IndexRefusal?
    /// The records in which writes of this device do not count, because what stands there has a later time that no clock
    /// shows; of a clear, the clear, where such a record survives it.
    package var outranked: [RecordIdentity] = []

    package init(head: Arrival, clock: HybridTime, changed: [Record]) {
        (self.head, self.clock, self.changed) = (head, clock, changed)
    }

    /// This commit and an earlier one, told as if they were one.
    package func after(_ earlier: StoreCommit) -> StoreCommit {
        var both = self
        let again = Set(changed.map(\.identity))
        both.changed += earlier.changed.filter { !again.contains($0.identity) }
        both.changed.sort { $0.identity < $1.identity }
        both.shown = Set(earlier.shown + shown).sorted { $0.key.identity < $1.key.identity }
        both.additions = earlier.additions + additions
        let resolvedSince = Set(resolved)
        both.setAside = earlier.setAside.filter { !resolvedSince.contains($0.dot) } + setAside
        both.resolved = earlier.resolved + resolved
        both.passedOver += earlier.passedOver
        both.outranked = earlier.outranked + outranked
        return both
    }
}

/// Why a store did not do what it was asked.
package struct StoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var code: Code
    /// What happened, for a person.
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
        /// What was read is not what was written.
        case damaged
        /// Nothing can be changed on the disk.
        case readOnly
        /// The disk failed, or does not let us.
        case failed
        /// A peer sent more that can't be read than is set aside.
        case unreadable
        /// The peer that sent the writes lacks what was let go here, and must take a snapshot first.
        case peerSetBack
        /// The write does not count, because what stands there has a later time that no clock shows.
        case outranked
    }

    package init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }

    package var description: String { text }

    /// A change that does not count, and what to do.
    package static let outranked = StoreFailure(
        .outranked,
        "what stands there was written with a time that no clock shows, by a faulty or hostile device")
}
