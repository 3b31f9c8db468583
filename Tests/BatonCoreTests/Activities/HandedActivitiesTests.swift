import BatonCore
import Support
import Testing

@Suite struct `Activities handed over to another device` {
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

    @Test func `are handed over in their newest state, even if it was not sent to others yet`() throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        stage.ask { $0.update(name, Self.activity("b"), for: $1, at: $2) }
        try stage.workAll()
        #expect(stage.disk.seen(name)?.title == "a")
        #expect(hand(&stage, takes: false)?.title == "b")
        #expect(stage.machine[name]?.activity.continuation?.device == Stage.other)
    }

    @Test func `are stored in the state in which they were handed over`() throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        var changed = Self.activity("b")
        changed.spell()
        stage.ask { [changed] in $0.update(name, changed, for: $1, at: $2) }
        #expect(hand(&stage, takes: false)?.title == "b")
        try stage.workAll()
        stage.pass(.seconds(60))
        try stage.workAll()
        #expect(stage.disk.seen(name)?.title == "b")
        #expect(stage.disk.seen(name)?.continuation?.device == Stage.other)
    }

    @Test func `name their taker to later callers, even before the hand-over is stored and after a restart`()
        throws
    {
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

    @Test func `are not handed over once the device is private or they lose their eligibility`() throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        stage.set(isPrivate: true)
        #expect(standing(stage) == .hidden && hand(&stage, takes: true) == nil)
        stage.set(isPrivate: false)
        stage.ask { $0.update(name, Self.activity("b", eligibility: .search), for: $1, at: $2) }
        #expect(standing(stage) == .hidden && hand(&stage, takes: false) == nil)
        #expect(stage.machine[name]?.activity.title == "b")
    }

    @Test(arguments: [false, true])
    func `are not handed over if they are withheld or expire while the hand-over is being stored`(
        _ takes: Bool
    ) throws {
        for change in 0..<4 {
            var stage = Stage()
            var activity = Self.activity("a")
            activity.expiration = stage.now.wall.advanced(by: .seconds(60))
            try begin(&stage, activity)
            let handed = try #require(hand(&stage, takes: takes))
            #expect(stage.machine.mayLeave(handed, of: name, at: stage.now.wall))
            switch change {
            case 0: stage.set(isPrivate: true)
            case 1: stage.set(withheld: [name.app])
            case 2: stage.pass(.seconds(60))
            default: stage.set(withheld: ["org.other"])
            }
            try stage.workAll()
            #expect(stage.machine.mayLeave(handed, of: name, at: stage.now.wall) == (change == 3))
        }
    }

    @Test(arguments: [false, true])
    func `count as being withdrawn from the moment they are withheld until the withdrawal is stored`(
        _ isSwitch: Bool
    ) throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        #expect(!stage.isWithdrawing)
        if isSwitch { stage.set(withheld: [name.app]) } else { stage.set(isPrivate: true) }
        #expect(stage.isWithdrawing)
        try stage.work(StoreFailure(.full, "the disk is full"))
        #expect(stage.isWithdrawing, "the disk still has what others may not get any more")
        stage.crash()
        #expect(stage.isWithdrawing, "the next process finds it there")
        try stage.settle()
        #expect(!stage.isWithdrawing && stage.disk.seen(name) == nil)
        stage.ask { $0.update(name, Self.activity("b"), for: $1, at: $2) }
        #expect(!stage.isWithdrawing, "nothing of it was written for others")
    }

    @Test func `count as being withdrawn also if they were being stored when they were withheld`() throws {
        var stage = Stage()
        stage.ask {
            $0.start(name, OwnActivity(Self.activity("a"), lifetime: .untilFinished), for: $1, at: $2)
        }
        stage.set(isPrivate: true)
        #expect(stage.isWithdrawing)
        try stage.work()
        #expect(stage.isWithdrawing)
        try stage.settle()
        #expect(!stage.isWithdrawing && stage.disk.seen(name) == nil)
    }

    /// Returns the record that others keep of an activity that was taken over.
    private func taken(_ stage: Stage) -> Journal.Draft {
        let (_, drafts) = Self.activity("a").takenOver(name, by: Stage.other, keeping: 1, at: stage.now.wall)
        return drafts[0]
    }

    @Test(arguments: [false, true])
    func `are reported as ended once it is known whether a device took them over`(_ isTaken: Bool) throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        // A snapshot brought the record to another device first, which sends it on first.
        try stage.others([Journal.Draft(.deletion, name.key)], isClaimed: false)
        try stage.settle()
        #expect(stage.machine[name] == nil && standing(stage) == .ended(to: nil))
        #expect(stage.endings.isEmpty && stage.machine.hasUnexplainedEnd(name))
        if isTaken { try stage.others([taken(stage)], isClaimed: false) }
        try stage.others([], isClaimed: true)
        let end = CurrentActivities.Ending.takenOver(by: Stage.other, at: stage.now.wall)
        #expect(stage.endings.map(\.ending) == [isTaken ? end : .forgotten])
        #expect(!stage.machine.hasUnexplainedEnd(name))
    }

    @Test(arguments: [false, true])
    func `that a snapshot removes are reported as ended at the latest when the snapshot ends`(_ isTaken: Bool)
        throws
    {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        stage.take(stage.disk.beginSnapshot(without: name.key.identity))
        #expect(stage.machine[name] == nil && stage.endings.isEmpty)
        if isTaken { try stage.others([taken(stage)]) }
        #expect(stage.endings.isEmpty == !isTaken)
        stage.disk.endSnapshot()
        stage.take([])
        let end = CurrentActivities.Ending.takenOver(by: Stage.other, at: stage.now.wall)
        #expect(stage.endings.map(\.ending) == [isTaken ? end : .forgotten])
    }

    @Test func `that this device finished in a lost life are reported as finished`() throws {
        var stage = Stage()
        try begin(&stage, Self.activity("a"))
        stage.pass(.seconds(1))
        let saved = Self.activity("a").saved(
            from: Activity.Origin(device: Stage.device, identity: name.key.identity),
            finished: stage.now.wall, keeping: WallTime.day)
        let key = saved.savedName(by: name.app).key
        let drafts = [
            Journal.Draft(.full(saved.content(savedBy: name.app)), key), Journal.Draft(.deletion, name.key),
        ]
        try stage.others(drafts, isClaimed: false)
        #expect(stage.endings.map(\.ending) == [.finished])
    }

    @Test func `are not reported as ended if their app has begun or finished an activity since`() throws {
        for isBegun in [false, true] {
            var stage = Stage()
            try begin(&stage, Self.activity("a"))
            try stage.others([Journal.Draft(.deletion, name.key)], isClaimed: false)
            if isBegun {
                try begin(&stage, Self.activity("b"))
            } else {
                stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
            }
            try stage.others([taken(stage)])
            #expect(stage.endings.isEmpty && !stage.machine.hasUnexplainedEnd(name))
            #expect(stage.machine[name]?.activity.title == (isBegun ? "b" : nil))
        }
    }

    @Test func `report the last of several stored ends, also after a restart of the node`()
        throws
    {
        let (start, other) = (WallTime(milliseconds: 1_700_000_000_000), DeviceIdentifier(high: 1, low: 3))
        var stage = Stage()
        let end = { (page: String, seconds: Int, taker: DeviceIdentifier?) in
            var activity = Self.activity(page)
            activity.webpage = "https://example.org/\(page)"
            var saved = activity.saved(
                from: Activity.Origin(device: Stage.device, identity: name.key.identity),
                finished: start.advanced(by: .seconds(seconds)), keeping: WallTime.day)
            saved.isTaken = taker != nil
            saved.continuation = taker.map { Activity.Continuation(device: $0, time: start) }
            let key = activity.savedName(by: name.app).key
            return Journal.Draft(.full(saved.content(savedBy: name.app)), key)
        }
        let gone = Journal.Draft(.deletion, end("b", 0, nil).key)
        for (draft, taker) in [
            (end("a", 2, other), other), (end("b", 4, nil), nil), (end("c", 4, Stage.other), Stage.other),
            // An end that is stored late replaces the stored one, although it is earlier.
            (end("c", 1, Stage.other), nil), (gone, other), (end("a", 2, nil), nil),
        ] {
            try stage.others([draft])
            #expect(stage.machine.takenOver(name.key.identity)?.device == taker)
            stage.crash()
            #expect(stage.machine.takenOver(name.key.identity)?.device == taker)
        }
    }
}
