import BatonCore

/// Promise 8, of two accounts beside each other: no connection sends anything of one account to a device of the other,
/// or takes anything from it, except the answer that it has no business there.
final class AccountsStayApart: Checker {
    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World) {
        guard endpoint.isAcross, !endpoint.isPretending else { return }
        guard frame.kind == .close else {
            return world.violate(
                .strangersStayOut,
                "\(endpoint.node.name) gives \(endpoint.peer.name), of another account, a \(frame.kind)")
        }
        let own = endpoint.node.identity
        for (what, bytes) in [
            ("its name", Array(own.name.utf8)), ("its identifier", own.device.bytes),
            ("its account", own.account.bytes),
        ] where !frame.body.ranges(of: bytes).isEmpty {
            world.violate(
                .strangersStayOut,
                "\(endpoint.node.name) tells \(endpoint.peer.name), of another account, \(what)")
        }
    }

    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        guard endpoint.isAcross else { return }
        world.violate(
            .strangersStayOut,
            "\(node.name) takes writes of \(endpoint.peer.name), which is of another account")
    }

    /// Checks that every write in a store was named by a device of its account.
    func judgeAtRest(_ world: World, _ truth: Truth) {
        let everyone = world.nodes + world.everyoneGone
        let lives = everyone.reduce(into: Set<Life>()) { $0.formUnion($1.lives) }
        for node in world.nodes {
            guard
                let write = node.contents.survivingWrites.first(where: { !lives.contains($0.dot.origin.life) }
                )
            else { continue }
            world.violate(
                .strangersStayOut, about: Violation.Subject([write], at: node),
                "\(node.name) holds \(write.told(in: world)), of another account")
        }
    }
}
