import BatonCore

/// Promise 2: two devices that find a difference repair it in the same session, and find afterwards that they agree.
final class DifferencesAreRepaired: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for endpoint in world.honest.flatMap(\.endpoints) where endpoint.watched.differs {
            guard let other = endpoint.other, !other.isCut, !other.node.isFaulty else { continue }
            world.violate(
                .convergence, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.node.name) found that it differs from \(endpoint.peer.name), and never that both agree again"
            )
        }
    }
}
