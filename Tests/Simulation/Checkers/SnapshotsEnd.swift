import BatonCore
import Support

/// Promise 5, behind a snapshot: a peer that has all of it is not sent it again from its beginning, and goes on from a
/// place behind it.
final class SnapshotsEnd: Checker {
    /// The claims that came with the end of the snapshot that a device took last, if it makes them all since.
    private var ended: [Pair: [Lane: VersionVector]] = [:]

    private struct Pair: Hashable {
        let from: Int, to: Int
    }

    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        guard let range = transaction.range else { return }
        let pair = Pair(from: endpoint.peer.number, to: node.number)
        let isClaimed = range.through == nil && range.start.isWithin(node.contents.complete)
        ended[pair, default: [:]][transaction.lane] = isClaimed ? range.start : nil
    }

    func noteLoss(at node: SimulatedNode, _ world: World) {
        ended = ended.filter { $0.key.from != node.number && $0.key.to != node.number }
    }

    func noteRange(_ request: RangeRequest, by endpoint: Endpoint, _ world: World) {
        guard request.after == nil else { return }
        endpoint.watched.snapshotsBegun.insert(request.lane)
        let (node, peer) = (endpoint.node, endpoint.peer)
        let taken =
            endpoint.isAlone && world.isOnly(node) && world.isOnly(peer)
            ? ended[Pair(from: node.number, to: peer.number)]?[request.lane] : nil
        let dropped = node.contents.dropped.restricted(to: request.lane)
        // Another one is needed once more was collected while it was sent.
        guard
            [taken, endpoint.watched.snapshotsSent[request.lane]].contains(where: {
                $0.map(dropped.isWithin) ?? false
            })
        else { return }
        world.violate(
            .resumption, about: Violation.Subject(at: node),
            "\(node.name) sends \(peer.name) a snapshot of \(request.lane) from its beginning once more, which claims "
                + "all that was collected")
    }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message, let range = batch.range else { return }
        if range.after == nil, let complete = range.complete {
            endpoint.watched.snapshotStarts[batch.lane] = complete
        }
        guard range.through == nil else { return }
        endpoint.watched.snapshotsSent[batch.lane] = endpoint.watched.snapshotStarts[batch.lane]
        guard endpoint.watched.snapshotsBegun.remove(batch.lane) != nil,
            let summary = endpoint.watched.summary, let head = summary.heads[batch.lane],
            let place = batch.resume.places(in: summary.order), place.writes < head.value
        else { return }
        world.violate(
            .resumption, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) has \(endpoint.peer.name) go on in its \(batch.lane) at place "
                + "\(place.writes), before the snapshot that it sent, which began behind "
                + "\(head.value)")
    }
}
