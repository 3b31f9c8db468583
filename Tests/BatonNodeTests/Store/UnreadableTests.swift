import BatonCore
import BatonNode
import Support
import Testing

/// A device that sends records that this version can't read, as many as the quarantine holds, or more.
@Suite struct `A device that sends unreadable records` {
    private static let origin = Origin(life: Life(high: 9, low: 9), lane: .activities)

    /// Makes a batch of unreadable records: their names are not CBOR.
    private static func batch(_ number: UInt64, from first: Int, count: Int) -> PeerMessage {
        let writes = (first..<first + count).map { number in
            Write(
                dot: Dot(origin: origin, sequence: UInt64(number)),
                key: RecordKey(kind: .device, name: [0xff, UInt8(number >> 8), UInt8(number & 0xff)]),
                stamp: Stamp(time: HybridTime(value: UInt64(number)), life: origin.life),
                action: .full(Write.Content(fields: Fields())))
        }
        return .batch(Batch(number: number, lane: .activities, writes: writes, complete: nil))
    }

    @Test
    func `is disconnected with a reason in its status if it sends more than the limit`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near")
        try node.admit("far")
        let far = try ActedDevice(try RunningNode.home(folder, "far"), callingPort: node.port)
        far.say(Self.batch(1, from: 1, count: Limits.quarantinedWrites))
        far.say(Self.batch(2, from: 1 + Limits.quarantinedWrites, count: 1))
        var reason: CloseReason?
        while reason == nil, let message = try far.next() {
            if case .close(let told) = message { reason = told }
        }
        #expect(reason?.code == .storage, "the device may try again")
        #expect(reason?.text.contains("a newer version of Baton may help") == true)
        try eventually("the end of the connection: \(node.lines.suffix(4))") {
            node.lines.contains { $0.contains("no longer connected with “far”: ") && $0.contains("(code 3)") }
        }
        let told = node.lines.filter { $0.contains("more ") && $0.contains("can't be read") }
        #expect(told.count == 1 && told[0].contains("no longer connected with “far”: "), "once: \(told)")
        guard case .success(let status) = try node.ask(GetStatus()) else {
            Issue.record("no status")
            return
        }
        #expect(
            status.troubles == [
                "1024 records from “far” can't be read and are quarantined; a newer version of Baton there or here may help"
            ])
        #expect(status.peers.map(\.isConnected) == [false])
        let peer = try #require(status.peers.first)
        #expect(peer.trouble?.hasPrefix("this machine can't store what it is sent: ") == true)
        #expect(peer.closeCode == nil, "nothing is wrong with the disk of the device")
    }

    @Test func `stays connected if it sends no more than the limit`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near")
        try node.admit("far")
        let far = try ActedDevice(try RunningNode.home(folder, "far"), callingPort: node.port)
        far.say(Self.batch(1, from: 1, count: Limits.quarantinedWrites))
        // Records that are sent again take no further place in the quarantine.
        far.say(Self.batch(2, from: 1, count: Limits.quarantinedWrites))
        var acknowledged: UInt64 = 0
        while acknowledged < 2, let message = try far.next() {
            if case .acknowledgement(let number) = message { acknowledged = number }
        }
        #expect(acknowledged == 2)
        #expect(try node.peers().map(\.isConnected) == [true])
    }
}
