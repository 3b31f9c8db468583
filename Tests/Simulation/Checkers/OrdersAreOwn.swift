import BatonCore

/// Promise 5: a device tells peers places in the order of arrival that its store began last; a place in an earlier order
/// may mean another write to another machine with its identity.
final class OrdersAreOwn: Checker {
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message, let order = endpoint.node.orderBegun,
            batch.resume.bytes.count > order.bytes.count
        else { return }
        let orders = endpoint.node.ordersTried.union([order])
        guard !orders.contains(where: { batch.resume.bytes.starts(with: $0.bytes) }) else { return }
        world.violate(
            .resumption, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) tells \(endpoint.peer.name) a place in an order of arrival that is over")
    }

    /// Machines with one identity have one order of arrival only as long as they have one life, too: they notice that
    /// as soon as one of them writes.
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest where !node.awaitsOrder {
            let shares = world.honest.contains {
                $0 !== node && $0.identity.device == node.identity.device && $0.order == node.order
                    && $0.journal.life != node.journal.life
            }
            guard shares else { continue }
            world.violate(
                .resumption, about: Violation.Subject(at: node),
                "\(node.name) still has the order of arrival of another machine with its identity")
        }
    }
}

extension SimulatedNode {
    /// The order of arrival of its store.
    fileprivate var order: ArrivalOrder {
        ask { (store) throws(StoreFailure) in try store.summary(for: nil).order }
    }
}
