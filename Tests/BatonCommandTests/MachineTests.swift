import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Synchronization
import Testing

@Suite struct `Commands about machines` {
    /// A node with that status and those settings.
    private static func node(_ status: NodeStatus, _ settings: Settings = Settings()) throws -> FakeNode {
        try FakeNode { request in request is GetSettings ? .reply(settings) : .reply(status) }
    }

    @Test func `baton status says whether the machine is private`() throws {
        var settings = Settings()
        let status = Example.status([])
        #expect(!Typed(try Self.node(status, settings), "status").output.contains("private"))
        settings.set(.private, to: 1)
        #expect(
            Typed(try Self.node(status, settings), "status").output.contains(
                "\nprivate: nothing that you do here leaves this machine, until `baton private off`\n"))
    }

    @Test func `baton private says that doubtful settings are the reason why the machine is private`() throws
    {
        var settings = Settings()
        settings.suspect(.lost)
        let node = try Self.node(Example.status([]), settings)
        #expect(
            Typed(node, "private").output
                == "Private until you type `baton private on` or `baton private off`; `baton status` says why.\n"
        )
        #expect(Typed(node, "private", "--json").output == #"{"private":true,"doubt":"lost"}"# + "\n")
        settings.set(.private, to: 1)
        let decided = Typed(try Self.node(Example.status([]), settings), "private", "--json").output
        #expect(decided == #"{"private":true,"doubt":null}"# + "\n")
    }

    @Test func `baton status shows each peer's connection and problems`() throws {
        let node = try Self.node(
            Example.status([
                Example.peer(
                    connected: false, inStep: false, trouble: "no answer at 10.0.0.2:4817")
            ]))
        let lines = Typed(node, "status").output.split(separator: "\n")
        #expect(lines[0].hasPrefix("laptop (04hmasw): the node is running, process 4711"))
        #expect(lines[2].hasPrefix("desktop ("))
        #expect(
            lines[2].hasSuffix(
                "): not connected yet; no answer at 10.0.0.2:4817; type `baton doctor desktop`"))
        let json = Typed(node, "status", "--json").output
        #expect(
            json.contains(#""version":"0.1.0","pid":4711,"listening":"0.0.0.0:4817","peers":[{"device":{"#))
        #expect(
            json.contains(
                #""connected":false,"inStep":false,"seen":null,"addresses":["10.0.0.2:4817"],"namedAddresses":[],"trouble":"no"#
            ))
    }

    @Test func `baton status says when a device was last seen, whatever the source of its address`() throws {
        var peer = Example.peer(connected: false, inStep: false, trouble: "no answer at 10.0.0.2:4817")
        peer.seen = Example.now.advanced(by: .seconds(-300))
        let seen = PresentTime.here.text(try #require(peer.seen)).text
        func line() throws -> String {
            let node = try Self.node(Example.status([peer]))
            let lines = Typed(node, "status").output.split(separator: "\n")
            return try #require(lines.dropFirst(2).first.map(String.init))
        }
        #expect(try line().contains("): not connected, last seen \(seen); no answer at 10.0.0.2:4817; type "))
        peer.attempts = [
            AddressAttempt(
                address: "10.0.0.2:4817", source: .met, outcome: .noAnswer,
                text: "no answer at 10.0.0.2:4817",
                time: Example.now)
        ]
        #expect(try line().contains("): not connected, last seen \(seen); no answer at 10.0.0.2:4817; type "))
        peer.device.name = "Ann's desktop"
        #expect(try line().hasSuffix("; type `baton doctor \(peer.device.identifier.short)`"))
        (peer.trouble, peer.addresses, peer.attempts) = (nil, [], [])
        #expect(try line().contains("last seen \(seen); its address is not known; type "))
    }

    @Test
    func `baton status says on one line when a device fell silent, and how many changes wait for it`()
        throws
    {
        var peer = Example.peer(connected: false, inStep: false, trouble: "it no longer answers")
        peer.seen = LocalClock.now.advanced(by: .seconds(-9))
        for (count, words) in [(3, "; 3 changes wait for it"), (1, "; 1 change waits for it"), (0, "")] {
            peer.backlog = SyncBacklog(toSend: UInt64(count))
            let node = try Self.node(Example.status([peer]))
            let line = try #require(Typed(node, "status").output.split(separator: "\n").dropFirst(2).first)
            #expect(
                line.hasSuffix("seconds ago; it no longer answers\(words); type `baton doctor desktop`"),
                "\(line)")
            #expect(!line.contains("just now") && line.split(separator: ": ").count == 2, "\(line)")
        }
    }

    @Test func `status --wait waits until all machines are in step`() throws {
        let questions = Mutex(0)
        let node = try FakeNode { request in
            if request is GetSettings { return .reply(Settings()) }
            let count = questions.withLock { count in
                count += 1
                return count
            }
            // The first request reaches a node that is just stopping.
            return count == 1
                ? nil : .reply(Example.status([Example.peer(connected: count > 2, inStep: count > 3)]))
        }
        let typed = Typed(node, "status", "--wait", "--timeout", "20")
        #expect(typed.status == 0 && typed.output.contains("connected, in step"))
        #expect(questions.withLock { $0 } == 4)
    }

    @Test func `after the timeout, status --wait reports what is missing`() throws {
        let node = try FakeNode { _ in
            .reply(Example.status([Example.peer(connected: false, trouble: "refused")]))
        }
        let typed = Typed(node, "status", "--wait", "--timeout", "0")
        #expect(typed.status == 1 && typed.output.isEmpty)
        #expect(typed.errors == "baton: Gave up after 0 seconds: desktop is not connected (refused).\n")
        let folder = try TemporaryFolder()
        try folder.makeIdentity()
        let nobody = Typed(["status", "--wait", "--timeout", "0.1", "--home", folder.path])
        #expect(nobody.status == 3 && nobody.errors.contains("No node is running here."))
        #expect(Typed(node, "status", "--timeout", "3").status == 2)
        #expect(Typed(node, "status", "--wait", "--timeout", "soon").status == 2)
    }

    @Test func `baton devices lists each device`() throws {
        var here = Example.peer()
        here.device = Example.laptop
        let devices = [here, Example.peer()]
        let node = try FakeNode { _ in .reply(DevicesReply(devices)) }
        let lines = Typed(node, "devices").output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].hasSuffix("here") && lines[2].hasSuffix("connected, in step"))
        #expect(Typed(node, "devices", "--json").output.hasPrefix(#"{"devices":[{"device":{"id":""#))
    }

    @Test func `a device whose date of joining is unknown is listed without a date`() throws {
        var peer = Example.peer()
        peer.admitted = WallTime(milliseconds: 0)
        let node = try FakeNode { [peer] _ in .reply(DevicesReply([peer])) }
        let table = Typed(node, "devices").output
        #expect(table.contains("not known") && !table.contains("1970"), "\(table)")
        #expect(!Typed(node, "devices", "desktop").output.contains("joined"))
        #expect(Typed(node, "devices", "--json").output.contains(#""admitted":null"#))
    }

    @Test func `baton invite shows a code, and the machine that joined`() throws {
        let expires = LocalClock.now.advanced(by: .seconds(600))
        let node = try FakeNode { request in
            switch request {
            case is OpenInvitation:
                .reply(OpenInvitationReply(code: "lemon-tiger-cloud", expires: expires, addresses: []))
            case is GetStatus: .reply(Example.status([], listening: "192.168.1.5:4817"))
            case let call as AwaitInvitation where call.isJoinerKnown:
                .reply(InvitationReply.joined(Example.desktop))
            case is AwaitInvitation:
                .reply(
                    InvitationReply.joining(
                        PairingNotice(name: "desktop", phrase: "a-b-c", asksPerson: false)))
            default: nil
            }
        }
        let lines = Typed(node, "invite").output.split(separator: "\n")
        #expect(lines[0] == "Code: lemon-tiger-cloud (10 minutes, one use)")
        #expect(lines[1].hasSuffix("baton join lemon-tiger-cloud"))
        #expect(lines[2] == "If it is on another network, add --at 192.168.1.5:4817.")
        #expect(lines[3] == "“desktop” is joining. Compare with its screen: a-b-c")
        #expect(lines[4].hasPrefix("“desktop” (") && lines[4].hasSuffix(") has joined."))
        #expect(lines[5].hasPrefix("If its screen showed other words, revoke it: baton revoke "))
        let json = Typed(node, "invite", "--no-wait", "--json").output
        #expect(json.hasPrefix(#"{"code":"lemon-tiger-cloud","expires":"20"#) && json.hasSuffix(":4817\"}\n"))
    }

    @Test func `baton invite fails if no machine joins`() throws {
        let node = try FakeNode { request in
            switch request {
            case is OpenInvitation:
                .reply(OpenInvitationReply(code: "a", expires: LocalClock.now, addresses: []))
            case is GetStatus: .reply(Example.status([]))
            default: .failure(LocalFailure(.invitationOver, "Nobody came."))
            }
        }
        let typed = Typed(node, "invite")
        #expect(
            typed.status == 9 && typed.output.hasPrefix("Code: a") && typed.errors == "baton: Nobody came.\n")
    }

    @Test(arguments: [
        ("0.0.0.0:4817", "box:4817"), ("[::]:5000", "box:5000"), ("10.0.0.1:4817", "10.0.0.1:4817"),
        ("[fd00::1]:4817", "[fd00::1]:4817"), ("0.0.0.0:1, [::]:2", "box:1"), ("", "box"),
    ]) func `an invitation without known addresses shows the listening address or the host name`(
        listening: String, address: String
    ) {
        let text = InvitationText(
            code: "x", expires: Example.now, addresses: [], listening: listening, host: "box")
        #expect(text.addresses == [address])
    }

    @Test func `an invitation shows the best address first`() {
        let text = InvitationText(
            code: "x", expires: Example.now,
            addresses: ["192.168.1.5:4817", "10.0.0.5:4817", "[fd00::5]:4817"], listening: "[::]:4817",
            host: "box")
        #expect(
            text.lines(at: .here).map(\.text).suffix(2) == [
                "On the other machine, type: baton join x --at 192.168.1.5:4817",
                "If it can't reach that address, try 10.0.0.5:4817 or [fd00::5]:4817.",
            ])
    }

    @Test func `an announced invitation shows addresses only for a machine on another network`() {
        var text = InvitationText(
            code: "x", expires: Example.now, addresses: ["192.168.1.5:4817", "10.0.0.5:4817"],
            listening: "[::]:4817", host: "box")
        text.isAnnounced = true
        #expect(
            text.lines(at: .here).map(\.text).suffix(2) == [
                "On the other machine, type: baton join x",
                "If it is on another network, add --at 192.168.1.5:4817 or 10.0.0.5:4817.",
            ])
    }

    @Test func `baton join without a code is refused`() {
        #expect(Typed(["join"]).errors.contains("Missing argument: CODE"))
    }
}
