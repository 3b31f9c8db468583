import BatonCore
import Support

/// Promise 1, between two devices: a device that acknowledges a batch has kept all that stood in it, or claims it
/// already.
final class AcknowledgementsHold: Checker {
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        switch message {
        case .batch(let batch): endpoint.watched.unacknowledged.append(batch)
        case .acknowledgement(let number):
            guard let other = endpoint.other else { return }
            for batch in other.watched.unacknowledged where batch.number <= number {
                judge(batch, at: endpoint.node, world)
            }
            other.watched.unacknowledged.removeAll { $0.number <= number }
        default: break
        }
    }

    private func judge(_ batch: Batch, at node: SimulatedNode, _ world: World) {
        let (contents, complete) = (node.contents, node.contents.complete)
        // A claimed write may have been deleted since, and the trace of that let go.
        for write in batch.writes
        where !complete.covers(write.dot) && !contents.reflects(write)
            && !(write.isTrace && contents.dropped.covers(write.dot))
            && !world.swept.contains(write.identity, Record(write).incarnation)
        {
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject([write], at: node),
                "\(node.name) acknowledges \(write.told(in: world)), and has not kept it")
        }
    }
}
