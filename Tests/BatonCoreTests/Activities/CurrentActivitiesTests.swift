import BatonCore
import Support
import Testing

@Suite struct `Current activities` {
    typealias Stage = ActivitiesStage
    private let name = Stage.name(1)
    private static let failure = StoreFailure(.full, "the disk is full")

    private static func activity(
        _ title: String, type: String = "org.example.edit", eligibility: Eligibility = .handoff
    ) -> Activity {
        var activity = Activity(type: type, started: WallTime(milliseconds: 1_700_000_000_000))
        (activity.title, activity.eligibility) = (title, eligibility)
        activity.persistentIdentifier = type
        return activity
    }

    private func start(
        _ stage: inout Stage, _ activity: Activity, _ lifetime: ActivityLifetime = .untilFinished
    ) throws {
        stage.ask { $0.start(name, OwnActivity(activity, lifetime: lifetime), for: $1, at: $2) }
        try stage.workAll()
    }

    private func update(_ stage: inout Stage, _ activity: Activity) {
        stage.ask { $0.update(name, activity, for: $1, at: $2) }
    }

    // MARK: The rate

    @Test(arguments: [1, 5])
    func `are sent immediately after a pause, and then at a limited rate, always in their last state`(
        atOnce: Int
    ) throws {
        var stage = Stage(publishedAtOnce: atOnce)
        try start(&stage, Self.activity("0"))
        #expect(stage.disk.seen(name)?.title == "0")
        for number in 1...1000 {
            update(&stage, Self.activity("\(number)"))
            try stage.workAll()
            #expect(stage.disk.own(name)?.title == "\(number)", "acknowledged is kept")
            stage.pass(.milliseconds(1))
        }
        #expect(stage.answers.count == 1001 && stage.answers.allSatisfy { $0.failure == nil })
        try stage.settle()
        #expect(stage.disk.seen(name)?.title == "1000" && stage.disk.notes.isEmpty)
        let count = stage.publications[name]?.count ?? 0
        #expect((30...32).contains(count - atOnce + 1), "\(count) in a second")
        #expect(stage.machine.deadline == nil, "nothing wakes a node at rest")
    }

    @Test
    func `that change exactly at the allowed rate are sent without delay, even if some changes are late`()
        throws
    {
        var stage = Stage(publishedAtOnce: 5)
        var generator = SeededGenerator(seed: 3)
        var wait = 0
        for number in 0...1000 {
            // Each is late by a random time, and the next one is not.
            let late = generator.number(0...100)
            stage.pass(.milliseconds(max(0, 33 + late - wait)))
            wait = late
            try start(&stage, Self.activity("\(number)"))
            #expect(stage.disk.seen(name)?.title == "\(number)")
        }
    }

    @Test
    func `merge changes while the disk is busy, and all callers are answered once the changes are stored`()
        throws
    {
        var stage = Stage()
        stage.ask {
            $0.start(name, OwnActivity(Self.activity("0"), lifetime: .untilFinished), for: $1, at: $2)
        }
        for number in 1...10 { update(&stage, Self.activity("\(number)")) }
        #expect(stage.underWay.count == 1 && stage.answers.isEmpty)
        try stage.work()
        #expect(stage.answers.map(\.ticket) == [1])
        #expect(stage.underWay.count == 1)
        try stage.work()
        #expect(stage.answers.count == 11 && stage.disk.own(name)?.title == "10")
    }

    @Test(arguments: [false, true])
    func `that wait for the allowed rate are sent when the process is ending`(_ isWriting: Bool) throws {
        var stage = Stage()
        try start(&stage, Self.activity("0"))
        for title in ["1", "2"] { update(&stage, Self.activity(title)) }
        if !isWriting { try stage.workAll() }
        #expect(stage.disk.seen(name)?.title == "0")
        stage.stop()
        try stage.workAll()
        #expect(stage.disk.seen(name)?.title == "2" && stage.disk.notes.isEmpty)
    }

