import BatonCore

/// Promise 1 for what expires: a device that counts another as met has everything that the other held when it sent its
/// claims.
///
/// Otherwise a device could sweep an item to which the other has given another end.
final class MeetingsAreTrue: Checker {
    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint, _ world: World) {
        endpoint.watched.holdsMore = !endpoint.node.isSettled
    }

    /// A device claims everything by now that it reports to others as held.
    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World) {
        if frame.kind == .check { endpoint.watched.holdsMore = false }
    }

    func noteMeeting(at endpoint: Endpoint, _ world: World) {
        guard let other = endpoint.other, other.watched.holdsMore, !other.node.isFaulty else { return }
        world.violate(
            .acknowledgedIsKept, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) counts \(other.node.name) as met, which holds what it does not claim")
    }
}
