/// A received write of which only the dot, and perhaps a few other parts, can be read.
///
/// The write is quarantined, and the rest of its batch is stored.
///
/// From the transaction of this write on, the store claims nothing of the write's origin. Otherwise, other devices
/// would believe that the write is here. Claiming goes on when the write has arrived in a readable form, when it was
/// overwritten, or when a snapshot has come from a sender that knows the write and no longer has it.
package struct QuarantinedWrite: Equatable, Sendable {
    package let dot: Dot
    /// The record that the write changes; nil if its identity can't be read.
    package let identity: RecordIdentity?
    /// The incarnation to which the write belongs; if a later incarnation has replaced it, the write has no effect.
    ///
    /// The property is nil if the incarnation can't be read, or if no later one can replace it.
    package let target: Target?
    /// A description of the fault, for a log.
    package let reason: String
    /// The device that sent the write, if it is known.
    package var peer: DeviceIdentifier?

    /// An incarnation of a record.
    package struct Target: Equatable, Sendable {
        package let identity: RecordIdentity
        package let incarnation: Stamp

        package init(identity: RecordIdentity, incarnation: Stamp) {
            (self.identity, self.incarnation) = (identity, incarnation)
        }
    }

    package init(
        dot: Dot, of identity: RecordIdentity? = nil, target: Target?, reason: String,
        peer: DeviceIdentifier? = nil
    ) {
        (self.dot, self.identity, self.target) = (dot, identity ?? target?.identity, target)
        (self.reason, self.peer) = (reason, peer)
    }

    /// Whether a record has a later incarnation than this write; then the write has no effect, whatever its content is.
    package func isOverwritten(in record: Record) -> Bool {
        guard let target, target.identity == record.identity else { return false }
        return record.incarnation > target.incarnation
    }
}

/// The quarantined writes of one lane of a store.
package struct QuarantinedWrites: Equatable, Sendable {
    private var byDot: [Dot: QuarantinedWrite] = [:]

    package init() {}

    // MARK: Commands

    package mutating func add(_ write: QuarantinedWrite) { byDot[write.dot] = write }

    package mutating func remove(_ dot: Dot) { byDot[dot] = nil }

    // MARK: Queries

    package var isEmpty: Bool { byDot.isEmpty }

    package var count: Int { byDot.count }

    package func contains(_ dot: Dot) -> Bool { byDot[dot] != nil }

    /// The writes sorted by their dots; this order is the same in every process.
    package var sorted: [QuarantinedWrite] { byDot.values.sorted { $0.dot < $1.dot } }

    /// Returns the part of a vector that may be claimed, which ends for each origin before its first quarantined write.
    package func claimable(of vector: VersionVector) -> VersionVector {
        guard !isEmpty else { return vector }
        var bounds: [Origin: UInt64] = [:]
        for dot in byDot.keys { bounds[dot.origin] = min(bounds[dot.origin] ?? .max, dot.sequence - 1) }
        return VersionVector(
            vector.sorted.map { ($0.origin, min($0.sequence, bounds[$0.origin] ?? .max)) })
    }

    /// Returns the quarantined writes that no longer have an effect, because one of these records has a later
    /// incarnation.
    package func overwritten(in records: some Sequence<Record>) -> [QuarantinedWrite] {
        guard !isEmpty else { return [] }
        return records.flatMap { record in sorted.filter { $0.isOverwritten(in: record) } }
    }
}
