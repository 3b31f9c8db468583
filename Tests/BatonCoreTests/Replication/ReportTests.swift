import BatonCore
import Support
import Testing

/// Tests of the limits on stored and sent reports.
@Suite struct `Durability reports of many devices` {
    typealias Script = SessionScript

    private static func device(_ number: Int) -> DeviceIdentifier {
        DeviceIdentifier(high: 4, low: UInt64(number))
    }

    private static func vector(_ sequence: UInt64) -> VersionVector {
        VersionVector([(Script.origin(1), sequence)])
    }

    @Test func `are stored for a limited number of devices, and stored reports can still grow`() {
        var reports = Reports()
        for number in 0..<Limits.reportingDevices { reports.join(Self.device(number), Self.vector(1)) }
        let full = reports
        reports.join(Self.device(Limits.reportingDevices), Self.vector(1))
        #expect(reports == full, "one more device")
        reports.join(Self.device(0), Self.vector(2))
        #expect(reports[Self.device(0)] == Self.vector(2) && reports.sorted.count == full.sorted.count)
        // The reports beyond the limit depend only on their order.
        var (one, all) = (Reports(), Reports())
        for number in 0...Limits.reportingDevices {
            var other = Reports()
            other.join(Self.device(number), Self.vector(1))
            one.join(other)
            all.join(Self.device(number), Self.vector(1))
        }
        #expect(one == full && all == full)
    }

    @Test func `that are empty are ignored`() throws {
        var reports = Reports()
        reports.join(Self.device(1), VersionVector())
        #expect(reports.isEmpty)
        // One map with an identifier, and an empty array.
        let told: [UInt8] = [0xa1, 1, 0x81, 0xa2, 1, 0x50] + [UInt8](repeating: 7, count: 16) + [2, 0x80]
        #expect(try PeerMessage(Frame(kind: .reports, body: told)) == .reports(Reports()))
        reports.join(Self.device(1), Self.vector(1))
        let other: Lane = Script.origin(1).lane == .index ? .activities : .index
        #expect(reports.restricted(to: other).isEmpty)
    }

    @Test func `are sent in as few frames as possible, each within the accepted size`() throws {
        let complete = VersionVector(
            (UInt64(1)...6000).map { (Script.origin($0), UInt64.max >> 1) })
        var reports = Reports()
        for number in 0..<16 { reports.join(Self.device(number), complete) }
        let script = Script(own: .offered)
        script.handle(Script.summary(complete))
        script.handle(Script.hello(complete, features: Features([Features.collection])))
        script.forget()
        let frames = script.handle { session in
            session.tellReports(reports)
            var frames: [Frame] = []
            while let frame = session.nextFrame() { frames.append(frame) }
            return frames
        }
        #expect(frames.count > 1 && frames.allSatisfy { $0.body.count <= Limits.frameBytes })
        // A frame with room for the next device would mean one frame too many.
        #expect(frames.count == 2)
        var told = Reports()
        for frame in frames {
            guard case .reports(let part) = try PeerMessage(frame) else {
                Issue.record("a frame of another kind")
                return
            }
            #expect(!part.isEmpty && part.sorted.allSatisfy { told[$0.device] == nil }, "each is told once")
            told.join(part)
        }
        #expect(told == reports)
    }
}
