import BatonCore
import BatonNode
import Support
import Testing

/// A device with a lane that can claim no further lives.
@Suite struct `A device that makes up lives` {
    @Test(arguments: Lane.allCases)
    func `is reported by status once no further life can be claimed`(lane: Lane) throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near")
        try node.admit("far")
        let far = try ActedDevice(try RunningNode.home(folder, "far"), callingPort: node.port)
        #expect(try node.troubles().isEmpty)
        let lives = (0..<UInt64(Limits.laneOrigins)).map { Life(high: 9, low: $0) }
        let complete = VersionVector(lives.map { (Origin(life: $0, lane: lane), 1 as UInt64) })
        far.say(.batch(Batch(number: 1, lane: lane, writes: [], complete: complete)))
        var acknowledged: UInt64 = 0
        while acknowledged < 1, let message = try far.next() {
            if case .acknowledgement(let number) = message { acknowledged = number }
        }
        let name = lane == .activities ? "activities" : "index"
        #expect(
            try node.troubles().contains {
                $0.hasPrefix("the \(name) of this account can't take in further lives of machines")
            })
    }
}
