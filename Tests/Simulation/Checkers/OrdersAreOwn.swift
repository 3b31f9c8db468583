import BatonCore

/// Promise 5: a device tells peers places in the order of arrival that its store began last; a place in an earlier order
/// may mean another write to another machine with its identity.
final class OrdersAreOwn: Checker {
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message, let order = endpoint.node.orderBegun,
            batch.resume.bytes.count > order.bytes.count, !batch.resume.bytes.starts(with: order.bytes)
        else { return }
        world.violate(
            .resumption, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) tells \(endpoint.peer.name) a place in an order of arrival that is over")
    }

    /// By then machines with one identity have found each other out.
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for (place, node) in world.honest.enumerated() {
            let others = world.honest[..<place].filter { $0.identity.device == node.identity.device }
            for other in others where node.order == other.order {
                world.violate(
                    .resumption, about: Violation.Subject(at: node),
                    "\(node.name) and \(other.name) have one identity, and still one order of arrival")
            }
        }
    }
}

extension SimulatedNode {
    /// The order of arrival of its store.
    fileprivate var order: ArrivalOrder {
        ask { (store) throws(StoreFailure) in try store.summary(for: nil).order }
    }
}
