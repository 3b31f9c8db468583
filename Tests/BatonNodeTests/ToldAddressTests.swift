import BatonCore
import BatonNetwork
import Glibc
import Support
import Testing

/// Addresses that another device of the account tells a node.
@Suite struct `Told addresses` {
    private let folder: TemporaryFolder
    private let node: RunningNode
    private let teller: ActedDevice

    /// A node, a device of its account that never runs, and one that tells addresses.
    init() throws {
        folder = try TemporaryFolder()
        node = try RunningNode.first(folder, "near") {
            $0.redialTime = .milliseconds(10)...(.milliseconds(50))
        }
        try node.admit("away")
        try node.admit("teller")
        teller = try ActedDevice(RunningNode.home(folder, "teller"), callingPort: node.port)
    }

    /// How the node stands with the device that never runs.
    private func away() throws -> DeviceStatus {
        try #require(try node.peers().first { $0.device.name == "away" })
    }

    private func tell(_ device: DeviceIdentifier, _ addresses: [String]) {
        teller.say(.addresses([DeviceAddresses(device: device, name: "ghost", addresses: addresses)]))
    }

    @Test func `of a device that is not on the roster are not dialled and not shown`() throws {
        let door = try Door()
        tell(DeviceIdentifier(bytes: [UInt8](repeating: 7, count: 16))!, ["127.0.0.1:\(door.port)"])
        // The node reads messages in order, and this one leaves a trace.
        tell(try away().device.identifier, ["192.0.2.1:9"])
        try eventually("the address") { try away().addresses == ["192.0.2.1:9"] }
        #expect(try node.peers().map(\.device.name).sorted() == ["away", "teller"])
        #expect(door.callers == 0)
    }

    @Test func `that are local are not dialled, be they spelled out or behind a host name`() throws {
        let door = try Door()
        let spelled = ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.1.1", "[fe80::1]", ""]
        let device = try away().device.identifier
        tell(device, spelled.map { "\($0):\(door.port)" })
        tell(device, ["localhost:\(door.port)"])
        try eventually("why it is not tried: \(node.lines)") {
            try away().trouble == "localhost:\(door.port): another device told this local address"
        }
        #expect(try away().addresses == ["localhost:\(door.port)"])
        #expect(door.callers == 0)
    }

    @Test func `are dialled on loopback where a person named them, until these are dropped`() throws {
        let door = try Door()
        let address = "127.0.0.1:\(door.port)"
        guard case .success(let named) = try node.ask(SetAddresses("away", [address])).map(\.device) else {
            throw DeadlinePassed(description: "no answer")
        }
        #expect(named.namedAddresses == [address])
        try eventually("a call") { door.callers > 0 }
        _ = try node.ask(SetAddresses("away", []))
        #expect(try away().addresses.isEmpty && away().namedAddresses.isEmpty)
    }

    /// A port of this machine that counts those who call.
    private final class Door {
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

        /// How many have called so far.
        var callers: Int {
            while true {
                let caller = accept(socket, nil, nil)
                guard caller >= 0 else { return count }
                close(caller)
                count += 1
            }
        }
    }
}
