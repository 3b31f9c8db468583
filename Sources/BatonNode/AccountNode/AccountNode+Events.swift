import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// Handles events that come from the account's store.
extension AccountNode {
    /// Handles a store that was reopened while the node ran.
    ///
    /// If a lane was rescued, claims about its data are withdrawn.
    func handleOpening(_ opening: StoreOpening) {
        guard !opening.rescues.isEmpty || opening.wasReadOnly else { return }
        recordRescues(opening.rescues)
        if opening.wasReadOnly { core.troubles.recordFailure(nil) }
        core.drive {
            $0.handleReopening(knowing: opening.reports, quarantined: opening.quarantined, in: core)
        }
        reindexing.restoreNotes(opening.reindex)
        // The database may have lost its note of the settings. A read-only database could not store the note.
        core.settingsKeeper.noteAgain { [log = core.log] failure in
            if let failure { log.warn("could not save the settings again: \(failure)") }
        }
        publishLostRevocations()
    }

    /// Publishes the revocations again that the database has lost.
    ///
    /// The revocations stay in force in the meantime.
    private func publishLostRevocations() {
        guard !core.membership.revocations.keys.isEmpty else { return }
        core.store.submit(to: .activities) {
            [keys = core.membership.revocations.keys] (store) throws(StoreFailure) in
            try store.lacking(keys)
        } then: { [core] result in
            switch result {
            case .success(let lost): core.drive { $0.handleLoss(of: lost, in: core) }
            case .failure(let failure): core.log.warn("could not look for lost revocations: \(failure)")
            }
        }
    }

    /// Records rescues of lanes for the log and for the status.
    func recordRescues(_ rescues: [LaneRescue]) {
        core.troubles.recordRescued(rescues)
        for rescue in rescues { core.log.warn("trouble: \(StoreTroubles.text(rescue)) (\(rescue.cause))") }
        if rescues.contains(where: { $0.lane == .index && $0.hasLosses }) { searches.view.lacksItems = true }
    }

    /// Handles a commit of the store, and lets the links send its writes to peers.
    func handleCommit(_ commit: StoreCommit, of lane: Lane) { handleCommit(commit, of: lane, with: nil) }

    /// Handles a commit of the store.
    ///
    /// `arrived` is what was done about a peer's writes before they were stored; it is nil for writes of this device.
    ///
    /// Effects are carried out only when the whole commit has been applied. Otherwise, a device that the commit revokes
    /// could still get an answer.
    func handleCommit(_ commit: StoreCommit, of lane: Lane, with arrived: ArrivingWrites?) {
        together { apply(commit, of: lane, with: arrived) }
    }

    private func apply(_ commit: StoreCommit, of lane: Lane, with arrived: ArrivingWrites?) {
        core.handleKept(commit, in: lane)
        if commit.changed.contains(where: { $0.identity.kind == .device }) { core.names.forget() }
        if core.learn(commit) { handleRosterChange() }
        if lane == .activities {
            if let arrived { activities.handleArrived(arrived.states, isKept: true) }
            activityParts.handleCommit(commit, told: arrived?.told ?? [])
        }
        if lane == .index || commit.changed.contains(where: { $0.identity.kind != .currentActivity }) {
            searches.noteChange()
        }
        if lane == .index { searches.noteCommit(commit) }
        peers.handleCommit(lane)
        core.drive { $0.handleCommit(commit, of: lane, in: core) }
    }
}
