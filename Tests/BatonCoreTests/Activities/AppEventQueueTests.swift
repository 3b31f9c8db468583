import BatonCore
import Support
import Testing

/// Tests of events that wait for an app, and of activities that a person dismissed.
@Suite struct `The event queue of an app` {
    @Test func `is bounded, and first drops the oldest event for which no caller waits`() {
        var queue = AppEventQueue()
        var events = (0..<AppEventQueue.most - 1).map { AppEvent.save(UInt64($0), instance: "1") }
        // The old event makes room for the new one, and that one for an event that a caller waits for.
        events += [.ended(instance: "old"), .ended(instance: "new"), .save(100, instance: "1")]
        let taken = events.map { queue.append($0) }
        #expect(!taken.contains(false))
        let refused = [AppEvent.save(101, instance: "1"), .ended(instance: "newer")].map { queue.append($0) }
        #expect(refused == [false, false])
        queue.withdraw(save: 0)
        #expect(queue.next() == .save(1, instance: "1"))
        var last: AppEvent?
        while let event = queue.next() { last = event }
        #expect(last == .save(100, instance: "1"))
    }
}

@Suite struct `A dismissed activity` {
    private static func identity(_ number: Int) -> RecordIdentity {
        ActivityName(device: DeviceIdentifier(high: 1, low: 1), app: "a", instance: "\(number)").key.identity
    }

    private static func activity(_ time: Int) -> Activity {
        Activity(type: "t", started: WallTime(milliseconds: Int64(time)))
    }

    @Test func `is hidden until its instance begins another activity, also after a restart`() {
        var dismissals = Dismissals()
        let notes = dismissals.notes(dismissing: Self.identity(1), Self.activity(5))
        #expect(!dismissals.hide(Self.identity(1), Self.activity(5)), "nothing is kept yet")
        dismissals.restoreNotes(notes)
        #expect(dismissals.hide(Self.identity(1), Self.activity(5)))
        #expect(!dismissals.hide(Self.identity(1), Self.activity(6)))
        #expect(!dismissals.hide(Self.identity(2), Self.activity(5)))
        #expect(Dismissals(notes) == dismissals)
        let damaged = LocalNote(space: .dismissal, name: [1], value: [2])
        #expect(Dismissals([damaged] + notes) == dismissals)
    }

    @Test func `is shown again, the earliest first, if too many activities are dismissed later`() {
        var dismissals = Dismissals()
        for number in 0..<Dismissals.most {
            dismissals.restoreNotes(
                dismissals.notes(dismissing: Self.identity(number), Self.activity(number + 1)))
        }
        // Also where the new one began before all others.
        let notes = dismissals.notes(dismissing: Self.identity(-1), Self.activity(0))
        #expect(notes.count == 2)
        dismissals.restoreNotes(notes)
        #expect(dismissals.hide(Self.identity(-1), Self.activity(0)))
        #expect(!dismissals.hide(Self.identity(0), Self.activity(1)))
        #expect(dismissals.hide(Self.identity(1), Self.activity(2)))
    }
}
