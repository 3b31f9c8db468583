/// Writes and the claims that they complete.
package struct StoreTransaction: Equatable, Sendable {
    package var lane: Lane
    package var writes: [Write]
    package var completing: VersionVector
    /// The life and lane of this device that begin with the transaction; the store adds which lives the life follows.
    package var beginning: Origin?
    /// Writes of this device that the store makes; their places may lie between those of `writes`.
    package var late: [LateWrite] = []
    /// A staged batch that ends with the transaction.
    package var batch: StagedBatch?
    /// Client states of this device that end the batch; the store fills in what they cover.
    package var states: [EndingState] = []
    /// The condition that must hold.
    ///
    /// Otherwise only the transaction's number is stored, so that later writes of this device can be claimed.
    package var condition: IndexCondition?
    /// The hybrid clock after these writes.
    package var clock: HybridTime
    /// Local notes to store together with the writes, in spaces of the same lane (`NoteSpace.lane`).
    package var notes: [LocalNote]
    /// Where to continue next time with the peer that sent the writes.
    package var resume: Resume?
    /// The range of a snapshot that consists of the writes.
    package var range: ReceivedRange?
    /// Whether the writes belong to a snapshot and go ahead of its next range.
    package var isAhead = false
    /// Whether the writes are a part of a stream of changes; the stream's end, which is yet to come, claims them.
    package var isPart = false
    /// The claims that the peer had when it sent the writes; nil for writes that were made here.
    package var sender: VersionVector?
    /// A life that was never used before, for writes that must be renewed.
    package var renewingLife: Life?
    /// Marks renewed activities of this device; nil if activities are not marked.
    package var renewingSigner: Signer?
    /// The writes of the batch that can't be read.
    package var quarantined: [QuarantinedWrite] = []
    /// Whether the writes repair a difference: they are merged although they are claimed, and bring no claims.
    package var isRepair = false

    /// Whether this device made the writes.
    package var isOwn: Bool { sender == nil }

    /// The origin and number under which this device made the writes; nil if this device did not make them.
    package var ownName: (origin: Origin, sequence: UInt64)? { isOwn ? completing.sorted.last : nil }

    /// Whether the writes may be sent before they are stored: they are few, complete, and do not depend on the store's
    /// records.
    package var canBeToldAhead: Bool {
        lane == .activities && isOwn && beginning == nil && late.isEmpty && condition == nil
            && !writes.isEmpty
            && writes.allSatisfy { [.currentActivity, .savedActivity].contains($0.identity.kind) }
            && !withdraws
            && writes.reduce(0) { $0 + $1.byteCount } <= Limits.largestBatchBytes
    }

    /// Whether a peer probably sent the writes before its disk had stored them; then the claim follows within
    /// milliseconds.
    ///
    /// A change by an app has few writes. A part with more writes belongs to a stream that the peer is reading from its
    /// store, and its next batch need not be waited for.
    package var awaitsClaim: Bool { lane == .activities && isPart && writes.count <= 4 }

    /// Whether the transaction withdraws an activity: the activity goes on here, and other devices must no longer see
    /// it.
    ///
    /// If such a transaction were sent early and then not stored, a peer would send back its deletion, which would end
    /// the activity here.
    private var withdraws: Bool {
        notes.contains { $0.space == .ownActivity && $0.value != nil }
            && writes.contains { $0.identity.kind == .currentActivity && $0.action == .deletion }
    }

    /// Returns the claims that come with the transaction, without this device's writes in abandoned lives, where writes
    /// may be missing.
    package func completing(unlessOf abandoned: Set<Life>) -> VersionVector {
        guard isOwn else { return completing }
        return completing.without(abandoned)
    }

    /// A signer; two signers are equal if they sign for the same device with the same owner's admission.
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

    /// Creates a transaction; the default clock is the latest time of the writes.
    package init(
        lane: Lane, writes: [Write], completing: VersionVector, clock: HybridTime? = nil,
        notes: [LocalNote] = [], resume: Resume? = nil
    ) {
        (self.lane, self.writes, self.completing) = (lane, writes, completing)
        self.clock = clock ?? writes.map(\.latestTime).max() ?? .zero
        (self.notes, self.resume) = (notes, resume)
    }
}
