import BatonCore
import Support

/// Promise 5, as far as stores have to read what was sent already: a device remembers where each peer is to resume,
/// sends that position when they meet again, and the peer reads its store from there.
final class PlacesAreKept: Checker {
    /// The last resume position of each lane that a node stored, by its number and the device that named the position.
    private var kept: [Pair: [Lane: ResumeToken]] = [:]

    private struct Pair: Hashable {
        let node: Int
        let peer: DeviceIdentifier
    }

    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        guard let resume = transaction.resume, !endpoint.peer.isFaulty else { return }
        // A snapshot remembers its position by itself, until it is complete.
        let isChange = transaction.range?.through == nil && !transaction.isAhead
        kept[Pair(node: node.number, peer: resume.peer), default: [:]][transaction.lane] =
            isChange ? resume.token : nil
    }

    func noteLoss(at node: SimulatedNode, _ world: World) {
        kept = kept.filter { $0.key.node != node.number }
    }

    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint, _ world: World) {
        let peer = endpoint.peer.identity.device
        // Positions of devices that left are forgotten.
        let isPart = world.roster.contains(peer)
        let known = isPart ? kept[Pair(node: endpoint.node.number, peer: peer)] ?? [:] : [:]
        for (lane, token) in known where summary.resume[lane] != token {
            world.violate(
                .resumption, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.node.name) does not remember where \(endpoint.peer.name) is to go on in its \(lane)"
            )
        }
        endpoint.watched.summary = summary
    }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .hello(let hello) = message, !endpoint.node.isFaulty else { return }
        endpoint.other?.watched.places = hello.resume
        guard let summary = endpoint.watched.summary, hello.resume != summary.resume else { return }
        world.violate(
            .resumption, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) tells \(endpoint.peer.name) other places to go on than it remembers")
    }

    func noteAsked(_ request: ChangesRequest, by endpoint: Endpoint, _ world: World) {
        guard let summary = endpoint.watched.summary, !endpoint.peer.isFaulty,
            let token = endpoint.watched.places.removeValue(forKey: request.lane),
            let place = token.places(in: summary.order), let head = summary.heads[request.lane],
            max(place.writes, place.clears) <= head.value, request.after.value < place.writes
        else { return }
        world.violate(
            .resumption, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) reads its \(request.lane) from place \(request.after.value) for "
                + "\(endpoint.peer.name), which has all up to place \(place.writes)")
    }
}

extension ResumeToken {
    /// Reads the token's positions in the order, if it was made in that one.
    ///
    /// It does not use the product's own decoder, so that a mistake in the decoder comes to light.
    func places(in order: ArrivalOrder) -> (writes: UInt64, clears: UInt64)? {
        let places = bytes.dropFirst(order.bytes.count)
        guard bytes.starts(with: order.bytes), places.count == 16 else { return nil }
        let number = { (bytes: ArraySlice<UInt8>) in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return (number(places.prefix(8)), number(places.suffix(8)))
    }
}
