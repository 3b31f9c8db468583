import BatonCore
import BatonNode
import BatonStore
import Support
import Testing

/// Devices that are revoked, or come back, while something else fails.
@Suite struct `Membership changes during other faults` {
    fileprivate static let quick: @Sendable (inout Limits) -> Void = { limits in
        limits.redialTime = .milliseconds(10)...(.milliseconds(100))
        limits.reportTime = .milliseconds(50)
    }

    private func start(_ type: String, payload bytes: Int = 0, on node: RunningNode) throws {
        var change = ActivityChange()
        change.set = [.string("text"): .data([UInt8](repeating: 7, count: bytes))]
        let start = StartActivity(
            app: "org.example", instance: type, lifetime: .untilFinished, type: type, change: change)
        guard case .success = try node.ask(start) else {
            throw DeadlinePassed(description: "nothing was started")
        }
    }

    @Test func `revoking a device discards everything queued for it`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near") {
            Self.quick(&$0); $0.readingTime = .seconds(600)
        }
        try node.admit("lost")
        let home = try RunningNode.home(folder, "lost")
        let device = try ActedDevice(home, callingPort: node.port)
        device.stopReading()
        // The kernel buffers some of it, and the node has to keep the rest.
        try start("large", payload: 120_000, on: node)
        let status = try node.ask(GetStatus()).get()
        let name = ActivityName(device: status.device.identifier, app: "org.example", instance: "large")
        let asked = 40
        device.say(
            (1...asked).map {
                .continueRequest(ContinueRequest(number: UInt64($0), identity: name.key.identity))
            })
        try eventually("answers to all: \(node.lines)") {
            node.lines.count { $0.contains("was continued on “lost”") } > asked / 2
        }
        guard case .success(let revoked) = try node.ask(RevokeDevice("lost", isConfirmed: true)).map(\.device)
        else {
            return #expect(Bool(false), "the device was not revoked")
        }
        #expect(revoked.isConnected == false)
        try start("after", on: node)
        #expect(node.lines.contains { $0.contains("no longer connected with “lost”") })

        var (answers, others) = (0, [PeerMessage]())
        // The stream is cut, which may be an error.
        while let message = try? device.next() {
            switch message {
            case .continueAnswer: answers += 1
            case .batch(let batch):
                #expect(
                    !batch.writes.contains { write in
                        write.key.map { "\($0.name)" }?.contains("after") ?? false
                    })
                for write in batch.writes where write.identity.kind == .rosterStatement {
                    let statement = try write.key.map { try RosterStatement($0) }
                    if case .revocation = statement { others.append(message) }
                }
            case .close: others.append(message)
            default: break
            }
        }
        #expect(answers < asked / 2, "\(answers) answers came, of \(asked)")
        #expect(others.isEmpty, "neither the statement nor a reason follows after the cut")
    }

    /// Two nodes in step; the first has stored a report of the second, which has indexed a note.
    private struct Pair {
        let folder: TemporaryFolder
        let near: RunningNode
        var lost: RunningNode
        let device: DeviceIdentifier
        let program: OtherProgram

        init(_ start: (RunningNode) throws -> Void) throws {
            folder = try TemporaryFolder()
            near = try RunningNode.first(folder, "near", `Membership changes during other faults`.quick)
            try near.admit("lost")
            lost = try RunningNode(folder, "lost", `Membership changes during other faults`.quick)
            try start(lost)
            let (near, lost) = (near, lost)
            try eventually("two in step: \(near.lines)") { try near.peers().first?.isInStep == true }
            device = try #require(try near.peers().first).device.identifier
            program = try OtherProgram(near)
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("a note"))
            let index = ClientStateName(app: "org.example", index: "notes")
            let change = IndexChange.item("1", Item(attributes: attributes))
            guard case .success = try lost.ask(ChangeIndex(index, [change])) else {
                throw DeadlinePassed(description: "nothing was indexed")
            }
            let (program, device) = (program, device)
            try eventually("a report: \(near.lines)") { try program.hasReport(of: device) }
        }

        func waitForLine(_ text: String) throws {
            let near = near
            try eventually("a line about it: \(near.lines)") { near.lines.contains { $0.contains(text) } }
        }
    }

    @Test func `reports of a revoked device are deleted once the locked database is unlocked`()
        throws
    {
        let pair = try Pair { try start("before", on: $0) }
        let (near, program, device) = (pair.near, pair.program, pair.device)
        pair.lost.stop()
        try program.lock()
        guard case .success(let revoked) = try near.ask(RevokeDevice("lost", isConfirmed: true)).map(\.device)
        else {
            return #expect(Bool(false), "not revoked, although the statement is in the other lane")
        }
        #expect(revoked.revocation != nil)
        try pair.waitForLine("could not delete the reports of devices that are gone: ")
        #expect(try program.hasReport(of: device))
        program.unlock()
        try eventually("it is forgotten: \(near.lines)") { try !program.hasReport(of: device) }
        // The data that the device wrote is kept.
        let listing = ListActivities(.withForgotten)
        let activities = try near.ask(listing).get().activities
        #expect(activities.map(\.activity.type) == ["before"])
    }

    @Test
    func `the return of a removed device is stored once the locked database is unlocked`()
        throws
    {
        var pair = try Pair { try start("before", on: $0) }
        let (near, program, device) = (pair.near, pair.program, pair.device)
        pair.lost.stop()
        try eventually("its end") { try near.peers().first?.isConnected == false }
        guard case .success(let removed) = try near.ask(RemoveDevice("lost")).map(\.device) else {
            return #expect(Bool(false), "it is not connected")
        }
        #expect(removed.removed != nil)
        try eventually("it is forgotten: \(near.lines)") { try !program.hasReport(of: device) }
        try program.lock()
        pair.lost = try RunningNode(pair.folder, "lost", Self.quick)
        try pair.waitForLine("could not save the reports of devices: ")
        #expect(try !program.hasReport(of: device))
        program.unlock()
        try eventually("what it has counts again: \(near.lines)") { try program.hasReport(of: device) }
        try eventually("it is no longer gone") {
            try near.peers().first.map { $0.removed == nil && $0.isInStep } ?? false
        }
    }
}
