import BatonCore
import BatonNode
import BatonStore
import Support
import Testing

/// Devices that are revoked, or come back, at a moment when something else goes wrong.
@Suite struct `Who belongs to the account changes` {
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

    @Test func `while much waits to be sent to the device: nothing of it goes out any more`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near") {
            Self.quick(&$0); $0.readingTime = .seconds(600)
        }
        try node.admit("lost")
        let home = try RunningNode.home(folder, "lost")
        let device = try ActedDevice(home, callingPort: node.port)
        device.stopReading()
        // The kernels keep some of it, and the node more than enough.
        try start("large", payload: 120_000, on: node)
        guard case .success(let status) = try node.ask(GetStatus()) else { return }
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
            return #expect(Bool(false), "it can be revoked")
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
        #expect(others.isEmpty, "neither the statement nor a reason follows what was cut")
    }

    /// Two nodes in step, of which the first has a report of the second, and what is written in the other's index.
    private struct Pair {
        let folder: TemporaryFolder
        let near: RunningNode
        var lost: RunningNode
        let device: DeviceIdentifier
        let meddler: Meddler

        init(_ start: (RunningNode) throws -> Void) throws {
            folder = try TemporaryFolder()
            near = try RunningNode.first(folder, "near", `Who belongs to the account changes`.quick)
            try near.admit("lost")
            lost = try RunningNode(folder, "lost", `Who belongs to the account changes`.quick)
            try start(lost)
            let (near, lost) = (near, lost)
            try eventually("two in step: \(near.lines)") { try near.peers().first?.isInStep == true }
            device = try #require(try near.peers().first).device.identifier
            meddler = try Meddler(near)
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("a note"))
            let index = ClientStateName(app: "org.example", index: "notes")
            let change = IndexChange.item("1", domain: nil, Item(attributes: attributes).fields)
            guard case .success = try lost.ask(ChangeIndex(index, batch: nil, [change])) else {
                throw DeadlinePassed(description: "nothing was indexed")
            }
            let (meddler, device) = (meddler, device)
            try eventually("a report: \(near.lines)") { try meddler.hasReport(of: device) }
        }

        func eventuallySaid(_ text: String) throws {
            let near = near
            try eventually("a line about it: \(near.lines)") { near.lines.contains { $0.contains(text) } }
        }
    }

    @Test func `while the disk refuses to forget a device: that is said, and done as soon as it can be`()
        throws
    {
        let pair = try Pair { try start("before", on: $0) }
        let (near, meddler, device) = (pair.near, pair.meddler, pair.device)
        pair.lost.stop()
        try meddler.hold()
        guard case .success(let revoked) = try near.ask(RevokeDevice("lost", isConfirmed: true)).map(\.device)
        else {
            return #expect(Bool(false), "it can be, as its statement is in the other lane")
        }
        #expect(revoked.revocation != nil)
        try pair.eventuallySaid("the reports of devices that are gone could not be forgotten: ")
        #expect(try meddler.hasReport(of: device))
        meddler.letGo()
        try eventually("it is forgotten: \(near.lines)") { try !meddler.hasReport(of: device) }
        // What it wrote is still there.
        let listing = ListActivities(.withForgotten)
        guard case .success(let activities) = try near.ask(listing).map(\.activities) else { return }
        #expect(activities.map(\.activity.type) == ["before"])
    }

    @Test
    func `while the disk refuses to mind one that came back: that is said, and done as soon as it can be`()
        throws
    {
        var pair = try Pair { try start("before", on: $0) }
        let (near, meddler, device) = (pair.near, pair.meddler, pair.device)
        pair.lost.stop()
        try eventually("its end") { try near.peers().first?.isConnected == false }
        guard case .success(let removed) = try near.ask(RemoveDevice("lost")).map(\.device) else {
            return #expect(Bool(false), "it is not connected")
        }
        #expect(removed.removed != nil)
        try eventually("it is forgotten: \(near.lines)") { try !meddler.hasReport(of: device) }
        try meddler.hold()
        pair.lost = try RunningNode(pair.folder, "lost", Self.quick)
        try pair.eventuallySaid("could not be kept: ")
        #expect(try !meddler.hasReport(of: device))
        meddler.letGo()
        try eventually("what it has counts again: \(near.lines)") { try meddler.hasReport(of: device) }
        try eventually("it is no longer gone") {
            try near.peers().first.map { $0.removed == nil && $0.isInStep } ?? false
        }
    }
}
