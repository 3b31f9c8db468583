import BatonCore
import Support

/// Actions of app instances, as their node allows them.
extension SimulatedApps {
    /// An app instance changes its activity several times in a moment.
    func act() {
        let instance = "\(draw { $0.number(1...2) })"
        let name = ActivityName(device: node.identity.device, app: Self.app, instance: instance)
        for _ in 0..<draw({ $0.number(1...5) }) where node.isUp { act(machine.present(name)) }
    }

    private func act(_ name: ActivityName) {
        let choice = draw { $0.number(0...99) }
        switch machine[name] {
        case let own? where choice < 75: change(name, own.activity)
        case _? where choice < 85: finish(name)
        case _? where choice < 90:
            world.tell("\(node.name): \(name.instance) is resigned")
            world.freshness?.noteOffer(of: name, isOffered: false, by: self)
            ask(name) { $0.resign(name, for: $2, at: $1) }
        default: begin(name)
        }
    }

    /// Every app instance begins a new activity.
    func beginAnew() {
        for instance in ["1", "2"] where node.isUp {
            begin(
                machine.present(ActivityName(device: node.identity.device, app: Self.app, instance: instance))
            )
        }
    }

    private func begin(_ name: ActivityName) {
        var activity = Activity(type: "org.acting.writing", started: node.wallTime)
        // The same activity is repeated, so that each end replaces the one before.
        activity.persistentIdentifier =
            Self.identifiers(of: name.device, name.instance)[draw { $0.number(0...1) }]
        let lifetime = draw { $0.chance(25) } ? ActivityLifetime.connection : .untilFinished
        if draw({ $0.chance(20) }) { activity.expiration = soon }
        let version = newVersion()
        activity.title = "\(version)"
        world.tell("\(node.name): \(name.instance) begins with \(version)")
        world.freshness?.noteBeginning(of: name, activity, lifetime, by: self)
        ask(name, version) { [activity] in
            $0.start(name, OwnActivity(activity, lifetime: lifetime), for: $2, at: $1)
        }
    }

    /// Returns the identifiers that an app instance gives to its activities.
    static func identifiers(of device: DeviceIdentifier, _ instance: String) -> [String] {
        ["\(device.short)/\(instance)/1", "\(device.short)/\(instance)/2"]
    }

    /// A time that is reached while the world goes on.
    private var soon: WallTime {
        node.wallTime.advanced(by: .milliseconds(world.profile.pace * draw { $0.number(1...40) }))
    }

    /// The app changes the state of its activity, which it may show to others or hide.
    func change(_ name: ActivityName, _ last: Activity) {
        var activity = last
        let version = newVersion()
        (activity.title, activity.changed) = ("\(version)", node.wallTime)
        activity.eligibility = draw { $0.chance(90) } ? .handoff : .search
        if world.searchesMuch { describe(&activity) }
        if activity.expiration != nil, draw({ $0.chance(50) }) { activity.expiration = soon }
        world.tell("\(node.name): \(name.instance) is at \(version)")
        let isOffered = activity.eligibility.contains(.handoff) && !(machine[name]?.isResigned ?? false)
        world.freshness?.noteOffer(of: name, isOffered: isOffered, by: self)
        world.freshness?.noteAsked(name, activity, by: self)
        ask(name, version) { [activity] in $0.update(name, activity, for: $2, at: $1) }
    }

    /// Gives an activity words, by which it is found once it has ended.
    private func describe(_ activity: inout Activity) {
        let stream = "describe activities"
        activity.eligibility = world.streams[stream].pick([.handoff, .search, [.handoff, .search]])
        if let words = world.words() {
            activity.attributes[.keywords] = .plain(.array(words.map { .string($0) }))
        }
    }

    private func finish(_ name: ActivityName) {
        world.tell("\(node.name): \(name.instance) is finished")
        guard let freshness = world.freshness else { return }
        let ending = freshness.noteEnding(of: name, by: self)
        ask(name) {
            $0.finish(name, as: .finished, for: $2, at: $1)
        } then: { [self] in
            freshness.noteEnd(of: name, ending, $0, by: self)
        }
    }

    /// Returns a new number for a state that an app makes; the number is the state's title.
    private func newVersion() -> Int { world.freshness?.newVersion() ?? 0 }
}
