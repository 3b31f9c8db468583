import BatonCore

/// Promise 2, of addresses: the addresses that a device sends of others arrive as sent, in the same order, or the
/// connection ends.
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
