import BatonCore
import Support

/// Promise 6, of one connection: a side that has announced its close sends nothing more.
final class ClosedIsSilent: Checker {
    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World) {
        if endpoint.watched.saidClose, !endpoint.node.isFaulty {
            world.violate(
                .costFollowsChange, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.node.name) sends \(endpoint.peer.name) a \(frame.kind) after it has closed")
        }
        if frame.kind == .close { endpoint.watched.saidClose = true }
    }
}
