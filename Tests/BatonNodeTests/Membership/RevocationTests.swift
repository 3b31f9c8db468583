import BatonCore
import BatonStore
import Support
import Testing

/// Nodes of one account, one of which is revoked or removed.
@Suite struct `Revoking and removing devices` {
    private static let quick: @Sendable (inout Limits) -> Void = { limits in
        limits.redialTime = .milliseconds(10)...(.milliseconds(100))
        limits.reportTime = .milliseconds(50)
    }

    /// Three nodes that are all connected and in step; the first one is an owner.
    private struct Three {
        let folder: TemporaryFolder
        var nodes: [RunningNode]
        let addresses: [String]
        static let names = ["near", "far", "lost"]

        init() throws {
            folder = try TemporaryFolder()
            nodes = [try RunningNode.first(folder, Self.names[0], quick)]
            for name in Self.names.dropFirst() {
                try nodes[0].admit(name)
                nodes.append(try RunningNode(folder, name, quick))
            }
            addresses = nodes.map { "127.0.0.1:\($0.port)" }
            let (all, addresses) = (nodes, addresses)
            // Addresses on loopback are not announced to others.
            for (place, other) in [(1, 2), (2, 1)] {
                try eventually("“\(Self.names[other])” on “\(Self.names[place])”") {
                    try all[place].ask(SetAddresses(Self.names[other], [addresses[other]])).isSuccess
                }
            }
            try eventually("three nodes in step: \(all.map(\.lines))") {
                try all.allSatisfy { node in
                    let peers = try node.peers()
                    return peers.count == 2 && peers.allSatisfy { $0.isInStep && !$0.addresses.isEmpty }
                }
            }
        }

        /// Stops a node, and starts it again at its address.
        mutating func restart(_ place: Int) throws {
            nodes[place].stop()
            nodes[place] = try RunningNode(folder, Self.names[place], at: addresses[place], quick)
        }
    }

    private func start(_ type: String, on node: RunningNode) throws {
        let start = StartActivity(
            app: "org.example", instance: type, lifetime: .untilFinished, type: type, change: ActivityChange()
        )
        guard case .success = try node.ask(start) else {
            throw DeadlinePassed(description: "nothing was started")
        }
    }

    private func finish(_ type: String, on node: RunningNode) throws {
        guard case .success = try node.ask(FinishActivity(.instance(app: "org.example", instance: type)))
        else {
            throw DeadlinePassed(description: "nothing was finished")
        }
    }

    private func list(_ node: RunningNode) throws -> Set<String> {
        let listing = ListActivities(.withForgotten)
        guard case .success(let activities) = try node.ask(listing).map(\.activities) else { return [] }
        return Set(activities.map(\.activity.type))
    }

    private func devices(_ node: RunningNode) throws -> [String: DeviceStatus] {
        Dictionary(try node.devices().map { ($0.device.name, $0) }) { first, _ in first }
    }

    private func connectedNames(_ node: RunningNode) throws -> Set<String> {
        Set(try node.peers().filter(\.isConnected).map(\.device.name))
    }

    private func refusals(_ node: RunningNode) -> Int { node.lines.count { $0.contains("is refused") } }

    /// Returns whether a stopped node has garbage-collected a tombstone.
    private func hasCollected(_ node: RunningNode, _ account: AccountIdentifier) throws -> Bool {
        let store = try SQLiteStore(folder: node.home.account(), account: account)
        return try !store.summary().dropped.isEmpty
    }

    /// Waits until the second node has garbage-collected a tombstone, for which it is stopped now and then.
    ///
    /// It answers more requests each time before it is stopped, so that it has time for its reports on any machine.
    private func waitUntilCollected(_ three: inout Three, _ account: AccountIdentifier) throws {
        for round in 0..<10 {
            let far = three.nodes[1]
            try eventually("the two in step") { try far.peers().contains(where: \.isInStep) }
            for _ in 0..<(50 << round) where try far.peers().isEmpty { break }
            far.stop()
            if try hasCollected(far, account) { return }
            try three.restart(1)
        }
        throw DeadlinePassed(description: "garbage-collected tombstones; \(three.nodes.map(\.lines))")
    }

