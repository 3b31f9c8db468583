import BatonCore
import Support
import Testing

@Suite struct `Activities that go on elsewhere` {
    private typealias Stage = ActivitiesStage
    private let name = Stage.name(1)

    private static func activity(_ title: String, eligibility: Eligibility = .handoff) -> Activity {
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 1_700_000_000_000))
        (activity.title, activity.eligibility) = (title, eligibility)
        return activity
    }

    private func begin(_ stage: inout Stage, _ activity: Activity) throws {
        stage.ask { $0.start(name, OwnActivity(activity, lifetime: .untilFinished), for: $1, at: $2) }
        try stage.workAll()
    }

    private func hand(_ stage: inout Stage, takes: Bool) -> Activity? {
        var handed: Activity?
        stage.ask { handed = $0.hand(name, to: Stage.other, takes: takes, for: $1, at: $2) }
        return handed
    }

    private func standing(_ stage: Stage) -> CurrentActivities.Standing {
        stage.machine.standing(of: name.key.identity, at: stage.now.wall)
    }

    @Test func `are handed over as they are, though others do not see them so yet`() throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        stage.ask { $0.update(name, Self.activity("b"), for: $1, at: $2) }
        try stage.workAll()
        #expect(stage.disk.seen(name)?.title == "a")
        #expect(hand(&stage, takes: false)?.title == "b")
        #expect(stage.machine[name]?.activity.continuation?.device == Stage.other)
    }

    @Test func `say where they went to who comes while that is being kept, and ever after`() throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        #expect(standing(stage) == .shared(name))
        #expect(hand(&stage, takes: true)?.title == "a")
        #expect(standing(stage) == .ended(to: Stage.other))
        #expect(hand(&stage, takes: true) == nil)
        try stage.workAll()
        #expect(standing(stage) == .ended(to: Stage.other))
        stage.crash()
        #expect(standing(stage) == .ended(to: Stage.other))
    }

    @Test func `stay where they are once nothing is to leave, though someone waits for them`() throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        stage.set(isPrivate: true)
        #expect(standing(stage) == .hidden && hand(&stage, takes: true) == nil)
        stage.set(isPrivate: false)
        stage.ask { $0.update(name, Self.activity("b", eligibility: .search), for: $1, at: $2) }
        #expect(standing(stage) == .hidden && hand(&stage, takes: false) == nil)
        #expect(stage.machine[name]?.activity.title == "b")
    }

    @Test func `ended last by whatever ended them last, in whatever order that is heard of`() {
        let (start, other) = (WallTime(milliseconds: 1_700_000_000_000), DeviceIdentifier(high: 1, low: 3))
        let origin = Activity.Origin(device: Stage.device, identity: name.key.identity)
        let end = { (seconds: Int, taker: DeviceIdentifier?) in
            var saved = Self.activity("a").saved(
                from: origin, finished: start.advanced(by: .seconds(seconds)), keeping: WallTime.day)
            saved.isTaken = taker != nil
            saved.continuation = taker.map { Activity.Continuation(device: $0, time: start) }
            return saved
        }
        for (ends, taker) in [
            ([end(1, other), end(2, nil)], nil), ([end(1, nil), end(2, other)], other),
            ([end(1, Stage.other), end(1, other), end(1, nil)], other),
        ] {
            for order in [ends, ends.reversed()] {
                var taken = TakenActivities()
                for saved in order { taken.note(saved, of: Stage.device) }
                #expect(taken[name.key.identity]?.device == taker)
            }
        }
    }
}
