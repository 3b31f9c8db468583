import BatonCore
import Support

/// Promise 6 between two devices: nothing is sent back over a connection by which it came.
///
/// Snapshots are exempt, of which one range claims nothing yet, and batches that mend a difference. So are updates: less
/// and less of one is left as others overwrite it, and what is on its way in both directions need not be the same part.
/// A session remembers a window of what came.
final class NothingComesBack: Checker {
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        let isChange = transaction.range == nil && !transaction.isAhead && !transaction.isMending
        for write in transaction.writes {
            endpoint.taken[write.dot] = isChange ? write : nil
            endpoint.takenBytes += write.byteCount
        }
    }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message, batch.range == nil, !batch.isAhead, batch.mending == nil,
            !endpoint.node.isFaulty, endpoint.takenBytes <= Limits.windowBytes
        else { return }
        for write in batch.writes where endpoint.taken[write.dot] == write && !write.isPartial {
            world.violate(
                .costFollowsChange, about: Violation.Subject([write], at: endpoint.node),
                "\(endpoint.node.name) sends \(write.told(in: world)) back to \(endpoint.peer.name)")
        }
    }
}
