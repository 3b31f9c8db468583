import BatonCore
import Support

/// Promise 2, as a person sees it: a device that reports nothing left to send has nothing that its peer lacks, and in
/// the end no device has anything to send or to receive.
final class BacklogIsTrue: Checker {
    /// A node that gives up its claims ends its sessions, which report earlier claims until then.
    func noteLoss(at node: SimulatedNode, _ world: World) {
        for endpoint in node.endpoints { endpoint.other?.watched.isOutdated = true }
    }

    func noteCommit(at node: SimulatedNode, _ world: World) {
        let names = node.journal.names
        for endpoint in node.endpoints {
            guard !endpoint.watched.isOutdated, let other = endpoint.other, !other.isCut,
                !other.session.isClosed,
                !endpoint.peer.isFaulty,
                !endpoint.peer.quarantinesWrites,
                let backlog = endpoint.session.backlog(named: names), backlog.toSend == 0
            else { continue }
            let claimed = endpoint.peer.contents.complete
            for (lane, sequence) in names.sequences
            where claimed[Origin(life: names.life, lane: lane)] < sequence {
                // A peer claims nothing of a device while it holds a write of it that it could not read.
                guard endpoint.peer.quarantined.isEmpty else { continue }
                world.violate(
                    .convergence, about: Violation.Subject(at: node),
                    "\(node.name) has nothing more to send to \(endpoint.peer.name), which lacks what it wrote"
                )
            }
        }
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest {
            for endpoint in node.endpoints {
                guard let backlog = endpoint.session.backlog(named: node.journal.names),
                    backlog != SyncBacklog(taken: backlog.taken)
                else { continue }
                world.violate(
                    .convergence, about: Violation.Subject(at: node),
                    "\(node.name) says at rest that between it and \(endpoint.peer.name) something is missing: \(backlog)"
                )
            }
        }
    }
}
