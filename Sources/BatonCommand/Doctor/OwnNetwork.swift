package import BatonCore
import BatonDiscovery
package import BatonNetwork

/// The facts about this machine's network that the checks of the port, the firewall and discovery need.
package struct OwnNetwork: Sendable {
    /// The addresses at which other machines can probably reach this machine, the best address first.
    package var hosts: Result<[SocketAddress.Host], NetworkError>
    package var tool: FirewallTool
    /// The interfaces that have an address but no carrier.
    ///
    /// The list is empty if any interface has a carrier.
    package var unplugged: [String] = []
    package var connect: @Sendable (SocketAddress) -> NetworkError?
    /// Returns the name that another program of this machine announces, or nil if no program announces a name.
    package var announcedName: @Sendable () -> Result<String?, NetworkError>

    package init(
        hosts: Result<[SocketAddress.Host], NetworkError>, tool: FirewallTool,
        connect: @escaping @Sendable (SocketAddress) -> NetworkError?,
        announcedName: @escaping @Sendable () -> Result<String?, NetworkError>
    ) {
        (self.hosts, self.tool) = (hosts, tool)
        (self.connect, self.announcedName) = (connect, announcedName)
    }

    /// The facts about the network of the machine on which this command runs.
    package static var here: OwnNetwork {
        var network = OwnNetwork(
            hosts: Result { () throws(NetworkError) in try LocalAddresses.reachable() },
            tool: .installed, connect: { PortTrial.connect(to: $0) },
            announcedName: { Result { () throws(NetworkError) in try AnnouncedHostName.find() } })
        do throws(NetworkError) {
            network.unplugged = try LocalAddresses.unpluggedInterfaces()
        } catch {
            // If the interfaces can't be listed, the addresses can't be listed either. The check of the firewall gives
            // the reason.
            network.unplugged = []
        }
        return network
    }

    /// Checks the port, the firewall, discovery and the announced names of a running node.
    ///
    /// `places` are the known places of the account's other devices.
    package func findings(_ status: NodeStatus, _ places: [PlacesReply], of home: Home) -> [Finding] {
        let addresses = status.listening.split(separator: ",").compactMap { word in
            try? SocketAddress(text: String(word.drop { $0 == " " }))
        }
        guard let port = addresses.first?.port else { return [] }
        let state = PortState(listening: addresses, connecting: connect)
        var discovery = DiscoveryState(status, listening: addresses)
        if !unplugged.isEmpty, case .limited = discovery { discovery = .noCarrier }
        return [
            state.finding(of: home), firewall(addresses, places).finding(port: port),
            discovery.finding(of: home),
        ] + (discovery.isAnnouncing ? [nameState.finding] : [])
    }

    private var nameState: NameState {
        switch announcedName() {
        case .success(let name): name.map { .announced($0) } ?? .hidden
        case .failure(let error): .unknown(error.reason)
        }
    }

    private func firewall(_ addresses: [SocketAddress], _ places: [PlacesReply]) -> FirewallState {
        switch hosts {
        case .failure(let error): .unknown(error.reason)
        case .success where !unplugged.isEmpty && addresses.contains { !$0.host.isLoopback }:
            .noCarrier(unplugged)
        case .success(let hosts):
            FirewallState(
                listening: addresses, own: hosts, accepted: accepted(places, besides: hosts), tool: tool,
                connecting: connect)
        }
    }

    /// Returns the device and the address of a connection that another machine has made to this one, or nil if there is
    /// none.
    private func accepted(
        _ places: [PlacesReply], besides own: [SocketAddress.Host]
    ) -> (device: String, from: String)? {
        for place in places {
            guard let connection = place.connection, !connection.isDialled,
                let host = (try? SocketAddress(text: connection.address))?.host, !host.isLoopback,
                !own.contains(host)
            else { continue }
            return (place.device.name, host.description)
        }
        return nil
    }
}
