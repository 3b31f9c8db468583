import BatonCore

/// Promise 2, of addresses: those that a device tells of others arrive as they were told, in that order, or the connection
/// ends.
final class AddressesArrive: Checker {
    func noteAddresses(_ routes: [DeviceAddresses], at endpoint: Endpoint, _ world: World) {
        guard let other = endpoint.other, !other.node.isFaulty else { return }
        guard !other.watched.told.isEmpty, other.watched.told.removeFirst() == routes else {
            return world.violate(
                .convergence, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.node.name) hears of other addresses than \(endpoint.peer.name) told")
        }
        world.marks[.addressesHeard] += 1
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for endpoint in world.honest.flatMap(\.endpoints) where !endpoint.watched.told.isEmpty {
            world.violate(
                .convergence, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.peer.name) never heard of addresses that \(endpoint.node.name) told")
        }
    }
}
