import BatonCore
import Support

/// Checks of the answers that people get who continue an activity.
extension FreshestPayload {
    /// Returns the minimum that a person must be told who asks that machine now and has that record of the activity.
    func bound(of name: ActivityName, at node: SimulatedNode?, record: Record?) -> Bound {
        let place = node.map { Place(machine: $0.number, name: name.first) }
        guard let state = place.flatMap({ known[$0] }) else { return Bound(stamp: record?.incarnation) }
        return Bound(
            place: place, made: state.newest(upTo: .max), kept: state.newestKept(),
            stamp: record?.incarnation)
    }

    func noteTold(
        _ activity: Activity, _ name: ActivityName, _ source: ContinuedActivity.Source, _ bound: Bound,
        to node: SimulatedNode
    ) {
        guard let state = bound.place.flatMap({ known[$0] }) else { return }
        let least = source == .app ? state.newest(upTo: bound.made) : state.newestKept(upTo: bound.kept)
        node.world.tell("\(node.name) is told \(activity.version) by the \(source)")
        if source == .app { node.world.marks[.savedForOthers] += 1 }
        guard activity.version < least else { return }
        node.world.violate(
            .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: node),
            "\(node.name) is told \(activity.version) by the \(source) of \(name.instance), which was at \(least)"
        )
    }

    /// A person who can't ask the device uses the replicated state.
    func noteReplica(_ record: Record, _ bound: Bound, to node: SimulatedNode) {
        node.world.tell("\(node.name) takes what has arrived from \(record.incarnation.told(in: node.world))")
        guard let stamp = bound.stamp, record.incarnation < stamp else { return }
        node.world.violate(
            .freshestPayload, about: Violation.Subject(records: [record.identity], at: node),
            "\(node.name) takes what is older than what had arrived")
    }

    /// Whether an activity goes on, as far as its app knows.
    private func goesOn(_ first: ActivityName, by apps: SimulatedApps) -> Bool {
        guard !apps.isHidden, let state = known[place(first, apps)] else { return false }
        let name = apps.machine.present(first)
        let isOver = apps.machine[name].map { apps.isOver($0.activity) } ?? false
        // The app may not have been told yet of an end whose cause is unknown.
        let isEnded = apps.machine.hasUnexplainedEnd(name)
        return state.isGoingOn && state.isOffered && state.ending == nil && !state.isUncertain && !isOver
            && !isEnded
    }

    /// A node answers a request to continue an activity of its own.
    func noteAnswer(_ outcome: ContinueAnswer.Outcome, of identity: RecordIdentity, by apps: SimulatedApps) {
        guard let first = identities[identity], let state = known[place(first, apps)] else { return }
        let name = apps.machine.present(first)
        // A record left under an earlier name no longer belongs to this device.
        guard name.identity == identity else { return }
        let (node, world) = (apps.node, apps.world)
        guard case .gone(let taker) = outcome else { return }
        if let taker, !(takers[first]?.contains(taker) ?? false) {
            world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: node),
                "\(node.name) says that \(name.instance) went on where nobody took it")
        }
        // The same step may also have told the app of the end.
        if goesOn(first, by: apps) {
            node.later(0) { [self] in
                guard goesOn(first, by: apps) else { return }
                world.violate(
                    .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: node),
                    "\(node.name) says that \(name.instance) is gone, and it is going on")
            }
        }
        // A private device does not say where an activity went on, either.
        if state.wasTaken, taker == nil, !apps.machine.isPrivate, !erasures.concern(first),
            !isCloned(name.device, world)
        {
            world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: node),
                "\(node.name) does not say where \(name.instance) went on")
        }
    }

    /// A node hands an activity to another device.
    func noteHandoff(_ name: ActivityName, _ handed: Activity, by apps: SimulatedApps) {
        let place = place(name, apps)
        guard let state = known[place] else { return }
        known[place]?.isToldOnce = false
        if state.wasTaken {
            apps.world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(apps.node.name) gives \(name.instance), which was taken over")
        }
        if apps.isOver(handed) {
            apps.world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(apps.node.name) gives \(name.instance), whose time is over")
        }
        if apps.isHidden || !state.isOffered && !state.isUncertain {
            apps.world.violate(
                .strangersStayOut, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(apps.node.name) gives \(name.instance), which is not to leave")
        }
    }
}
