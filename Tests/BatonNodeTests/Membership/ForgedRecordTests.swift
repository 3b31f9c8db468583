import BatonCore
import BatonNode
import BatonSecurity
import Support
import Testing

/// A member that writes records and statements in the name of others, all with the largest stamp.
@Suite struct `A member that forges records` {
    private static let largest = HybridTime(value: UInt64(Int64.max))

    /// Two devices: a node, and a scripted one that was admitted; a third one was admitted too, and is away.
    private struct Stage {
        let folder: TemporaryFolder
        let node: RunningNode
        let far: ActedDevice
        /// Why the node ended the session; nil if it did not.
        private(set) var closed: CloseReason?
        let life: Life
        private var sequence: UInt64 = 0
        private var number: UInt64 = 0

        init(_ change: (inout Limits) -> Void = { _ in }) throws {
            folder = try TemporaryFolder()
            node = try RunningNode.first(folder, "near", change)
            for name in ["far", "away"] { try node.admit(name) }
            let credentials = try IdentityFolder(path: RunningNode.home(folder, "far").identity()).load()
            life = Life(after: .zero, of: credentials.device, random: 1)
            far = try ActedDevice(RunningNode.home(folder, "far"), callingPort: node.port)
        }

        /// Connects once more; returns whether the node accepts that, once it has decided.
        func isAccepted() throws -> Bool {
            let again = try ActedDevice(RunningNode.home(folder, "far"), callingPort: node.port)
            defer { again.close() }
            again.say(.batch(Batch(number: 1, lane: .activities, writes: [], complete: nil)))
            while let message = try again.next() { if message == .acknowledgement(1) { return true } }
            return false
        }

        /// Sends writes in several batches, and waits until the node has taken them or has ended the session.
        mutating func send(_ drafts: [(RecordKey, Fields)]) throws {
            for start in stride(from: 0, to: drafts.count, by: 500) {
                let origin = Origin(life: life, lane: .activities)
                let writes = drafts[start..<min(start + 500, drafts.count)].map { key, fields in
                    sequence += 1
                    return Write(
                        dot: Dot(origin: origin, sequence: sequence), key: key,
                        stamp: Stamp(time: `A member that forges records`.largest, life: life),
                        action: .full(Write.Content(fields: fields)))
                }
                number += 1
                far.say(
                    .batch(
                        Batch(
                            number: number, lane: .activities, writes: writes,
                            complete: VersionVector([(origin, sequence)]))))
                while let message = try far.next(), message != .acknowledgement(number) {
                    if case .close(let reason) = message { closed = reason }
                }
                if closed != nil { return }
            }
        }
    }

    private static func forged(_ device: DeviceIdentifier) -> (RecordKey, Fields) {
        let left = WallTime(milliseconds: .max)
        let forged = Device(identifier: device, name: "forged", admitted: left, left: left)
        return (Device.key(device), forged.fields)
    }

    @Test func `can't store invented devices, and is refused for ten minutes`() throws {
        var stage = try Stage()
        try stage.send((0..<20_000).map { Self.forged(DeviceIdentifier(high: 7, low: $0)) })
        #expect(stage.closed?.code == .malformed)
        #expect(try !stage.isAccepted())
        let clock = ContinuousClock()
        var peers: [DeviceStatus] = []
        let time = try clock.measure { peers = try stage.node.peers() }
        #expect(time < .seconds(1), "it took \(time)")
        #expect(Set(peers.map(\.device.name)) == ["far", "away"])
        let trouble = peers.first { $0.device.name == "far" }?.trouble ?? ""
        #expect(trouble.contains("it is refused for a while"), "\(trouble)")
        let sent = "sent \(Limits.voidWrites + 1) records with a wrong signature"
        #expect(try stage.node.troubles().contains { $0.contains(sent) })
        #expect(stage.node.lines.count { $0.contains("sent records with wrong signatures") } == 1)
        #expect(stage.node.lines.count { $0.contains("“far” is refused for 10 minutes") } == 1)
    }

    @Test func `can connect again once the refusal is over`() throws {
        var stage = try Stage { $0.voidPause = .milliseconds(1) }
        let most = UInt64(Limits.voidWrites)
        try stage.send((0...most).map { Self.forged(DeviceIdentifier(high: 7, low: $0)) })
        #expect(stage.closed?.code == .malformed)
        try eventually("another connection: \(stage.node.lines)") { try stage.isAccepted() }
    }

    @Test func `can't declare that another device has left`() throws {
        var stage = try Stage()
        let status = try stage.node.ask(GetStatus()).get()
        let away = try #require(status.peers.first { $0.device.name == "away" }).device.identifier
        try stage.send([Self.forged(away), Self.forged(status.device.identifier)])
        let after = try stage.node.ask(GetStatus()).get()
        #expect(after.device.name == "first")
        #expect(after.peers.map(\.hasLeft) == [false, false] && stage.closed == nil)
        #expect(Set(after.peers.map(\.device.name)) == ["far", "away"])
    }

    @Test func `can't store statements without a valid signature`() throws {
        var stage = try Stage()
        let statements = try (0..<Limits.voidWrites).map { number in
            let bytes = Array("certificate \(number)".utf8)
            let part = try #require(RosterStatement.Certificate(bytes))
            return (RosterStatement.admission(owner: part, device: part).key, Fields())
        }
        try stage.send(statements)
        let sent = "sent \(Limits.voidWrites) records with a wrong signature"
        #expect(try stage.node.troubles().contains { $0.contains(sent) })
        #expect(stage.closed == nil)
    }
}
