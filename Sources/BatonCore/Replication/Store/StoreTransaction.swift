/// A transaction for one lane of a store: writes, and the claims that they complete.
package struct StoreTransaction: Equatable, Sendable {
    package var lane: Lane
    package var writes: [Write]
    package var completing: VersionVector
    /// The life of this device that begins with the transaction, and its lane; nil if none begins.
    ///
    /// The store adds the record of which lives the life follows.
    package var beginning: Origin?
    /// Writes of this device whose content the store decides.
    ///
    /// Their places may lie between those of `writes`.
    package var late: [LateWrite] = []
    /// The staged batch that ends with the transaction; nil if there is none.
    package var batch: StagedBatch?
    /// Client states of this device that end a batch.
    ///
    /// The store fills in which transactions they cover.
    package var states: [EndingState] = []
    /// The condition under which the writes are stored; nil if there is none.
    ///
    /// If the condition does not hold, only the transaction's number is stored. So later writes of this device can
    /// still be claimed.
    package var condition: IndexCondition?
    /// The time of the hybrid clock after these writes.
    package var clock: HybridTime
    /// Local notes to store together with the writes.
    ///
    /// They must be in spaces of the same lane (`NoteSpace.lane`).
    package var notes: [LocalNote]
    /// The resume token of the peer that sent the writes; nil if there is none.
    package var resume: Resume?
    /// The range of a snapshot to which the writes belong; nil if they are not a range.
    package var range: ReceivedRange?
    /// Whether the writes belong to a snapshot and arrived before its next range.
    package var isAhead = false
    /// Whether the writes are a part of a stream of changes.
    ///
    /// The end of the stream, which has not arrived yet, claims them.
    package var isPart = false
    /// The claims that the peer had when it sent the writes; nil if this device made the writes.
    package var sender: VersionVector?
    /// A new life under which the store may renew writes; nil if it may not renew any.
    package var renewingLife: Life?
    /// Makes new marks for renewed activities of this device; nil if activities are not marked.
    package var renewingSigner: Signer?
    /// The writes of the batch that can't be read.
    package var quarantined: [QuarantinedWrite] = []
    /// Whether the writes repair a difference.
    ///
    /// Such writes are merged although they are claimed already, and bring no claims.
    package var isRepair = false

    /// Whether this device made the writes.
    package var isOwn: Bool { sender == nil }

    /// The origin and number under which this device made the writes; nil if this device did not make them.
    package var ownName: (origin: Origin, sequence: UInt64)? { isOwn ? completing.sorted.last : nil }

    /// Whether the writes may be sent before they are stored.
    ///
    /// They must be few and complete, and must not depend on the store's records.
    package var canBeToldAhead: Bool {
        lane == .activities && isOwn && beginning == nil && late.isEmpty && condition == nil
            && !writes.isEmpty
            && writes.allSatisfy { [.currentActivity, .savedActivity].contains($0.identity.kind) }
            && !withdraws
            && writes.reduce(0) { $0 + $1.byteCount } <= Limits.largestBatchBytes
    }

    /// Whether the peer probably sent the writes before its disk had stored them.
    ///
    /// In that case, the claim follows within milliseconds.
    ///
    /// A change by an app has few writes. If a part has more writes, it belongs to a stream that the peer is reading
    /// from its store. Then it is not worth waiting for the next batch.
    package var awaitsClaim: Bool { lane == .activities && isPart && writes.count <= 4 }

    /// Whether the transaction withdraws an activity: the activity continues here, but other devices must no longer see
    /// it.
    ///
    /// Suppose that such a transaction were sent early and then not stored. A peer would send its deletion back, and
    /// the deletion would end the activity here.
    private var withdraws: Bool {
        notes.contains { $0.space == .ownActivity && $0.value != nil }
            && writes.contains { $0.identity.kind == .currentActivity && $0.action == .deletion }
    }

    /// Returns the claims of the transaction, without this device's writes in abandoned lives.
    ///
    /// In an abandoned life, some writes may be missing.
    package func completing(unlessOf abandoned: Set<Life>) -> VersionVector {
        guard isOwn else { return completing }
        return completing.without(abandoned)
    }

    /// A signer that can be compared.
    ///
    /// Two signers are equal if they sign for the same device with the same admission.
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

    /// Creates a transaction.
    ///
    /// The default clock is the latest time of the writes.
    package init(
        lane: Lane, writes: [Write], completing: VersionVector, clock: HybridTime? = nil,
        notes: [LocalNote] = [], resume: Resume? = nil
    ) {
        (self.lane, self.writes, self.completing) = (lane, writes, completing)
        self.clock = clock ?? writes.map(\.latestTime).max() ?? .zero
        (self.notes, self.resume) = (notes, resume)
    }
}
