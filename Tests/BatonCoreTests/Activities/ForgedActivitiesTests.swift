import BatonCore
import Testing

/// A member writes records of activities in the name of this device.
@Suite struct `Activities that a member makes up in the name of this device` {
    typealias Stage = ActivitiesStage
    private let name = Stage.name(1)

    private static func activity(_ title: String) -> Activity {
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 1_700_000_000_000))
        (activity.title, activity.eligibility) = (title, .handoff)
        return activity
    }

    private static let forged = Write.Action.full(activity("forged").content)

    private func start(_ stage: inout Stage, _ title: String) {
        stage.ask { [name] in
            $0.start(name, OwnActivity(Self.activity(title), lifetime: .untilFinished), for: $1, at: $2)
        }
    }

    /// Checks that the only activity here is the one with that title, under that name, and that others see it.
    private func expect(_ title: String?, as present: ActivityName, in stage: Stage) {
        #expect(stage.machine.all.map(\.own.activity.title) == (title.map { [$0] } ?? []))
        #expect(stage.machine.present(name) == present)
        #expect(stage.disk.seen(present)?.title == title)
        #expect(stage.underWay.isEmpty && stage.endings.isEmpty)
    }

    @Test func `do not begin on this device, and are deleted`() throws {
        var stage = Stage()
        try stage.forge(Self.forged, of: name)
        #expect(stage.machine.all.isEmpty)
        try stage.settle()
        expect(nil, as: name, in: stage)
        #expect(stage.disk.saved.isEmpty)
    }

    @Test func `do not begin on this device when the node starts, and are deleted`() throws {
        var stage = Stage()
        try stage.forge(Self.forged, of: name) { $0.crash() }
        #expect(stage.machine.all.isEmpty)
        try stage.settle()
        expect(nil, as: name, in: stage)
    }

    @Test func `are overwritten with this device's current activity`() throws {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        try stage.forge(Self.forged, of: name)
        #expect(stage.machine[name]?.activity.title == "own")
        let forged = try #require(stage.disk.incarnation(of: name))
        try stage.settle()
        expect("own", as: name, in: stage)
        #expect(try #require(stage.disk.incarnation(of: name)) > forged)
        stage.crash()
        expect("own", as: name, in: stage)
    }

    @Test func `do not end this device's activity if the node crashes before it has overwritten them`() throws
    {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        try stage.forge(Self.forged, of: name) { $0.crash() }
        #expect(stage.disk.seen(name)?.title == "forged" && stage.machine[name]?.activity.title == "own")
        try stage.settle()
        expect("own", as: name, in: stage)
        #expect(stage.disk.notes.isEmpty, "the record says it all again")
        stage.crash()
        expect("own", as: name, in: stage)
    }

    @Test func `do not replace the last state of this device's activity, whether they are stored or not`()
        throws
    {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        try stage.forge(Self.forged, of: name, isKept: false)
        try stage.settle()
        expect("own", as: name, in: stage)
        #expect(stage.disk.notes.isEmpty)
        stage.pass(.seconds(1))
        let arriving = try stage.announceForged(Self.forged, of: name)
        stage.ask { [name] in $0.update(name, Self.activity("changed"), for: $1, at: $2) }
        stage.arrive(arriving)
        try stage.work()
        stage.crash()
        #expect(stage.machine.all.map(\.own.activity.title) == ["changed"])
        try stage.settle()
        #expect(stage.machine.all.map(\.own.activity.title) == ["changed"])
        #expect(stage.disk.seen(stage.machine.present(name))?.title == "changed" && stage.disk.notes.isEmpty)
    }

    @Test func `do not revive an activity that has ended here before they are stored`() throws {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        let arriving = try stage.announceForged(Self.forged, of: name)
        stage.ask { [name] in $0.finish(name, as: .forgotten, for: $1, at: $2) }
        stage.arrive(arriving)
        try stage.work()
        stage.crash()
        try stage.settle()
        expect(nil, as: name, in: stage)
        #expect(stage.disk.notes.isEmpty)
    }

    @Test func `are overwritten if they have the mark of an earlier state, or no mark`() throws {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        let marked = try #require(stage.disk.seen(name)).fields
        #expect(marked[.number(ActivityMark.number)] != nil)
        var unmarked = marked
        unmarked[.number(ActivityMark.number)] = nil
        for fields in [marked, unmarked] {
            try stage.forge(.full(Write.Content(fields: fields)), of: name)
            let forged = try #require(stage.disk.incarnation(of: name))
            try stage.settle()
            #expect(try #require(stage.disk.incarnation(of: name)) > forged)
            expect("own", as: name, in: stage)
            try stage.forge(.full(Write.Content(fields: fields)), of: Stage.name(2))
            try stage.settle()
            expect("own", as: name, in: stage)
        }
    }

    /// A snapshot from a peer that was set back makes a device write what it holds anew (`Renewal`).
    @Test func `do not begin here if a renewal rewrites them, and an own activity that it rewrites goes on`()
        throws
    {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        try stage.disk.renew()
        stage.crash()
        #expect(stage.underWay.isEmpty, "the record counts as it is")
        expect("own", as: name, in: stage)
        let forged = try stage.disk.forged(Self.forged, of: Stage.name(2), at: stage.now.wall)
        _ = stage.disk.take(forged)
        try stage.disk.renew()
        stage.crash()
        try stage.settle()
        expect("own", as: name, in: stage)
        #expect(stage.disk.seen(Stage.name(2)) == nil)
    }

    @Test func `do not replace an activity that is being stored`() throws {
        var stage = Stage()
        start(&stage, "own")
        try stage.forge(Self.forged, of: name)
        try stage.settle()
        expect("own", as: stage.machine.present(name), in: stage)
        #expect(stage.disk.notes.isEmpty)
    }

    @Test func `with a counter that no write can remove make the real activity continue under another name`()
        throws
    {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        try stage.forgeCounter(of: name)
        try stage.settle()
        #expect(stage.moves.count == 1)
        expect("own", as: stage.machine.present(name), in: stage)
    }

    @Test func `do not end an activity here if the disk refuses to overwrite them`() throws {
        var stage = Stage()
        start(&stage, "own")
        try stage.settle()
        try stage.forge(Self.forged, of: name)
        #expect(stage.underWay.count == 1)
        try stage.work(StoreFailure(.failed, "refused"))
        #expect(stage.machine[name]?.activity.title == "own")
        try stage.settle()
        expect("own", as: name, in: stage)
    }

    @Test func `are deleted if they are stored right after a write of this device`() throws {
        var stage = Stage()
        start(&stage, "own")
        try stage.work { [name] in try $0.forge(Self.forged, of: name) }
        try stage.settle()
        #expect(stage.moves.count == 1 && stage.disk.seen(name) == nil)
        let present = stage.machine.present(name)
        expect("own", as: present, in: stage)
        stage.ask { $0.finish(present, as: .forgotten, for: $1, at: $2) }
        try stage.work { try $0.forge(Self.forged, of: present) }
        try stage.settle()
        expect(nil, as: present, in: stage)
    }

    @Test func `are deleted in transactions of limited size`() throws {
        var stage = Stage()
        for number in 0..<2 * Limits.deviceActivities { try stage.forge(Self.forged, of: Stage.name(number)) }
        #expect(stage.underWay.count == Limits.deviceActivities)
        try stage.settle()
        expect(nil, as: name, in: stage)
    }
}
