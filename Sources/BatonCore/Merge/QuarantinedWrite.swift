/// A write that came and can't be read, though its name can: it is set aside, and the rest is taken.
///
/// Of its origin nothing from its transaction on is claimed until it has come in a form that can be read, or means
/// nothing any more. So nobody believes that it is here, or passes on that belief.
package struct QuarantinedWrite: Equatable, Sendable {
    package let dot: Dot
    /// What must have been overwritten before the write means nothing; nothing if that can't be read, or never can be.
    package let target: Target?
    /// What is wrong with it, for a log.
    package let reason: String
    /// Who sent it.
    package var peer: DeviceIdentifier?

    /// An incarnation of a record.
    package struct Target: Equatable, Sendable {
        package let identity: RecordIdentity
        package let incarnation: Stamp

        package init(identity: RecordIdentity, incarnation: Stamp) {
            (self.identity, self.incarnation) = (identity, incarnation)
        }
    }

    package init(dot: Dot, target: Target?, reason: String, peer: DeviceIdentifier? = nil) {
        (self.dot, self.target, self.reason, self.peer) = (dot, target, reason, peer)
    }

    /// Whether the write would change nothing, whatever it says, where the record has come to this.
    package func isOverwritten(in record: Record) -> Bool {
        guard let target, target.identity == record.identity else { return false }
        return record.incarnation > target.incarnation
    }
}

/// The writes of one lane that a store has set aside.
package struct QuarantinedWrites: Equatable, Sendable {
    private var byDot: [Dot: QuarantinedWrite] = [:]

    package init() {}

    // MARK: Commands

    package mutating func add(_ aside: QuarantinedWrite) { byDot[aside.dot] = aside }

    package mutating func remove(_ dot: Dot) { byDot[dot] = nil }

    // MARK: Queries

    package var isEmpty: Bool { byDot.isEmpty }

    package var count: Int { byDot.count }

    package func contains(_ dot: Dot) -> Bool { byDot[dot] != nil }

    /// In the order of dots, which is the same in every process.
    package var sorted: [QuarantinedWrite] { byDot.values.sorted { $0.dot < $1.dot } }

    /// What may be claimed of a vector.
    package func claimable(of vector: VersionVector) -> VersionVector {
        guard !isEmpty else { return vector }
        var bounds: [Origin: UInt64] = [:]
        for dot in byDot.keys { bounds[dot.origin] = min(bounds[dot.origin] ?? .max, dot.sequence - 1) }
        return VersionVector(
            vector.sorted.map { ($0.origin, min($0.sequence, bounds[$0.origin] ?? .max)) })
    }

    /// Those that mean nothing any more where these records have come to what they are.
    package func overwritten(in records: some Sequence<Record>) -> [QuarantinedWrite] {
        guard !isEmpty else { return [] }
        return records.flatMap { record in sorted.filter { $0.isOverwritten(in: record) } }
    }
}
