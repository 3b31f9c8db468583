import BatonCore
import Support

/// Checks of the activities that machines load from their disks and take back from others.
extension FreshestPayload {
    /// A process has started; it loads the stored state, or what others made of it since.
    func noteStart(of apps: SimulatedApps, from records: [Record]) {
        let device = apps.node.identity.device
        let overwritten = overwritten(records, at: apps)
        for name in names where name.device == device {
            let place = place(name, apps)
            let isCloned = isCloned(device, apps.world)
            var state = known[place] ?? AppKnowledge()
            let loaded = apps.machine[apps.machine.present(name)]
            if !isCloned, !overwritten.contains(name) { judge(loaded, state, name, at: apps) }
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
            // An app that was told of the activity's end does not wait for a state of it.
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

    /// A machine continues with the state that others have of its activity.
    func noteTakenBack(_ name: ActivityName, _ own: OwnActivity, by apps: SimulatedApps) {
        let place = place(name, apps)
        let (state, version) = (known[place] ?? AppKnowledge(), own.activity.version)
        defer { known[place, default: AppKnowledge()].takeBack(own) }
        if !state.isGoingOn, state.ending == nil { noteReturned(place) }
        if state.mayHaveEnded, state.states[version] == .lost {
            noteReturned(own.activity.savedName(by: name.app), to: apps)
        }
        // A state that was sent to others and refused by the disk comes back from them.
        guard !isCloned(name.device, apps.world), !state.isUncertain, !state.isOvertaken,
            state.states[version] == .kept
        else {
            return
        }
        // A device that doubted whether the activity had ended wrote it anew; that write is later than all other writes
        // of it.
        let opening = apps.node.contents.record(name.key.identity)?.survivingWrites.first(where: \.isFull)
        guard opening?.stamp.life.isOf(name.device) ?? true else { return }
        // A machine that lost a state may be told of an end before others send that state, which is later than the end.
        let wasLost = opening.map { !apps.node.lifeOrder.inThisProcess.contains($0.stamp.life) } ?? false
        let isOver = !state.isGoingOn && state.ending == nil
        guard version < state.newestKept() || isOver && !wasLost else { return }
        apps.world.violate(
            .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
            "\(apps.node.name) goes back to \(version) of \(name.instance), and kept \(state.newestKept())")
    }
}