    @Test func `a revoked device is disconnected everywhere within a second, and stays out`() throws {
        var three = try Three()
        let (near, far, lost) = (three.nodes[0], three.nodes[1], three.nodes[2])
        try start("before", on: lost)
        try eventually("what was written before, on all") {
            try list(near).contains("before") && list(far).contains("before")
        }
        guard case .failure(let denied) = try far.ask(RevokeDevice("lost", isConfirmed: true)) else {
            return #expect(Bool(false), "a device that is no owner revoked another one")
        }
        #expect(denied.code == .notAllowed)
        guard case .success(let asked) = try near.ask(RevokeDevice("lost", isConfirmed: false)).map(\.device)
        else {
            return #expect(Bool(false), "the device was not found")
        }
        #expect(asked.isConnected && asked.revocation == nil)
        guard case .success(let revoked) = try near.ask(RevokeDevice("lost", isConfirmed: true)).map(\.device)
        else {
            return #expect(Bool(false), "the device was not revoked")
        }
        // The session ends before the answer is sent.
        #expect(revoked.isConnected == false && revoked.revocation?.revoker == "first")
        let said = ContinuousClock.now
        try eventually("the end of the other session: \(far.lines)") {
            try devices(far)["lost"].map { !$0.isConnected && $0.revocation != nil } ?? false
        }
        #expect(said.duration(to: .now) < .seconds(1))
        #expect(try devices(far)["lost"]?.revocation?.revoker == "first")

        // It connects again, with a session ticket and without, and is refused.
        try start("after", on: lost)
        try eventually("refusals: \(near.lines), \(far.lines)") { refusals(near) > 2 && refusals(far) > 2 }
        try eventually("a reason on the revoked device: \(lost.lines)") {
            try lost.troubles().contains { $0.contains("refused this device") }
        }
        for place in [0, 1] { try three.restart(place) }
        try three.restart(2)
        let again = three.nodes
        try eventually("refusals after a restart: \(again.map(\.lines))") {
            refusals(again[0]) > 1 && refusals(again[1]) > 1
        }
        try eventually("the two in step") {
            try connectedNames(again[0]) == ["far"] && connectedNames(again[1]) == ["first"]
        }
        #expect(try connectedNames(again[2]).isEmpty)
        #expect(try list(again[0]) == ["before"] && list(again[1]) == ["before"])
        #expect(try list(again[2]) == ["before", "after"])
        #expect(try again[0].peers().map(\.device.name) == ["far"])
    }

