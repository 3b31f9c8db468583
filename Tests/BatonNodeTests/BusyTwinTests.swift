import BatonCore
import Support
import Testing

@testable import BatonNode

/// Two machines with one identity that both write on, so that a peer is never in step with either.
@Suite struct `A machine whose twin writes on` {
    @Test func `is told of it by a peer that it was never in step with`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near")
        try node.admit("far")
        guard case .success(let status) = try node.ask(GetStatus()) else {
            throw DeadlinePassed(description: "a status")
        }
        // It compares nothing, as if each comparison found the two apart.
        let far = try ActedDevice(try RunningNode.home(folder, "far"), callingPort: node.port)
        let clock = HybridTime(value: UInt64(WallTime.now.milliseconds) << 16)
        let twin = Life(after: clock, of: status.device.identifier, random: 1)
        var journal = Journal(life: twin, latest: clock)
        for number in UInt64(1)...2 {
            let name = ActivityName(
                device: status.device.identifier, app: "org.example", instance: "\(number)")
            let activity = Activity(type: "org.example.edit", started: .now)
            let draft = Journal.Draft(.full(activity.content), name.key)
            // The first one may have been made and forgotten by this machine; the second one is news.
            let named = journal.transaction(.activities, [draft], now: .now)
            let transaction = try #require(named)
            far.say(
                .batch(
                    Batch(
                        number: number, lane: .activities, writes: transaction.writes,
                        complete: transaction.completing)))
            while let message = try far.next(), message != .acknowledgement(number) {}
            let isTold = node.lines.contains { $0.contains("another machine uses this device's identity") }
            #expect(isTold == (number == 2), "\(node.lines)")
        }
    }
}
