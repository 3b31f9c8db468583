import BatonCore

/// Promise 1 for what expires: who counts a device as met has all that the device held when it said what it claims.
///
/// Otherwise something could be swept to which that device has given another end.
final class MeetingsAreTrue: Checker {
    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint, _ world: World) {
        endpoint.watched.holdsMore = !endpoint.node.isSettled
    }

    /// By now a device claims everything of which it tells others that it holds it.
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
