import BatonCore
import Testing

/// A member wrote over an activity of this device with the largest time, so that no write to that record counts any
/// more.
@Suite struct `Activities moved to another name` {
    typealias Stage = ActivitiesStage
    private let name = Stage.name(1)
    /// The writes of such a member: another activity in its place, or its end.
    static let planted = [activity("planted"), nil]

    private static func activity(_ title: String) -> Activity {
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 1_700_000_000_000))
        (activity.title, activity.eligibility) = (title, .handoff)
        return activity
    }

    private func start(_ stage: inout Stage, _ title: String) -> UInt64 {
        stage.ask { [name] in
            $0.start(
                name, OwnActivity(Self.activity(title), lifetime: .untilFinished), for: $1, at: $2)
        }
    }

    private func plant(_ activity: Activity?, in stage: inout Stage) throws {
        try stage.plant(Journal.Draft(activity.map { .full($0.content) } ?? .deletion, name.key))
    }

    /// Checks that the activity continues under exactly one other name, where others see it.
    private func expect(_ title: String, in stage: Stage) {
        let present = stage.machine.present(name)
        #expect(present != name && present.first == name)
        #expect(stage.machine.all.map(\.name) == [present])
        #expect(stage.machine.all.map(\.own.activity.title) == [title])
        #expect(stage.disk.seen(present)?.title == title)
    }

    @Test(arguments: planted)
    func `begin under the new name, are found there after a restart, and end there`(_ planted: Activity?)
        throws
    {
        var stage = Stage()
        _ = start(&stage, "first")
        try stage.workAll()
        try plant(planted, in: &stage)
        let ticket = start(&stage, "second")
        try stage.settle()
        #expect(stage.answers.filter { $0.ticket == ticket }.map(\.failure) == [nil])
        #expect(stage.moves.map(\.from) == [name])
        expect("second", in: stage)

        stage.crash()
        try stage.settle()
        expect("second", in: stage)
        let present = stage.machine.present(name)
        stage.ask { $0.finish(present, as: .finished, for: $1, at: $2) }
        try stage.settle()
        #expect(stage.machine.all.isEmpty)
        #expect(stage.disk.seen(present) == nil)
        #expect(stage.disk.saved.contains { $0.title == "second" })
        #expect(stage.moves.count == 1)
    }

    @Test(arguments: planted)
    func `are deleted under their first name, even if the disk fails during the move`(
        _ planted: Activity?
    )
        throws
    {
        var stage = Stage()
        // So many changes at once are not all sent, and the last one is in a note of this device alone.
        for number in 0...10 {
            _ = start(&stage, "first \(number)")
            try stage.workAll()
        }
        try plant(planted, in: &stage)
        stage.pass(.seconds(1))
        _ = start(&stage, "second")
        // The first transaction is outranked, and the one under the other name fails.
        for _ in 0..<5 where stage.moves.isEmpty { try stage.work() }
        #expect(stage.moves.map(\.from) == [name])
        try stage.work(StoreFailure(.full, "the disk is full"))
        _ = start(&stage, "third")
        try stage.settle()
        stage.crash()
        try stage.settle()
        expect("third", in: stage)
    }

    @Test(arguments: planted)
    func `are saved once if the process is killed at any step of the move`(_ planted: Activity?) throws {
        for kill in 0...4 {
            var stage = Stage()
            try plant(planted, in: &stage)
            _ = start(&stage, "first")
            for step in 0..<5 {
                if step == kill { stage.crash() }
                try stage.work()
            }
            try stage.settle()
            _ = start(&stage, "second")
            try stage.settle()
            expect("second", in: stage)
            #expect(stage.disk.notes.isEmpty, "\(kill)")
        }
    }

    @Test func `move again if a member overwrites the new name, too`() throws {
        var stage = Stage()
        _ = start(&stage, "first")
        try stage.workAll()
        for count in 1...3 {
            try stage.plant(
                Journal.Draft(.full(Self.activity("planted").content), stage.machine.present(name).key))
            try stage.settle()
            #expect(stage.moves.count == count)
            expect("first", in: stage)
        }
    }
}
