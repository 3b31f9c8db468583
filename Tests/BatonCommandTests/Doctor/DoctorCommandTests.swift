import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

/// `baton doctor` with a fake node.
@Suite struct `The command doctor` {
    /// A node of a version with a connected desktop, at whose addresses the closure answers.
    private static func node(
        build: String = Build.version, connected: Bool = true, hasOwner: Bool = true, troubles: [String] = [],
        places: [KnownPlace] = [KnownPlace("10.0.0.2:4817", .met)],
        probe: @escaping @Sendable (String) -> FakeAnswer? = { _ in
            .reply(ProbeReply([ProbeAttempt(.reached(version: Build.version, clockLead: 0))]))
        }
    ) throws -> FakeNode {
        var status = Example.status([Example.peer(connected: connected)], listening: "127.0.0.1:0")
        status.troubles = troubles
        let (reply, peer) = (status, Example.peer(connected: connected))
        var here = peer
        (here.device, here.isOwner) = (Example.laptop, hasOwner)
        let own = here
        return try FakeNode(hello: LocalHello(build: build, process: 4711).frame) { call in
            switch call {
            case is ListAccounts:
                .reply(
                    AccountsReply([
                        AccountStatus(
                            name: "default", isDefault: true, account: Example.account, devices: 2,
                            connected: 1, trouble: nil)
                    ]))
            case is GetStatus: .reply(reply)
            case is GetSettings: .reply(Settings())
            case is ListDevices: .reply(DevicesReply([own, peer]))
            case is ListPlaces: .reply(PlacesReply(Example.desktop, places))
            case let call as ProbeAddress: probe(call.address)
            default: nil
            }
        }
    }

    /// The findings that the command prints as JSON.
    private func findings(_ typed: Typed) throws -> [JSON] {
        try typed.output.split(separator: "\n").map { try JSON(reading: Array($0.utf8)) }
    }

    private func outcomes(_ typed: Typed, _ check: String) throws -> [String] {
        try findings(typed).filter { $0["check"]?.string == check }.compactMap { $0["outcome"]?.string }
    }

    @Test func `a node of another version with the same protocol is reported, and is no problem`() throws {
        let typed = Typed(try Self.node(build: "0.0.9"), "doctor", "--json")
        #expect(try outcomes(typed, "version") == ["differs"], "\(typed)")
        let text = Typed(try Self.node(build: "0.0.9"), "doctor").output
        #expect(
            text.contains("\n! version: the node is 0.0.9, this command is \(Build.version)\n"), "\(text)")
    }

    @Test func `a node that speaks another protocol is a problem`() throws {
        let node = try FakeNode(hello: LocalHello(version: 2, build: "9.0", process: 1).frame) { _ in nil }
        let typed = Typed(node, "doctor", "--json")
        #expect(typed.status == 21 && typed.errors.isEmpty, "\(typed)")
        #expect(try outcomes(typed, "node") == ["incompatible"])
        // Everything else that needs no node is checked.
        #expect(try outcomes(typed, "disk").count == 1 && outcomes(typed, "service").count == 1)
    }

    @Test func `the outcomes at many addresses are printed in the order of the addresses`() throws {
        let places = (1...24).map { KnownPlace("10.0.0.\($0):4817", .told) }
        let node = try Self.node(connected: false, places: places) { address in
            address == "10.0.0.5:4817"
                ? .failure(LocalFailure(.notFound, "It is not looked for there any more."))
                : .reply(ProbeReply([ProbeAttempt(.refused)]))
        }
        let typed = Typed(node, "doctor", "--json")
        let addresses = try findings(typed).compactMap { $0["address"]?.string }
        #expect(addresses == places.map(\.address), "\(typed)")
        let outcomes = try outcomes(typed, "address")
        #expect(outcomes.count == 24 && outcomes[4] == "failed" && outcomes[5] == "refused")
        #expect(typed.status == 21)
    }

    @Test func `for an account without an owner doctor says how to promote a machine`() throws {
        let typed = Typed(try Self.node(hasOwner: false), "doctor", "--json")
        #expect(try outcomes(typed, "account") == ["served", "ownerless"], "\(typed)")
        #expect(typed.output.contains("`baton promote"), "\(typed)")
        #expect(try outcomes(Typed(try Self.node(), "doctor", "--json"), "account") == ["served"])
    }

    @Test func `problems that the node reports are shown, and each address of a host name`() throws {
        let node = try Self.node(troubles: ["the disk is slow"]) { _ in
            .reply(
                ProbeReply([
                    ProbeAttempt(.reached(version: "1", clockLead: nil), at: "10.0.0.2:4817"),
                    ProbeAttempt(.noAnswer(milliseconds: 5000), at: "[fd00::2]:4817"),
                ]))
        }
        let typed = Typed(node, "doctor", "--json")
        #expect(try outcomes(typed, "trouble") == ["reported"], "\(typed)")
        #expect(try outcomes(typed, "address") == ["reached", "noAnswer"], "\(typed)")
    }

    @Test func `the documentation of JSON lists the keys of a finding`() throws {
        let first = try #require(try findings(Typed(try Self.node(), "doctor", "--json")).first)
        #expect(first.keys == JSONKeys.finding)
    }

    @Test func `doctor makes only calls that change nothing`() throws {
        let node = try Self.node()
        _ = Typed(node, "doctor")
        for call in node.calls {
            #expect(
                call is ListAccounts || call is GetStatus || call is GetSettings || call is ListDevices
                    || call is ListPlaces || call is ProbeAddress, "\(call)")
        }
    }
}
