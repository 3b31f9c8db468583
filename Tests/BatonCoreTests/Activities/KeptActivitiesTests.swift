import BatonCore
import Support
import Testing

/// Activities that ended, and that their device keeps for itself.
@Suite struct `Activities kept on their device only` {
    typealias Stage = ActivitiesStage
    private let name = Stage.name(1)
    private static let start = WallTime(milliseconds: 1_700_000_000_000)

    private static func activity(_ title: String, _ eligibility: Eligibility) -> Activity {
        var activity = Activity(type: "org.example.edit", started: start)
        (activity.title, activity.eligibility, activity.persistentIdentifier) = (title, eligibility, title)
        return activity
    }

    private func end(_ stage: inout Stage, _ activity: Activity) throws {
        stage.ask { $0.start(name, OwnActivity(activity, lifetime: .untilFinished), for: $1, at: $2) }
        try stage.workAll()
        stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
        try stage.settle()
    }

    private static func saved(_ title: String) -> SavedActivityName {
        SavedActivityName(app: "org.example", identifier: title)
    }

    /// Eligibilities, each with whether the activity is replicated and whether it is kept here.
    private static let eligibilities: [(Eligibility, Bool, Bool)] = [
        ([.handoff, .search], true, false), (.handoff, true, false), (.search, false, true),
        ([], false, false), (.prediction, false, true), ([.handoff, .prediction], true, false),
    ]

    @Test(arguments: eligibilities)
    func `an ended activity is replicated, kept here or dropped, as its eligibility says`(
        _ eligibility: Eligibility, _ isReplicated: Bool, _ isKept: Bool
    ) throws {
        var stage = Stage()
        try end(&stage, Self.activity("a", eligibility))
        #expect((stage.disk.saved(Self.saved("a")) != nil) == isReplicated)
        #expect((stage.machine.kept[Self.saved("a")] != nil) == isKept)
        #expect(stage.disk.notes.values.contains { $0.space == .keptActivity } == isKept)
        stage.crash()
        #expect((stage.machine.kept[Self.saved("a")] != nil) == isKept, "another process knows it, too")
        #expect(stage.machine.deadline == nil)
    }

    @Test
    func `when an activity changes to another thing, the earlier thing is kept here if it may be suggested`()
        throws
    {
        for (eligibility, isKept) in [([.handoff, .prediction], true), (Eligibility.handoff, false)] {
            var stage = Stage()
            let first = Self.activity("a", eligibility)
            stage.ask { $0.start(name, OwnActivity(first, lifetime: .untilFinished), for: $1, at: $2) }
            try stage.settle()
            var changed = first
            changed.title = "changed"
            stage.ask { $0.update(name, changed, for: $1, at: $2) }
            try stage.settle()
            #expect(stage.machine.kept.activities.isEmpty, "it is the same thing")
            stage.ask { $0.update(name, Self.activity("b", eligibility), for: $1, at: $2) }
            try stage.settle()
            #expect(stage.machine.kept[Self.saved("a")]?.title == (isKept ? "changed" : nil))
            #expect(stage.disk.saved(Self.saved("a")) == nil, "other devices learn nothing of it")
            stage.crash()
            #expect((stage.machine.kept[Self.saved("a")] != nil) == isKept, "another process knows it, too")
            // Its end is for all devices, and takes the place of what was kept here.
            stage.ask { $0.update(name, first, for: $1, at: $2) }
            stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
            try stage.settle()
            #expect(stage.machine.kept[Self.saved("a")] == nil && stage.disk.saved(Self.saved("a")) != nil)
        }
    }

