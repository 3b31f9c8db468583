import BatonCore
import Support

/// Messages between devices that no record carries: addresses, and that the index stays on one device.
extension SimulatedNode {
    /// The person keeps the index on the device, or lets it leave again.
    func hold() {
        world.tell("\(name) \(holdsIndex ? "lets its index leave again" : "keeps its index to itself")")
        world.marks[.held] += 1
        holdsIndex.toggle()
    }

    /// The device has learnt the addresses of some devices, and sends them to all that it is connected with.
    func tellAddresses() {
        let stream = "tell"
        let routes = (0..<world.streams[stream].number(1...3)).map { _ in
            DeviceAddresses(
                device: world.streams[stream].pick(world.honest).identity.device, name: name,
                addresses: ["192.0.2.\(world.streams[stream].number(1...254)):4242"])
        }
        for endpoint in endpoints where endpoint.session.isOpen {
            endpoint.watched.told.append(routes)
            endpoint.handle { $0.tellAddresses(routes) }
        }
    }
}
