import BatonCore
import Support

/// What devices tell each other, or keep from each other, beside what they write.
extension World {
    /// A person wants nothing of the index to leave a device, or lets it leave again.
    func hold() {
        guard let node = honest.filter(\.isUp).randomElement(from: &streams["hold"]) else { return }
        tell("\(node.name) \(node.holdsIndex ? "lets its index leave again" : "keeps its index to itself")")
        marks[.held] += 1
        node.holdsIndex.toggle()
    }

    /// A device has learnt where some device may be found, and tells all that it is connected with.
    func tellAddresses() {
        guard let node = honest.filter(\.isUp).randomElement(from: &streams["tell"]) else { return }
        let routes = (0..<streams["tell"].number(1...3)).map { _ in
            DeviceAddresses(
                device: streams["tell"].pick(honest).identity.device, name: node.name,
                addresses: ["192.0.2.\(streams["tell"].number(1...254)):4242"])
        }
        for endpoint in node.endpoints where endpoint.session.isOpen {
            endpoint.told.append(routes)
            endpoint.handle { $0.tellAddresses(routes) }
        }
    }
}

extension [SimulatedNode] {
    fileprivate func randomElement(from generator: inout SeededGenerator) -> SimulatedNode? {
        isEmpty ? nil : generator.pick(self)
    }
}