    @Test func `activities that are only suggested have a limit of their own, and displace no searched ones`()
    {
        var kept = KeptActivities()
        let keep = { (kept: inout KeptActivities, title: String, eligibility: Eligibility, number: Int) in
            var activity = Self.activity(title, eligibility)
            activity.finished = Self.start.advanced(by: .seconds(Int64(number)))
            kept.restoreNotes(kept.notes(keeping: activity, as: Self.saved(title), at: Self.start))
        }
        keep(&kept, "found", .search, 0)
        for number in 1...KeptActivities.suggestedMost + 5 { keep(&kept, "\(number)", .prediction, number) }
        #expect(kept.activities.count == KeptActivities.suggestedMost + 1)
        #expect(
            kept[Self.saved("found")] != nil && kept[Self.saved("5")] == nil && kept[Self.saved("6")] != nil)
        #expect(kept.searched.activities.count == 1)
    }

    @Test
    func `if an activity ends again and is eligible for hand-off, it is replicated and no longer kept here`()
        throws
    {
        var stage = Stage()
        try end(&stage, Self.activity("a", .search))
        #expect(stage.machine.kept[Self.saved("a")]?.finished != nil)
        try end(&stage, Self.activity("a", [.search, .handoff]))
        #expect(stage.machine.kept.activities.isEmpty && stage.disk.saved(Self.saved("a")) != nil)
        #expect(stage.disk.notes.isEmpty)
    }

    @Test func `an activity that ends while the machine is private is neither kept nor replicated`() throws {
        var stage = Stage()
        stage.set(isPrivate: true)
        try end(&stage, Self.activity("a", [.search, .handoff]))
        try end(&stage, Self.activity("b", .search))
        #expect(stage.machine.kept.activities.isEmpty && stage.disk.saved.isEmpty)
    }

    @Test
    func
        `if an app's hand-off is off, its activity is deleted elsewhere, continues here, and is kept at its end`()
        throws
    {
        var stage = Stage()
        let activity = Self.activity("a", [.search, .handoff])
        stage.ask { $0.start(name, OwnActivity(activity, lifetime: .untilFinished), for: $1, at: $2) }
        try stage.workAll()
        #expect(stage.disk.seen(name) != nil && stage.machine.isShared(name))
        stage.set(withheld: ["org.example"])
        try stage.settle()
        #expect(stage.disk.seen(name) == nil && stage.disk.own(name)?.title == "a")
        #expect(!stage.machine.isShared(name))
        #expect(stage.machine.standing(of: name.identity, at: Self.start) == .hidden)
        stage.crash()
        try stage.settle()
        #expect(stage.disk.seen(name) == nil && stage.disk.own(name)?.title == "a")
        stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
        try stage.settle()
        #expect(stage.disk.saved.isEmpty && stage.machine.kept[Self.saved("a")] != nil)
        try end(&stage, Self.activity("b", .handoff))
        #expect(stage.disk.saved.isEmpty && stage.machine.kept[Self.saved("b")] == nil)
        stage.set(withheld: [])
        stage.ask { $0.start(name, OwnActivity(activity, lifetime: .untilFinished), for: $1, at: $2) }
        try stage.settle()
        #expect(stage.disk.seen(name)?.title == "a")
    }

    @Test func `an activity whose saving failed is kept here once hand-off is off for its app`() throws {
        var stage = Stage()
        let activity = Self.activity("a", [.search, .handoff])
        stage.ask { $0.start(name, OwnActivity(activity, lifetime: .untilFinished), for: $1, at: $2) }
        try stage.workAll()
        stage.happen { $0.handleLoss(of: name, at: $1) }
        stage.set(withheld: ["org.example"])
        try stage.work(StoreFailure(.full, "the disk is full"))
        try stage.settle()
        #expect(stage.disk.saved.isEmpty && stage.machine.kept[Self.saved("a")] != nil)
    }

    @Test func `deleted activities are not kept, not even those that are being stored`() throws {
        var stage = Stage()
        for title in ["a", "b", "c"] { try end(&stage, Self.activity(title, .search)) }
        let notes = stage.machine.notes(removingKept: ["a", "x"], of: "org.example")
        #expect(notes.allSatisfy { $0.value == nil } && Set(notes.map(\.name)).count == 2)
        stage.happen { machine, _ in machine.handleKept(notes) }
        #expect(Set(stage.machine.kept.names(of: "org.example").map(\.identifier)) == ["b", "c"])
        #expect(stage.machine.notes(removingKept: nil, of: "org").isEmpty)
        let activity = Self.activity("d", .search)
        stage.ask { $0.start(name, OwnActivity(activity, lifetime: .untilFinished), for: $1, at: $2) }
        try stage.workAll()
        stage.ask { $0.finish(name, as: .finished, for: $1, at: $2) }
        let all = stage.machine.notes(removingKept: nil, of: "org.example")
        #expect(Set(all.map(\.name)).count == 3, "the one on its way to the disk, too")
    }

    @Test func `the number of kept activities is limited, and expired ones are removed first`() throws {
        var kept = KeptActivities()
        func keep(_ number: Int, expires: Int64? = nil, bytes: Int = 1, at now: WallTime = Self.start) {
            var activity = Self.activity("\(number)", .search)
            activity.finished = Self.start.advanced(by: .seconds(number))
            activity.expiration = expires.map { WallTime(milliseconds: $0) }
            activity.info = [.string("a"): .string(String(repeating: "x", count: bytes))]
            kept.restoreNotes(kept.notes(keeping: activity, as: Self.saved("\(number)"), at: now))
        }
        for number in 0..<KeptActivities.most {
            keep(number, expires: number == 500 ? Self.start.milliseconds + 5 : nil)
        }
        #expect(kept.activities.count == KeptActivities.most)
        keep(2000, at: Self.start.advanced(by: .milliseconds(5)))
        #expect(kept[Self.saved("500")] == nil && kept[Self.saved("0")] != nil)
        keep(2001)
        #expect(kept[Self.saved("0")] == nil && kept[Self.saved("1")] != nil)
        #expect(kept.activities.count == KeptActivities.most)
        keep(2002, bytes: KeptActivities.bytesMost / 2)
        keep(2003, bytes: KeptActivities.bytesMost / 2 - 1000)
        #expect(kept[Self.saved("2002")] != nil || kept[Self.saved("2003")] != nil)
        keep(2004, bytes: KeptActivities.bytesMost)
        #expect(kept[Self.saved("2004")] == nil, "it alone is too large")
        #expect(kept[Self.saved("2003")] != nil)
        #expect(kept.notesRemovingExpired(at: Self.start).isEmpty && kept.nearestExpiration == nil)
        keep(2005, expires: Self.start.milliseconds + 9)
        let expired = kept.notesRemovingExpired(at: Self.start.advanced(by: .milliseconds(9)))
        #expect(Set(expired.map(\.name)) == [Self.saved("2005").key.name])
        #expect(kept.nearestExpiration == Self.start.advanced(by: .milliseconds(9)))
    }

    /// The disk may see an opening before what happens to the activity meanwhile, or after it.
    @Test(arguments: [false, true])
    func `an opening does not undo a later end or deletion of its activity`(
        _ isOpenedFirst: Bool
    ) throws {
        var (disk, memory) = (KeptActivities(), KeptActivities())
        func store(_ notes: [LocalNote]) {
            disk.restoreNotes(notes)
            memory.restoreNotes(notes)
        }
        let device = DeviceIdentifier(high: 1, low: 1)
        func open() { store(disk.notes(opening: Self.saved("a"), by: device, at: Self.start)) }
        store(memory.notes(keeping: Self.activity("a", .search), as: Self.saved("a"), at: Self.start))
        open()
        // The notes are made before the opening is known, and stored before or after it.
        var later = Self.activity("a", .search)
        later.info = [.string("line"): .integer(2)]
        let again = memory.notes(keeping: later, as: Self.saved("a"), at: Self.start)
        if isOpenedFirst { open() }
        store(again)
        if !isOpenedFirst { open() }
        #expect(disk[Self.saved("a")]?.info == later.info)
        #expect(disk.uses[Self.saved("a")]?.counters.map(\.times) == [2])
        let removal = KeptActivities.notes(removing: [Self.saved("a")])
        if isOpenedFirst { open() }
        store(removal)
        if !isOpenedFirst { open() }
        #expect(disk.activities.isEmpty && disk.uses.isEmpty && disk == memory)
        // An activity that ends under the same name later was not opened.
        store(memory.notes(keeping: later, as: Self.saved("a"), at: Self.start))
        #expect(disk.uses.isEmpty && disk.activities.count == 1)
    }

    @Test func `unreadable notes are skipped`() {
        let name = Self.saved("a").key.name
        for note in [
            LocalNote(space: .keptActivity, name: [1], value: [1]),
            LocalNote(space: .keptActivity, name: name, value: [0xff]),
            LocalNote(space: .dismissal, name: name, value: [1]),
            LocalNote(space: .keptUse, name: name, value: [0xff]),
            LocalNote(space: .keptUse, name: name, value: [0xa0]),
        ] {
            #expect(KeptActivities([note]).activities.isEmpty)
        }
    }
}
