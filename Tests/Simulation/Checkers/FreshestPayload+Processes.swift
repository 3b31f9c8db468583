import BatonCore
import Support

/// What machines take up, from their disks and from others.
extension FreshestPayload {
    /// A process has started; what it takes up is what was kept, or what others made of it since.
    func noteStart(of apps: SimulatedApps) {
        let device = apps.node.identity.device
        for name in names where name.device == device {
            let place = place(name, apps)
            let isCloned = isCloned(device, apps.world)
            var state = known[place] ?? AppKnowledge()
            let loaded = apps.machine[apps.machine.present(name)]
            if !isCloned { judge(loaded, state, name, at: apps) }
            state.start(with: loaded)
            state.isOvertaken =
                toldAndForgotten[apps.node.number] ?? .zero > apps.node.journal.clock.latest
            if isCloned { state.mayHaveEnded = true }
            known[place] = state
        }
    }

    private func judge(
        _ loaded: OwnActivity?, _ state: AppKnowledge, _ name: ActivityName, at apps: SimulatedApps
    ) {
        let (world, kept) = (apps.world, state.newestKept())
        if let loaded {
            // An app that was told of its end waits for no state of it.
            if loaded.activity.version < kept, state.isGoingOn, !state.isOvertaken {
                world.violate(
                    .acknowledgedIsKept,
                    about: Violation.Subject(records: [name.key.identity], at: apps.node),
                    "\(apps.node.name) takes up \(loaded.activity.version) of \(name.instance), and kept \(kept)"
                )
            }
            if state.wasTaken {
                world.violate(
                    .noResurrection, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                    "\(apps.node.name) takes up \(name.instance), which was taken over and not begun anew"
                )
            }
        } else if state.isGoingOn, state.ending == nil, !state.isUncertain, takers[name] == nil,
            kept >= state.begun, state.lifetime == .untilFinished,
            !erasures.isForgotten(name, since: state.begun), !struck.contains(name)
        {
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(apps.node.name) has lost \(name.instance), and kept \(kept)")
        }
    }

    /// A machine goes on with a state that others have of its activity.
    func noteTakenBack(_ name: ActivityName, _ own: OwnActivity, by apps: SimulatedApps) {
        let place = place(name, apps)
        let (state, version) = (known[place] ?? AppKnowledge(), own.activity.version)
        defer { known[place, default: AppKnowledge()].takeBack(own) }
        if !state.isGoingOn, state.ending == nil { noteReturned(place) }
        // What others were told of and the disk refused comes back from them.
        guard !isCloned(name.device, apps.world), !state.isUncertain, !state.isOvertaken,
            state.states[version] == .kept
        else {
            return
        }
        // A device that was in doubt whether it had ended wrote it anew, which comes after all that was written of it.
        let opening = apps.node.contents.record(name.key.identity)?.survivingWrites.first(where: \.isFull)
        guard opening?.stamp.life.isOf(name.device) ?? true else { return }
        guard version < state.newestKept() || !state.isGoingOn && state.ending == nil else { return }
        apps.world.violate(
            .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
            "\(apps.node.name) goes back to \(version) of \(name.instance), and kept \(state.newestKept())")
    }
}
