import BatonCore

/// The writes that a node can't read, because their authors run a newer version: it quarantines them as they arrive.
struct UnreadableWrites {
    /// The lives of their authors.
    let lives: Set<Life>
    /// The records that they change.
    let records: Set<RecordIdentity>

    /// Quarantines what can't be read of a peer's transaction, which claims it all the same.
    func quarantine(in transaction: inout StoreTransaction, from peer: SimulatedNode) {
        let unread = transaction.writes.filter {
            records.contains($0.identity) && lives.contains($0.stamp.life)
        }
        guard !unread.isEmpty else { return }
        transaction.writes.removeAll { write in unread.contains { $0.dot == write.dot } }
        transaction.quarantined += unread.map { QuarantinedWrite($0, from: peer.identity.device) }
    }
}

extension SimulatedNode {
    /// The writes that its store quarantines.
    var quarantined: [QuarantinedWrite] {
        ask { (store) throws(StoreFailure) in try store.quarantined() }
    }
}

extension QuarantinedWrite {
    /// The part of a write of a newer version that a node can read: its name, and what must be overwritten before it means
    /// nothing.
    fileprivate init(_ write: Write, from peer: DeviceIdentifier) {
        let incarnation =
            switch write.action {
            case .full, .deletion: write.stamp
            case .partial(let changed, _): changed
            case .count(let begun, _): begun
            }
        self.init(
            dot: write.dot, target: Target(identity: write.identity, incarnation: incarnation),
            reason: "of another version", peer: peer)
    }
}
