import BatonCore

/// Promise 1, where a store gave up its claims: its device then writes in another life, and other devices send it
/// everything in new sessions.
final class GivenUpStartsOver: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest where node.isUp {
            guard let givenUp = node.givenUp else { continue }
            if let life = givenUp.life, node.journal.life == life {
                world.violate(
                    .acknowledgedIsKept, about: Violation.Subject(at: node),
                    "\(node.name) gave up its claims and still writes in life \(life.told(in: world))"
                )
            }
            if let session = givenUp.sessions.first(where: { !$0.isCut }) {
                world.violate(
                    .acknowledgedIsKept, about: Violation.Subject(at: node),
                    "\(node.name) gave up its claims and is still in a session with \(session.peer.name) "
                        + "that began before")
            }
        }
    }
}
