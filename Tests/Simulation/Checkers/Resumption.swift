import BatonCore
import Support

/// Promise 5: after a cut, two nodes resend each other at most one window of what was stored already, unless one of
/// them lost something.
///
/// Snapshots begin anew where more was garbage-collected, and do not count: neither do their ranges, nor the writes that
/// one of them brought because they arrived while it was sent, and that come once more behind it. Machines that share
/// one identity do not count either: each has its own order, and a peer remembers its position in one of them.
final class Resumption: Checker {
    /// The size of the batch of each lane that was read before the window was full.
    private static let besideWindow = Lane.allCases.count * Limits.largestBatchBytes
    private var kept: [Pair: [Dot: [Write]]] = [:]

    private struct Pair: Hashable {
        let from: Int, to: Int
    }

    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        guard transaction.range == nil else { return }
        let pair = Pair(from: endpoint.peer.number, to: node.number)
        let isAlone = endpoint.isAlone && world.isOnly(endpoint.peer) && world.isOnly(node)
        for write in transaction.writes {
            let known = kept[pair]?[write.dot] ?? []
            guard known.contains(write) else {
                kept[pair, default: [:]][write.dot, default: []].append(write)
                continue
            }
            guard isAlone else { continue }
            endpoint.watched.bytesAgain += write.byteCount
        }
        if endpoint.watched.bytesAgain > world.limits.sentBytes + Self.besideWindow {
            world.violate(
                .resumption,
                "\(endpoint.peer.name) sent \(endpoint.watched.bytesAgain) bytes once more that \(node.name) had kept"
            )
        }
    }

    func noteLoss(at node: SimulatedNode, _ world: World) { forget(node, world) }

    func noteBeginning(at node: SimulatedNode, _ world: World) { forget(node, world) }

    private func forget(_ node: SimulatedNode, _ world: World) {
        kept = kept.filter { $0.key.from != node.number && $0.key.to != node.number }
        for endpoint in world.nodes.flatMap(\.endpoints) { endpoint.watched.bytesAgain = 0 }
    }
}
