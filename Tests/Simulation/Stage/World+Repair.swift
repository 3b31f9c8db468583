import BatonCore
import Support

/// A phase of a world's life in which nodes that agree come to hold different states without notice.
extension World {
    /// Gives a node a write that all claim and no other has.
    ///
    /// Without meeting anew, all must notice, and must have the write after the pause before the next comparison.
    func plantDifference() {
        begin(.repairing)
        guard canCompare, let node = honest.first(where: isOnly), let planted = makeDifference(at: node)
        else { return }
        tell("\(node.name) comes to hold \(planted.told(in: self)), which all claim and nobody else has")
        plantedDifferences.insert(planted.identity)
        let transaction = StoreTransaction.repair(planted)
        node.enter(
            .write(transaction, SimulatedNode.Work.OwnWrite(isBatch: false, seen: node.known) { _ in }, nil))
        let found = marks[.differences]
        let end = now + limits.checkTime * (2 * honest.count) + .seconds(10)
        guard play(until: end) else { return violate(.convergence, "nodes that repair never fall silent") }
        for other in honest where violation == nil && !other.contents.reflects(planted) {
            violate(
                .convergence, about: Violation.Subject([planted], at: other),
                "\(other.name) lacks \(planted.told(in: self)), which it claims and others have, and nobody found out"
            )
        }
        if violation == nil, marks[.differences] == found {
            violate(
                .convergence, about: Violation.Subject([planted], at: node),
                "nobody says that \(planted.told(in: self)) was found to be missing elsewhere")
        }
        if violation == nil { comeToRest() }
    }

    /// Whether all are connected and know that they agree, and can report their state as of one time.
    private var canCompare: Bool {
        profile.oldNodes == 0 && Set(honest.map(\.wallTime.compared)).count == 1
            && honest.allSatisfy { node in
                node.isSettled && !node.endpoints.isEmpty && node.endpoints.allSatisfy { $0.session.isInStep }
                    && node.ask { (store) throws(StoreFailure) in try store.check(at: node.comparedTime) }
                        != nil
            }
    }

    /// Makes a write of the last transaction that all claim of a node's life, at a place that the transaction never
    /// had.
    private func makeDifference(at node: SimulatedNode) -> Write? {
        let lane = streams["mending"].pick(Lane.allCases)
        let origin = Origin(life: node.journal.life, lane: lane)
        let sequence = node.contents.complete[origin]
        guard sequence > 0, honest.allSatisfy({ $0.contents.complete[origin] >= sequence }) else {
            return nil
        }
        var clock = node.journal.clock
        let stamp = Stamp(time: clock.next(at: node.wallTime), life: node.journal.life)
        return Write(
            dot: Dot(origin: origin, sequence: sequence, place: 1 << 20),
            key: Self.unusedKey(in: lane), stamp: stamp,
            action: .full(Write.Content(fields: Fields())))
    }

    /// Returns the key of a record that nobody else writes.
    private static func unusedKey(in lane: Lane) -> RecordKey {
        RecordKey(kind: RecordKind(rawValue: 8 + UInt64(lane.rawValue)), parts: 1) { $0.unsigned(1 << 30) }
    }
}

extension SimulatedNode {
    /// The time for which its state is compared.
    fileprivate var comparedTime: WallTime { wallTime.compared }
}

extension StoreTransaction {
    /// Returns a transaction that the store accepts although the write's dot is claimed.
    fileprivate static func repair(_ write: Write) -> StoreTransaction {
        var transaction = StoreTransaction(
            lane: write.identity.kind.lane, writes: [write], completing: VersionVector())
        transaction.isRepair = true
        return transaction
    }
}