    @Test func `a revoked device is sent no more data, not even its own revocation`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near", Self.quick)
        try node.admit("lost")
        let home = try RunningNode.home(folder, "lost")
        let device = try ActedDevice(home, callingPort: node.port)
        try eventually("a session") { try connectedNames(node) == ["lost"] }
        guard case .success = try node.ask(RevokeDevice("lost", isConfirmed: true)) else {
            return #expect(Bool(false), "the device was not revoked")
        }
        try start("after", on: node)
        var statements: [RosterStatement] = []
        var types: [RecordKind] = []
        var last: PeerMessage?
        while let message = try device.next() {
            last = message
            guard case .batch(let batch) = message else { continue }
            types += batch.writes.map(\.identity.kind)
            for write in batch.writes where write.identity.kind == .rosterStatement {
                if let key = write.key { statements.append(try RosterStatement(key)) }
            }
        }
        // If other messages still waited to be sent, they are dropped, and the reason with them.
        if case .close(let reason) = last {
            #expect(reason == CloseReason(.notMember, "that device was revoked"))
        }
        // Statements from before the revocation may be there: the admissions of the two members.
        #expect(statements.count <= 2)
        #expect(statements.allSatisfy { if case .admission = $0 { true } else { false } })
        #expect(!types.contains(.currentActivity))
        // The revoked device does not get a hello when it connects again.
        #expect(try ActedDevice(home, callingPort: node.port).next() == nil)
        #expect(node.lines.contains("“lost” is refused: that device was revoked"))
    }

    @Test func `a revoked device is shown with its last change, and the device that sent it`() throws {
        var three = try Three()
        #expect(try devices(three.nodes[0])["lost"]?.lastChange?.thing != "“early”")
        try start("early", on: three.nodes[2])
        try eventually("what it wrote") { try list(three.nodes[0]) == ["early"] }
        let direct = try #require(try devices(three.nodes[0])["lost"]?.lastChange)
        #expect(direct.thing == "“early”" && direct.sender.name == "lost" && direct.kind == .currentActivity)
        #expect(abs(direct.taken.since(direct.made).components.seconds) < 60)

        // The owner's node gets the next change through the third node.
        three.nodes[0].stop()
        try start("late\u{1b}[2J", on: three.nodes[2])
        try eventually("what it wrote") { try list(three.nodes[1]).count == 2 }
        three.nodes[2].stop()
        try three.restart(0)
        try eventually("what it wrote") { try list(three.nodes[0]).count == 2 }
        guard
            case .success(let asked) = try three.nodes[0].ask(RevokeDevice("lost", isConfirmed: false)).map(
                \.device),
            case .success(let revoked) = try three.nodes[0].ask(RevokeDevice("lost", isConfirmed: true)).map(
                \.device)
        else { return #expect(Bool(false), "the device was not revoked") }
        let last = try #require(revoked.lastChange)
        #expect(last.title == "late\u{1b}[2J" && last.sender.name == "far" && !last.isDeletion)
        #expect(asked.lastChange == last && last.made > direct.made && last.taken > direct.taken)

        // The third node got the change from the device itself, and logs that in one line without control characters.
        let far = three.nodes[1]
        try eventually("a line: \(far.lines)") {
            far.lines.contains { $0.contains("is revoked by “first”; last change received: “late") }
        }
        let line = try #require(far.lines.first { $0.contains("last change received") })
        #expect(line.contains(", directly") && !line.contains("\u{1b}"))
        #expect(try devices(far)["lost"]?.lastChange?.sender.name == "lost")

        // The last change is stored.
        for place in [0, 1] { try three.restart(place) }
        #expect(try devices(three.nodes[0])["lost"]?.lastChange == last)
        #expect(try devices(three.nodes[1])["lost"]?.lastChange?.sender.name == "lost")
        #expect(!three.nodes[1].lines.contains { $0.contains("last change received") })
        try eventually("the two in step") { try three.nodes[1].peers().contains(where: \.isInStep) }
    }

    @Test func `tombstones are collected without waiting for a revoked device`() throws {
        var three = try Three()
        let status = try three.nodes[0].ask(GetStatus()).get()
        three.nodes[2].stop()
        try start("brief", on: three.nodes[0])
        try finish("brief", on: three.nodes[0])
        try start("mark", on: three.nodes[0])
        try eventually("what came later") { try list(three.nodes[1]) == ["mark"] }
        three.nodes[1].stop()
        #expect(try !hasCollected(three.nodes[1], status.account))
        try three.restart(1)
        guard case .success = try three.nodes[0].ask(RevokeDevice("lost", isConfirmed: true)) else {
            return #expect(Bool(false), "the device was not revoked")
        }
        try waitUntilCollected(&three, status.account)
    }

    @Test func `a removed device is a member again when it reconnects`() throws {
        var three = try Three()
        let status = try three.nodes[0].ask(GetStatus()).get()
        guard case .failure(let denied) = try three.nodes[1].ask(RemoveDevice("lost")) else {
            return #expect(Bool(false), "a connected device was removed")
        }
        #expect(denied.text.contains("is connected"))
        three.nodes[2].stop()
        try eventually("its end") { try devices(three.nodes[1])["lost"]?.isConnected == false }
        try start("brief", on: three.nodes[0])
        try finish("brief", on: three.nodes[0])
        guard case .success(let removed) = try three.nodes[1].ask(RemoveDevice("lost")).map(\.device) else {
            return #expect(Bool(false), "a device that is no owner could not do it")
        }
        #expect(removed.removed != nil)
        try waitUntilCollected(&three, status.account)
        try three.restart(1)
        try three.restart(2)
        let nodes = three.nodes
        try eventually("that it is back: \(nodes.map(\.lines))") {
            try nodes.prefix(2).allSatisfy { node in
                try devices(node)["lost"].map { $0.removed == nil && $0.isInStep } ?? false
            }
        }
        try start("back", on: nodes[2])
        try eventually("what it writes") { try list(nodes[0]).contains("back") }
    }

    @Test func `an owner that revokes itself loses its key, and the other devices stay members`() throws {
        let three = try Three()
        guard
            case .success(let revoked) = try three.nodes[0].ask(RevokeDevice("first", isConfirmed: true)).map(
                \.device)
        else {
            return #expect(Bool(false), "an owner did not revoke itself")
        }
        #expect(revoked.device.isHere == true && revoked.isOwner == false)
        #expect(try three.nodes[0].troubles().contains { $0.contains("this device was revoked") })
        try eventually("two that are left") {
            try connectedNames(three.nodes[1]) == ["lost"] && connectedNames(three.nodes[2]) == ["far"]
        }
        #expect(try devices(three.nodes[1])["first"]?.revocation?.isOfOwner == false)
        guard case .failure(let denied) = try three.nodes[0].ask(RevokeDevice("far", isConfirmed: true))
        else {
            return #expect(Bool(false), "a revoked owner revoked another device")
        }
        #expect(denied.code == .notAllowed)
    }

    @Test func `a device is found by its name or the beginning of its ID, and can be renamed`() throws {
        let three = try Three()
        guard case .failure(let taken) = try three.nodes[2].ask(RenameDevice(to: "far")) else {
            return #expect(Bool(false), "two devices have one name")
        }
        #expect(taken.text.contains("far"), "\(taken)")
        guard
            case .success(let renamed) = try three.nodes[2].ask(RenameDevice(to: "further")).map(\.device)
        else {
            return #expect(Bool(false), "a device that is no owner could not do it")
        }
        let short = renamed.device.identifier.short
        try eventually("the new name") {
            try Set(three.nodes[0].peers().map(\.device.name)) == ["far", "further"]
        }
        guard case .failure(let unknown) = try three.nodes[0].ask(RemoveDevice("nobody")) else {
            return #expect(Bool(false), "an unknown device was removed")
        }
        #expect(unknown.code == .notFound)
        guard
            case .success(let found) = try three.nodes[0].ask(RevokeDevice(short, isConfirmed: false)).map(
                \.device)
        else {
            return #expect(Bool(false), "no device was found by the beginning of its ID")
        }
        #expect(found.device.identifier.short == short)
    }
}
