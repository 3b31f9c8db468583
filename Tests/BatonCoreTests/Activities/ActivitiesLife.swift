import BatonCore
import Support
import Testing

/// A random life of some activities, compared with a simple model.
///
/// The model is a list of each activity's states, in order. The stored state must always be in that list, and not
/// before the state that was acknowledged last.
struct ActivitiesLife {
    private var generator: SeededGenerator
    private var stage: ActivitiesStage
    private var models: [Int: Model] = [:]
    private var count = 0
    private var answered = 0
    private var ended = 0

    private struct Model {
        /// The activity's states, and the tickets of their requests; a nil title is an end.
        var said: [(title: String?, ticket: UInt64?)] = [(nil, nil)]
        /// Whether another device deleted the visible state while newer states of the app are on their way to the disk.
        var isDeletedMeanwhile = false
    }

    private static let failure = StoreFailure(.failed, "the disk failed")

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        stage = ActivitiesStage(publishedAtOnce: generator.number(1...5))
    }

    mutating func step() throws {
        let number = generator.number(1...3)
        let name = ActivitiesStage.name(number)
        switch generator.number(0...99) {
        case 0..<12:
            let own = OwnActivity(activity(), lifetime: .untilFinished)
            ask(number, own.activity.title) { $0.start(name, own, for: $1, at: $2) }
        case 12..<40:
            guard stage.machine[name] != nil else { return }
            let activity = activity()
            ask(number, activity.title) { $0.update(name, activity, for: $1, at: $2) }
        case 40..<45:
            guard let own = stage.machine[name] else { return }
            ask(number, own.activity.title) { $0.resign(name, for: $1, at: $2) }
        case 45..<50:
            guard stage.machine[name] != nil else { return }
            ask(number, nil) { $0.finish(name, as: .finished, for: $1, at: $2) }
        case 50..<53:
            guard stage.machine[name] != nil else { return }
            models[number, default: Model()].said.append((nil, nil))
            stage.happen { $0.handleLoss(of: name, at: $1) }
        case 53..<56: stage.set(isPrivate: generator.chance(50))
        case 56..<59: try others(number, name)
        case 59..<62: crash()
        case 62..<67: try stage.work(Self.failure)
        case 67..<85: try stage.work()
        default: stage.pass(.milliseconds(generator.number(0...40)))
        }
        note()
        checkDisk()
    }

    /// Lets everything come to rest, and checks that the last states are there.
    mutating func end() throws {
        try stage.settle()
        note()
        #expect(stage.machine.deadline == nil && stage.underWay.isEmpty)
        checkDisk()
        for number in 1...3 {
            let name = ActivitiesStage.name(number)
            let own = stage.machine[name]
            #expect(own?.activity.title == models[number]?.said.last?.title)
            #expect(stage.disk.own(name)?.title == own?.activity.title)
            let seen = stage.machine.isShared(name) ? own?.activity : nil
            #expect(stage.disk.seen(name) == seen, "the last state, or nothing")
        }
        let all = try #require(UInt64(exactly: stage.answers.count))
        #expect(Set(stage.answers.map(\.ticket)).count == Int(all), "each is answered once")
    }

    private mutating func activity() -> Activity {
        count += 1
        var activity = Activity(type: "org.example.\(generator.number(1...2))", started: stage.now.wall)
        activity.title = "\(count)"
        if generator.chance(30) { activity.eligibility = [] }
        return activity
    }

    private mutating func ask(
        _ number: Int, _ title: String?,
        _ body: (inout CurrentActivities, UInt64, Clocks) -> Void
    ) {
        let ticket = stage.ask(body)
        models[number, default: Model()].said.append((title, ticket))
    }

    /// Another device deletes the state that it sees.
    ///
    /// That ends the activity. If its app has requested newer states, nothing is on the disk until those are stored.
    private mutating func others(_ number: Int, _ name: ActivityName) throws {
        guard stage.disk.seen(name) != nil else { return }
        try stage.others([Journal.Draft(.deletion, name.key)])
        models[number, default: Model()].isDeletedMeanwhile = stage.machine[name] != nil
    }

    private mutating func crash() {
        stage.crash()
        for number in 1...3 {
            // An unacknowledged state may be there or not.
            let found = stage.machine[ActivitiesStage.name(number)]?.activity.title
            check(number, found)
            models[number] = Model(said: [(found, nil)])
        }
        (answered, ended) = (stage.answers.count, stage.endings.count)
    }

    /// Notes the answers, and the activities that ended because another device deleted them.
    private mutating func note() {
        for (ticket, failure) in stage.answers[answered...] {
            for number in 1...3 {
                guard let place = models[number]?.said.firstIndex(where: { $0.ticket == ticket }) else {
                    continue
                }
                if failure == nil {
                    models[number]?.said.removeFirst(place)
                } else {
                    models[number]?.said.remove(at: place)
                }
            }
        }
        for (name, _) in stage.endings[ended...] {
            for number in 1...3 where ActivitiesStage.name(number) == name {
                models[number, default: Model()].said.append((nil, nil))
            }
        }
        (answered, ended) = (stage.answers.count, stage.endings.count)
    }

    private mutating func checkDisk() {
        for number in 1...3 {
            let title = stage.disk.own(ActivitiesStage.name(number))?.title
            check(number, title)
            if title != nil { models[number]?.isDeletedMeanwhile = false }
        }
    }

    private func check(_ number: Int, _ title: String?) {
        let model = models[number] ?? Model()
        if title == nil, model.isDeletedMeanwhile { return }
        let said = model.said.map(\.title)
        #expect(said.contains(title), "\(number) is \(title ?? "nothing"), and was said to be \(said)")
    }
}
