import BatonCore
import Support
import Testing

@testable import BatonNode

/// Two machines with one identity that both keep writing, so that a peer is never in step with either.
@Suite struct `Two machines with one identity` {
    @Test func `detect their twin through a peer that was never in step with them`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near")
        try node.admit("far")
        guard case .success(let status) = try node.ask(GetStatus()) else {
            throw DeadlinePassed(description: "a status")
        }
        // The device compares nothing, as if each comparison found a difference.
        let far = try ActedDevice(try RunningNode.home(folder, "far"), callingPort: node.port)
        let clock = HybridTime(value: UInt64(WallTime.now.milliseconds) << 16)
        let twin = Life(after: clock, of: status.device.identifier, random: 1)
        var journal = Journal(life: twin, latest: clock)
        for number in UInt64(1)...2 {
            let name = ActivityName(
                device: status.device.identifier, app: "org.example", instance: "\(number)")
            let activity = Activity(type: "org.example.edit", started: .now)
            let draft = Journal.Draft(.full(activity.content), name.key)
            // The machine may have made and forgotten the first write itself, but not the second one.
            let named = journal.transaction(.activities, [draft], now: .now)
            let transaction = try #require(named)
            far.say(
                .batch(
                    Batch(
                        number: number, lane: .activities, writes: transaction.writes,
                        complete: transaction.completing)))
            while let message = try far.next(), message != .acknowledgement(number) {}
            let isTold = node.lines.contains {
                $0.contains("another machine uses the identity of this device")
            }
            #expect(isTold == (number == 2), "\(node.lines)")
        }
    }
}
