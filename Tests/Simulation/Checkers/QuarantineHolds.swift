import BatonCore
import Support

/// Promise 2, for what can't be read: no device claims a write that it quarantines, or tells anyone that it has it.
final class QuarantineHolds: Checker {
    func noteCommit(at node: SimulatedNode, _ world: World) { judge(node.contents.complete, of: node, world) }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        let node = endpoint.node
        switch message {
        case .batch(let batch):
            if let claims = batch.complete { judge(claims, of: node, world) }
            if let range = batch.range { judge(range.complete ?? VersionVector(), of: node, world) }
        case .reports(let reports):
            if let own = reports[node.identity.device] { judge(own, of: node, world) }
        default: break
        }
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest { judge(node.contents.complete, of: node, world) }
    }

    private func judge(_ claims: VersionVector, of node: SimulatedNode, _ world: World) {
        guard !node.isFaulty else { return }
        guard let write = node.quarantined.first(where: { claims.covers($0.dot) }) else { return }
        world.violate(
            .convergence, about: Violation.Subject(dots: [write.dot], at: node),
            "\(node.name) claims \(write.dot.told(in: world)), which it quarantines")
    }
}
