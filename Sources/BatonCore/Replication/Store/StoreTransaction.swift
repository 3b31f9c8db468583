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
    /// Marks what is written anew of this device's activities; nil where nobody marks them.
    package var renewingSigner: Signer?
    /// The parts that came with the writes and can't be read.
    package var quarantined: [QuarantinedWrite] = []
    /// Whether the writes repair a difference: they are merged although they are claimed, and let nothing be claimed.
    package var isRepair = false

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

    /// Whether it is probably what a peer has sent ahead of its disk, so that the claim follows within milliseconds.
    ///
    /// A change by an app has few writes. A part with more belongs to a stream that is being read, and its next batch
    /// need not be waited for.
    package var awaitsClaim: Bool { lane == .activities && isPart && writes.count <= 4 }

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

    /// A signer; two are the same if they sign for the same device, as one owner admitted it.
    package struct Signer: Equatable, Sendable {
        let signer: any DeviceSigner

        package init(_ signer: any DeviceSigner) { self.signer = signer }

        package static func == (one: Self, other: Self) -> Bool {
            one.signer.owner == other.signer.owner && one.signer.device == other.signer.device
        }
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
