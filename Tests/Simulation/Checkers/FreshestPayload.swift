import BatonCore
import Support

/// Promise 11: who goes on with an activity is told a state that is no older than what the tier that is named guarantees;
/// what was taken over is told to be gone, and where, by the device where it was going on; and in the end all see the
/// same: the last state of what is going on, and nothing of what is over.
final class FreshestPayload: Checker {
    /// What became of a state that an app made.
    private enum State { case asked, kept, lost }

    /// What an app instance did, and what it and its person were told.
    private struct Known {
        var states: [Int: State] = [:]
        /// Whether the app has begun something and heard of no end.
        var isGoingOn = false
        /// With which state it began that.
        var begun = 0
        /// Whether others may see it, as the app wants it.
        var isOffered = false
        /// The end of it that is being kept, by its number, if one is.
        var ending: Int?
        /// Whether a disk failed, or power went, so that the app may be at something else than it wanted.
        var isUncertain = false
        /// Whether it may be that its node has lost its end, and hears of that from others.
        var mayHaveEnded = false
        var lifetime = ActivityLifetime.untilFinished
        /// The devices that ever took it over, or tried to.
        var takers: Set<DeviceIdentifier> = []
        /// Whether it ended by that, as its app was told, and nothing was begun since.
        var wasTaken = false

        /// The newest state that is kept, up to that one.
        func newestKept(upTo most: Int = .max) -> Int {
            states.filter { $0.key <= most && $0.value == .kept }.keys.max() ?? 0
        }

        /// The newest state that is not lost, up to that one.
        func newest(upTo most: Int) -> Int {
            states.filter { $0.key <= most && $0.value != .lost }.keys.max() ?? 0
        }
    }

    /// What who goes on with something must be told at the least, by what was so when they asked.
    struct Bound {
        fileprivate var made = 0
        fileprivate var kept = 0
        /// The record as it stood with who asked.
        fileprivate var stamp: Stamp?
    }

    private var known: [ActivityName: Known] = [:]
    /// How many ends there were.
    private var endings = 0
    private var identities: [RecordIdentity: ActivityName] = [:]

