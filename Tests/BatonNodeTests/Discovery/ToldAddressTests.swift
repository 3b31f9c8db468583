import BatonCore
import BatonNetwork
import Glibc
import Support
import Testing

/// Addresses that another device of the account sends to a node.
@Suite struct `Addresses that another device announces` {
    private let folder: TemporaryFolder
    private let node: RunningNode
    private let teller: ActedDevice

    /// Starts a node, with a device of its account that never runs, and one that announces addresses.
    init() throws {
        folder = try TemporaryFolder()
        node = try RunningNode.first(folder, "near") {
            $0.redialTime = .milliseconds(10)...(.milliseconds(50))
        }
        try node.admit("away")
        try node.admit("teller")
        teller = try ActedDevice(RunningNode.home(folder, "teller"), callingPort: node.port)
    }

    /// Returns the status of the device that never runs.
    private func away() throws -> DeviceStatus {
        try #require(try node.peers().first { $0.device.name == "away" })
    }

    private func tell(_ device: DeviceIdentifier, _ addresses: [String]) {
        teller.say(.addresses([DeviceAddresses(device: device, name: "ghost", addresses: addresses)]))
    }

    @Test func `are neither dialled nor shown for a device that is not on the roster`() throws {
        let port = try CountingPort()
        tell(DeviceIdentifier(bytes: [UInt8](repeating: 7, count: 16))!, ["127.0.0.1:\(port.port)"])
        // The node reads messages in order, so it has read the first once the second shows.
        tell(try away().device.identifier, ["192.0.2.1:9"])
        try eventually("the announced address") { try away().addresses == ["192.0.2.1:9"] }
        #expect(try node.peers().map(\.device.name).sorted() == ["away", "teller"])
        #expect(port.connections == 0)
    }

    @Test func `are not dialled if they are local, whether numeric or host names`() throws {
        let port = try CountingPort()
        let spelled = ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.1.1", "[fe80::1]", ""]
        let device = try away().device.identifier
        tell(device, spelled.map { "\($0):\(port.port)" })
        tell(device, ["localhost:\(port.port)"])
        try eventually("why it is not tried: \(node.lines)") {
            try away().trouble
                == "localhost:\(port.port) is not tried, since another device reported this local address"
        }
        #expect(try away().addresses == ["localhost:\(port.port)"])
        #expect(port.connections == 0)
    }

    @Test func `that are loopback addresses are dialled only if a person has set them`() throws {
        let port = try CountingPort()
        let address = "127.0.0.1:\(port.port)"
        guard case .success(let named) = try node.ask(SetAddresses("away", [address])).map(\.device) else {
            throw DeadlinePassed(description: "no answer")
        }
        #expect(named.namedAddresses == [address])
        try eventually("a call") { port.connections > 0 }
        _ = try node.ask(SetAddresses("away", []))
        #expect(try away().addresses.isEmpty && away().namedAddresses.isEmpty)
    }

    /// A listening port that counts connections.
    private final class CountingPort {
        private let socket: Int32
        let port: UInt16
        private var count = 0

        init() throws {
            let listener = Glibc.socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let bound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
                        && getsockname(listener, pointer, &length) == 0
                }
            }
            guard bound else { throw SystemError("listen") }
            (socket, port) = (listener, UInt16(bigEndian: address.sin_port))
        }

        deinit { close(socket) }

        /// The number of connections so far.
        var connections: Int {
            while true {
                let caller = accept(socket, nil, nil)
                guard caller >= 0 else { return count }
                close(caller)
                count += 1
            }
        }
    }
}
