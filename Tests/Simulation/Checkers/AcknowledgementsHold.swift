import BatonCore
import Support

/// Promise 1, between two devices: a device that acknowledges a batch has stored it, and every write of it was there
/// when it was merged, or was claimed already.
///
/// The store commits several batches in one group, which is acknowledged as a whole. A range that is merged behind a
/// batch may take the deletion that had ended a write of that batch, because its sender has garbage-collected it. Then
/// nothing shows the write any more when it is acknowledged, so the checker looks at each batch as soon as it is
/// merged.
final class AcknowledgementsHold: Checker {
    func noteMerged(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        guard let batch = endpoint.advance(.sent, to: .merged, in: transaction.lane) else { return }
        judge(batch, at: node, world)
    }

    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        _ = endpoint.advance(.merged, to: .kept, in: transaction.lane)
    }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        switch message {
        case .batch(let batch):
            endpoint.watched.unacknowledged.append(Watched.SentBatch(batch: batch))
        case .acknowledgement(let number):
            guard let other = endpoint.other else { return }
            for sent in other.watched.unacknowledged
            where sent.batch.number <= number && sent.progress != .kept {
                world.violate(
                    .acknowledgedIsKept, about: Violation.Subject(sent.batch.writes, at: endpoint.node),
                    "\(endpoint.node.name) acknowledges batch \(sent.batch.number) of \(endpoint.peer.name), and "
                        + "has not kept it")
            }
            other.watched.unacknowledged.removeAll { $0.batch.number <= number }
        default: break
        }
    }

    private func judge(_ batch: Batch, at node: SimulatedNode, _ world: World) {
        let (contents, complete) = (node.contents, node.contents.complete)
        // A claimed write may have been deleted since, and its tombstone collected.
        for write in batch.writes
        where !complete.covers(write.dot) && !contents.reflects(write)
            && !(write.isTombstone && contents.dropped.covers(write.dot))
            && !world.swept.contains(write.identity, Record(write).incarnation)
            && !node.quarantined.contains(where: { $0.dot == write.dot })
        {
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject([write], at: node),
                "\(node.name) merges \(write.told(in: world)), and does not hold it then")
        }
    }
}

extension Endpoint {
    /// Advances the oldest batch of a lane that the other side sent and that has come so far by one step.
    fileprivate func advance(
        _ progress: Watched.SentBatch.Progress, to next: Watched.SentBatch.Progress, in lane: Lane
    ) -> Batch? {
        guard let other,
            let place = other.watched.unacknowledged.firstIndex(where: {
                $0.batch.lane == lane && $0.progress == progress
            })
        else { return nil }
        other.watched.unacknowledged[place].progress = next
        return other.watched.unacknowledged[place].batch
    }
}