    /// All that was ever going on, in an order that is the same everywhere.
    var names: [ActivityName] { identities.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: What apps do

    func noteBeginning(of name: ActivityName, _ version: Int, _ lifetime: ActivityLifetime) {
        identities[name.key.identity] = name
        var state = known[name] ?? Known()
        (state.lifetime, state.isGoingOn, state.isOffered) = (lifetime, true, true)
        (state.begun, state.ending, state.wasTaken) = (version, nil, false)
        state.mayHaveEnded = false
        known[name] = state
    }

    func noteOffer(of name: ActivityName, isOffered: Bool) { known[name]?.isOffered = isOffered }

    func noteAsked(_ name: ActivityName, _ version: Int) { known[name]?.states[version] = .asked }

    func noteAnswer(_ name: ActivityName, _ version: Int?, _ failure: StoreFailure?) {
        if let version, known[name]?.states[version] == .asked {
            known[name]?.states[version] = failure == nil ? .kept : .lost
        }
        if failure != nil || version != nil { known[name]?.isUncertain = failure != nil }
    }

    /// An app finishes what it does, or a device takes it over; answers with the number of that end.
    func noteEnding(of name: ActivityName, by taker: DeviceIdentifier? = nil) -> Int {
        endings += 1
        known[name]?.ending = endings
        if let taker { known[name]?.takers.insert(taker) }
        return endings
    }

    /// The app was told that an end is kept, unless it began something else before.
    func noteEnd(of name: ActivityName, _ ending: Int, isTaken: Bool = false, _ failure: StoreFailure?) {
        guard var state = known[name], state.ending == ending else { return }
        state.ending = nil
        if failure == nil { (state.isGoingOn, state.wasTaken) = (false, isTaken) }
        known[name] = state
    }

    /// The app was told that it ended without its doing.
    func noteEnd(of name: ActivityName, _ ending: CurrentActivities.Ending, _ world: World) {
        known[name]?.isGoingOn = false
        if case .takenOver = ending {
            known[name]?.wasTaken = true
            return
        }
        guard let state = known[name], !state.isUncertain, !state.mayHaveEnded else { return }
        world.violate(.freshestPayload, "\(name.instance) has ended, and nobody took it over: \(ending)")
    }

    /// A device takes it over without asking.
    func noteTaking(of name: ActivityName, by device: DeviceIdentifier) {
        known[name]?.takers.insert(device)
    }

    // MARK: What processes do

    func noteLoss(at node: SimulatedNode, _ world: World) {
        for name in names where name.device == node.identity.device {
            guard var state = known[name] else { continue }
            state.states = state.states.mapValues { _ in .lost }
            (state.isUncertain, state.mayHaveEnded, state.wasTaken) = (true, true, false)
            known[name] = state
        }
    }

    /// A process has started; what it takes up is what was kept, or what others made of it since.
    func noteStart(of apps: SimulatedApps) {
        for name in names where name.device == apps.node.identity.device {
            guard var state = known[name] else { continue }
            let (loaded, kept) = (apps.machine[name], state.newestKept())
            let world = apps.world
            if let loaded {
                if loaded.activity.version < kept {
                    world.violate(
                        .acknowledgedIsKept,
                        "\(apps.node.name) takes up \(loaded.activity.version) of \(name.instance), and kept \(kept)"
                    )
                }
                if state.wasTaken {
                    world.violate(
                        .noResurrection,
                        "\(apps.node.name) takes up \(name.instance), which was taken over and not begun anew"
                    )
                }
            } else if state.isGoingOn, state.ending == nil, !state.isUncertain, state.takers.isEmpty,
                kept >= state.begun, state.lifetime != .connection
            {
                world.violate(
                    .acknowledgedIsKept, "\(apps.node.name) has lost \(name.instance), and kept \(kept)")
            }
            for (version, known) in state.states where known == .asked { state.states[version] = .lost }
            if let loaded {
                state.states[loaded.activity.version] = .kept
                (state.isOffered, state.lifetime) = (loaded.isOffered, loaded.lifetime)
            }
            (state.isGoingOn, state.ending, state.isUncertain) = (loaded != nil, nil, false)
            known[name] = state
        }
    }

    // MARK: What is told

    /// What someone must be told of it who asks now, and has that record of it.
    func bound(of name: ActivityName, record: Record?) -> Bound {
        guard let state = known[name] else { return Bound() }
        return Bound(
            made: state.newest(upTo: .max), kept: state.newestKept(), stamp: record?.incarnation)
    }

    func noteTold(
        _ activity: Activity, _ name: ActivityName, _ source: ContinuedActivity.Source, _ bound: Bound,
        to node: SimulatedNode
    ) {
        guard let state = known[name] else { return }
        let least = source == .app ? state.newest(upTo: bound.made) : state.newestKept(upTo: bound.kept)
        node.world.tell("\(node.name) is told \(activity.version) by the \(source)")
        if source == .app { node.world.marks[.savedForOthers] += 1 }
        guard activity.version < least else { return }
        node.world.violate(
            .freshestPayload,
            "\(node.name) is told \(activity.version) by the \(source) of \(name.instance), which was at \(least)"
        )
    }

    /// Who can't ask takes what has arrived.
    func noteReplica(_ record: Record, _ bound: Bound, to node: SimulatedNode) {
        node.world.tell("\(node.name) takes what has arrived from \(record.incarnation.told)")
        guard let stamp = bound.stamp, record.incarnation < stamp else { return }
        node.world.violate(.freshestPayload, "\(node.name) takes what is older than what had arrived")
    }

    /// A node answers who goes on with an activity of its own.
    func noteAnswer(_ outcome: ContinueAnswer.Outcome, of identity: RecordIdentity, by apps: SimulatedApps) {
        guard let name = identities[identity], let state = known[name] else { return }
        let (node, world) = (apps.node, apps.world)
        guard case .gone(let taker) = outcome else { return }
        if let taker, !state.takers.contains(taker) {
            world.violate(
                .freshestPayload, "\(node.name) says that \(name.instance) went on where nobody took it")
        }
        guard !apps.isPrivate else { return }
        if state.isGoingOn, state.isOffered, state.ending == nil, !state.isUncertain {
            world.violate(
                .freshestPayload, "\(node.name) says that \(name.instance) is gone, and it is going on")
        }
        if state.wasTaken, taker == nil {
            world.violate(.freshestPayload, "\(node.name) does not say where \(name.instance) went on")
        }
    }

    /// A node gives an activity to another device.
    func noteHanding(_ name: ActivityName, by apps: SimulatedApps) {
        guard let state = known[name] else { return }
        if state.wasTaken {
            apps.world.violate(
                .freshestPayload, "\(apps.node.name) gives \(name.instance), which was taken over")
        }
        if apps.isPrivate || !state.isOffered && !state.isUncertain {
            apps.world.violate(
                .strangersStayOut, "\(apps.node.name) gives \(name.instance), which is not to leave")
        }
    }

    // MARK: At rest

    func judgeAtRest(_ world: World, _ truth: Truth) {
        guard world.isEnding else { return }
        for node in world.honest {
            guard let apps = node.apps, node.isUp else { continue }
            let device = node.identity.device
            let shared = apps.machine.all.filter { apps.machine.isShared($0.name) }
                .map { Listed(name: $0.name, activity: $0.own.activity) }.sorted(by: Listed.precedes)
            for other in world.honest {
                let found = (other.apps?.read(.currentActivity) ?? []).compactMap(\.activity)
                    .filter { $0.name.device == device }.map { Listed(name: $0.name, activity: $0.activity) }
                    .sorted(by: Listed.precedes)
                if found != shared {
                    world.violate(
                        .freshestPayload,
                        "\(other.name) lists \(found.map(\.told)) of \(node.name), where \(shared.map(\.told)) is going on"
                    )
                }
                judgeTaken(of: apps, at: other, world)
            }
        }
    }

    /// Whoever took it over: all say that it was one device.
    private func judgeTaken(of apps: SimulatedApps, at other: SimulatedNode, _ world: World) {
        let device = apps.node.identity.device
        let taken = TakenActivities(other.apps?.read(.savedActivity) ?? [], of: device)
        for name in names where name.device == device && known[name]?.wasTaken ?? false {
            let (own, others) = (apps.machine.takenOver(name.key.identity), taken[name.key.identity])
            guard own?.device != others?.device || own == nil else { continue }
            world.violate(
                .freshestPayload,
                "\(other.name) and \(apps.node.name) do not agree on where \(name.instance) went on")
        }
    }

    private struct Listed: Equatable {
        let name: ActivityName
        let activity: Activity

        static func precedes(_ one: Self, _ two: Self) -> Bool { one.name.instance < two.name.instance }

        var told: String { "\(name.instance) at \(activity.version)" }
    }
}
