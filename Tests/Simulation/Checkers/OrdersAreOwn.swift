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

    /// A device that learnt of another machine in its life has left the order of arrival that both had.
    ///
    /// Copies that never wrote in one life may share an order: a write that failed begins a life, and no order.
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest where node.sharedOrders.contains(node.order) {
            world.violate(
                .resumption, about: Violation.Subject(at: node),
                "\(node.name) still has the order of arrival of another machine that wrote in its life")
        }
    }
}

extension SimulatedNode {
    /// Notes that another machine writes in the present life, and so has the same order of arrival.
    func noteSharedOrder() { sharedOrders.insert(order) }

    /// The order of arrival of its store.
    fileprivate var order: ArrivalOrder {
        ask { (store) throws(StoreFailure) in try store.summary(for: nil).order }
    }
}