    // MARK: Visibility to others

    @Test func `that lose their eligibility for hand-off are deleted elsewhere and stay here`()
        throws
    {
        var stage = Stage()
        try start(&stage, Self.activity("a", eligibility: .search))
        #expect(stage.disk.records.isEmpty && stage.disk.own(name)?.title == "a")
        #expect(!stage.machine.isShared(name))
        update(&stage, Self.activity("b"))
        try stage.settle()
        #expect(stage.disk.seen(name)?.title == "b" && stage.machine.isShared(name))
        update(&stage, Self.activity("c", eligibility: []))
        try stage.work()
        #expect(stage.disk.seen(name) == nil && stage.disk.own(name)?.title == "c")
        stage.crash()
        #expect(stage.machine[name]?.activity.title == "c" && stage.underWay.isEmpty)
    }

    @Test func `are withdrawn while the device is private, are not saved, and are shown again afterwards`()
        throws
    {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        stage.set(isPrivate: true)
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.disk.own(name)?.title == "a")
        try start(&stage, Self.activity("b", type: "org.example.other"))
        #expect(stage.disk.saved.isEmpty && stage.disk.own(name)?.title == "b")
        stage.crash()
        #expect(stage.disk.seen(name) == nil)
        stage.set(isPrivate: false)
        try stage.settle()
        #expect(stage.disk.seen(name)?.title == "b" && stage.disk.notes.isEmpty)
    }

    @Test func `that a crash left visible to others are withdrawn when a private node starts`() throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        stage.set(isPrivate: true)
        #expect(stage.underWay.count == 1)
        stage.crash()
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.disk.own(name)?.title == "a")
    }

    @Test func `that resign are deleted elsewhere, and stay unchanged here until they start again`()
        throws
    {
        var stage = Stage()
        try start(&stage, Self.activity("a"), .process(ProcessName(number: 1, started: 2, boot: "b")))
        stage.ask { $0.resign(name, for: $1, at: $2) }
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.disk.saved.isEmpty)
        stage.crash()
        #expect(stage.machine[name]?.isResigned == true)
        #expect(stage.machine[name]?.lifetime.process?.number == 1)
        try start(&stage, Self.activity("b"), .untilFinished)
        try stage.settle()
        #expect(stage.disk.seen(name)?.title == "b" && stage.disk.saved.isEmpty)
    }

    // MARK: Their end

    @Test func `are saved under one name for 30 days when they end, with the values that restore them`()
        throws
    {
        var stage = Stage()
        var activity = Self.activity("a")
        activity.info = [.string("path"): .string("/a"), .string("undo"): .integer(7)]
        (activity.requiredKeys, activity.supportsStreams) = (["path"], true)
        let saved = activity.savedName(by: name.app)
        for _ in 0..<3 {
            try start(&stage, activity)
            stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
            try stage.workAll()
            stage.pass(.seconds(1))
        }
        #expect(stage.disk.seen(name) == nil && stage.disk.saved.count == 1)
        let kept = try #require(stage.disk.saved(saved))
        #expect(kept.info == [.string("path"): .string("/a")] && !kept.supportsStreams)
        #expect(kept.origin == Activity.Origin(device: Stage.device, identity: name.key.identity))
        let finished = try #require(kept.finished)
        #expect(kept.expiration == finished.advanced(by: WallTime.day * 30))
        #expect(stage.disk.notes.isEmpty)
    }

    @Test func `are saved for the days in the settings when they end, and not at all for zero days`() throws {
        for days in [0, 1] as [Int64] {
            var stage = Stage(finishedDays: days)
            try start(&stage, Self.activity("a"))
            stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
            try stage.workAll()
            #expect(stage.disk.saved.count == Int(days) && stage.disk.seen(name) == nil)
        }
    }

    @Test func `for copied content are not saved when they end`() throws {
        var stage = Stage()
        try start(&stage, Self.activity("a", type: Activity.clipboardType))
        stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
        try stage.workAll()
        try start(&stage, Self.activity("b", type: Activity.clipboardType))
        try start(&stage, Self.activity("c", type: Activity.clipboardType))
        stage.happen { $0.handleLoss(of: name, at: $1) }
        try stage.workAll()
        #expect(stage.disk.saved.isEmpty && stage.disk.seen(name) == nil && stage.disk.notes.isEmpty)
    }

    @Test
    func `are saved when one of another type replaces them, and continue if the same activity begins again`()
        throws
    {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        var again = Self.activity("again")
        again.started = stage.now.wall.advanced(by: .seconds(60))
        try start(&stage, again)
        #expect(stage.disk.saved.isEmpty)
        #expect(stage.machine[name]?.activity.started == Self.activity("a").started)
        try start(&stage, Self.activity("b", type: "org.example.other"))
        #expect(stage.disk.saved.map(\.title) == ["again"])
    }

    @Test func `end at their expiration, and their app is notified`() throws {
        var stage = Stage()
        var activity = Self.activity("a")
        activity.expiration = stage.now.wall.advanced(by: .seconds(10))
        try start(&stage, activity)
        #expect(stage.machine.deadline == stage.now.steady + .seconds(10))
        stage.pass(.seconds(10))
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.machine[name] == nil && stage.disk.saved.isEmpty)
        #expect(stage.endings.map(\.ending) == [.finished])
    }

    @Test func `end when the node restarts if they are bound to a connection`() throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"), .connection)
        #expect(stage.disk.seen(name)?.title == "a")
        stage.crash()
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.disk.saved.count == 1 && stage.disk.notes.isEmpty)
    }

    @Test(arguments: [false, true])
    func `that ended with their node replace no saved activity that is later than their last change`(
        _ changesLater: Bool
    ) throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"), .connection)
        stage.pass(.seconds(1))
        let other = Stage.name(2)
        stage.ask {
            $0.start(other, OwnActivity(Self.activity("b"), lifetime: .untilFinished), for: $1, at: $2)
        }
        stage.ask { $0.finish(other, as: .finished, for: $1, at: $2) }
        try stage.workAll()
        stage.pass(.seconds(1))
        if changesLater {
            update(&stage, Self.activity("c"))
            try stage.workAll()
            stage.pass(stage.pace.pause)
            try stage.workAll()
        }
        stage.crash()
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil)
        #expect(stage.disk.saved.map(\.title) == [changesLater ? "c" : "b"])
    }

    @Test func `end when their process exits, even if the disk fails at first`() throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        stage.happen { $0.handleLoss(of: name, at: $1) }
        try stage.work(Self.failure)
        #expect(stage.machine[name] == nil && stage.disk.seen(name) != nil && stage.underWay.isEmpty)
        stage.pass(Stage.retryPause.lowerBound)
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.disk.saved.count == 1)
    }

    @Test func `refused by the disk are retried after pauses that grow with each failure`() throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        update(&stage, Self.activity("b"))
        try stage.workAll()
        // The new state is stored, and waits for its time to be sent.
        #expect(stage.disk.seen(name)?.title == "a" && stage.disk.own(name)?.title == "b")
        stage.pass(stage.pace.pause)
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            try stage.work(Self.failure)
            stage.pass(.seconds(pause) - .milliseconds(1))
            #expect(stage.underWay.isEmpty)
            stage.pass(.milliseconds(1))
        }
        try stage.workAll()
        #expect(stage.disk.seen(name)?.title == "b" && stage.machine.deadline == nil)
    }

    @Test func `that were sent early but not stored here are deleted for other devices when they end`() throws
    {
        let deletion = Journal.Draft(.deletion, name.key)
        for isFinished in [false, true] {
            var stage = Stage()
            try start(&stage, Self.activity("a"))
            stage.ask { $0.resign(name, for: $1, at: $2) }
            try stage.workAll()
            stage.pass(.seconds(1))
            stage.ask {
                $0.start(name, OwnActivity(Self.activity("b"), lifetime: .untilFinished), for: $1, at: $2)
            }
            #expect(stage.underWay.first?.drafts.contains { $0.key == name.key } == true)
            try stage.work(Self.failure)
            #expect(stage.disk.seen(name) == nil && stage.underWay.isEmpty)
            if isFinished {
                stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
            } else {
                stage.pass(Stage.retryPause.lowerBound)
                #expect(stage.underWay.first?.drafts.contains(deletion) == true)
                try stage.work(Self.failure)
                stage.pass(Stage.retryPause.upperBound)
            }
            #expect(stage.underWay.first?.drafts.contains(deletion) == true)
            try stage.settle()
            #expect(stage.machine[name]?.activity.title == (isFinished ? nil : "a"))
            #expect(stage.machine.deadline == nil)
        }
    }

    @Test(arguments: [false, true])
    func `survive a deletion of the app's saved activities, and are saved when they end`(isAll: Bool) throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        Self.delete(&stage, isAll: isAll)
        try stage.workAll()
        #expect(stage.machine[name]?.activity.title == "a" && stage.disk.seen(name) != nil)
        stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && !stage.disk.saved.isEmpty)
    }

    /// Deletes what the app saved: all, or what has the identifier of the activity.
    @discardableResult
    private static func delete(_ stage: inout Stage, isAll: Bool) -> CurrentActivities.Ticket {
        stage.ask { machine, ticket, now in
            machine.deleteSaved(
                "org.example", isAll ? nil : ["org.example.edit"], for: { _ in ticket }, at: now)
        }
    }

    @Test(arguments: [false, true])
    func `are not saved by a retry after a failed disk if their app deleted them while they ended`(
        isAll: Bool
    )
        throws
    {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        stage.happen { $0.handleLoss(of: name, at: $1) }
        #expect(stage.underWay.count == 1)
        Self.delete(&stage, isAll: isAll)
        try stage.work(Self.failure)
        stage.pass(Stage.retryPause.lowerBound)
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.disk.saved.isEmpty)
    }

    @Test(arguments: [false, true])
    func `that their app deletes while their end is retried are deleted on disk before the app is answered`(
        isAll: Bool
    ) throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        stage.happen { $0.handleLoss(of: name, at: $1) }
        try stage.work(Self.failure)
        #expect(stage.underWay.isEmpty && stage.disk.seen(name) != nil, "its end is tried again later")
        let deletion = Self.delete(&stage, isAll: isAll)
        #expect(!stage.answers.contains { $0.ticket == deletion } && stage.underWay.count == 1)
        try stage.workAll()
        #expect(stage.answers.contains { $0.ticket == deletion }, "the app hears of it")
        #expect(stage.disk.seen(name) == nil && stage.disk.saved.isEmpty)
    }

    @Test(arguments: [false, true])
    func `that their app deletes twice are deleted on disk before the second answer`(isAll: Bool) throws {
        var stage = Stage()
        stage.ask {
            $0.start(name, OwnActivity(Self.activity("a"), lifetime: .untilFinished), for: $1, at: $2)
        }
        #expect(stage.underWay.count == 1, "its beginning is not kept yet")
        stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
        Self.delete(&stage, isAll: isAll)
        let second = Self.delete(&stage, isAll: isAll)
        try stage.work()
        #expect(stage.disk.seen(name) != nil && !stage.answers.contains { $0.ticket == second })
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.answers.contains { $0.ticket == second })
    }

    @Test
    func `are withdrawn for others once the withdrawal is stored, but their end is sent before it is stored`()
        throws
    {
        for isEnd in [false, true] {
            var (stage, journal) = (Stage(), Journal(life: Life(high: 1, low: 1), latest: .zero))
            try start(&stage, Self.activity("a"))
            stage.ask {
                if isEnd {
                    $0.finish(name, as: .finished, for: $1, at: $2)
                } else {
                    $0.resign(name, for: $1, at: $2)
                }
            }
            let underWay = try #require(stage.underWay.first)
            // The first write of a life is never sent before it is stored.
            _ = journal.transaction(.activities, underWay.drafts, now: stage.now.wall)
            let transaction = journal.transaction(.activities, underWay.drafts, now: stage.now.wall)
            var named = try #require(transaction)
            named.notes = underWay.notes
            #expect(named.canBeToldAhead == isEnd)
        }
    }

    // MARK: Others

    @Test func `end here, with the taker's name, when another device takes them over`() throws {
        var stage = Stage()
        try start(&stage, Self.activity("a"))
        var saved = Self.activity("a").saved(
            from: Activity.Origin(device: Stage.device, identity: name.key.identity),
            finished: stage.now.wall, keeping: WallTime.day)
        saved.continuation = Activity.Continuation(device: Stage.other, time: stage.now.wall)
        saved.isTaken = true
        let key = saved.savedName(by: name.app).key
        try stage.others([
            Journal.Draft(.full(saved.content(savedBy: name.app)), key), Journal.Draft(.deletion, name.key),
        ])
        #expect(stage.machine[name] == nil)
        #expect(stage.endings.map(\.ending) == [.takenOver(by: Stage.other, at: stage.now.wall)])
        stage.crash()
        #expect(stage.machine.takenOver(name.key.identity)?.device == Stage.other)
        try start(&stage, Self.activity("b"))
        stage.pass(.seconds(1))
        stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
        try stage.workAll()
        #expect(stage.machine.takenOver(name.key.identity) == nil, "it ended here last")
    }

    @Test func `that another device deletes end here, unless their app has changed them since`() throws {
        for isChanged in [false, true] {
            var stage = Stage()
            try start(&stage, Self.activity("a"), .process(ProcessName(number: 1, started: 2, boot: "b")))
            if isChanged {
                update(&stage, Self.activity("b"))
                try stage.work()
            }
            try stage.others([Journal.Draft(.deletion, name.key)])
            try stage.settle()
            #expect(stage.disk.seen(name)?.title == (isChanged ? "b" : nil))
            #expect(stage.endings.map(\.ending) == (isChanged ? [] : [.forgotten]))
            #expect(stage.disk.notes.isEmpty == !isChanged && stage.disk.saved.isEmpty)
        }
    }

    @Test func `end unsaved if another device deletes them before their withdrawal is stored`()
        throws
    {
        for isFinished in [false, true] {
            var stage = Stage()
            try start(&stage, Self.activity("a"))
            if isFinished { stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) } }
            stage.set(isPrivate: true)
            try stage.others([Journal.Draft(.deletion, name.key)])
            try stage.work(Self.failure)
            #expect(stage.machine[name] == nil && stage.endings.map(\.ending) == [.forgotten])
            try stage.settle()
            #expect(stage.disk.own(name) == nil && stage.disk.saved.isEmpty && stage.disk.notes.isEmpty)
        }
    }

    @Test func `continue in the state in which other devices return them`() throws {
        var stage = Stage()
        try stage.others([Journal.Draft(.full(Self.activity("a").content), name.key)])
        #expect(stage.machine[name]?.activity.title == "a")
        try stage.others([Journal.Draft(.full(Self.activity("b").content), name.key)])
        #expect(stage.machine[name]?.activity.title == "b" && stage.underWay.isEmpty)
        stage.set(isPrivate: true)
        try stage.workAll()
        try stage.others([Journal.Draft(.full(Self.activity("c").content), name.key)])
        try stage.workAll()
        #expect(stage.disk.seen(name) == nil && stage.disk.own(name)?.title == "b")
    }

    // MARK: Random lives

    @Test(arguments: Seeds.first(200))
    func `that were acknowledged are stored, and finally visible to others, after any sequence of events`(
        _ seed: UInt64
    )
        throws
    {
        var life = ActivitiesLife(seed: seed)
        for _ in 0..<150 { try life.step() }
        try life.end()
    }
}
