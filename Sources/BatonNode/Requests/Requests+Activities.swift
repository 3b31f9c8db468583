import BatonCore
import BatonSecurity

/// Handles calls about the activities of all devices.
extension Requests {
    func listActivities(_ call: ListActivities, _ answer: @escaping Answer<ActivitiesReply>) {
        account.allActivities.read { (reader) throws(StoreFailure) in
            .success(try reader.page(call))
        } then: { [account] result in
            answer(
                result.map { page in
                    ActivitiesReply(
                        page.activities.map { account.allActivities.summary($0) }, isLast: page.isLast)
                })
        }
    }

    func suggestActivities(_ call: SuggestActivities, _ answer: @escaping Answer<SuggestedActivitiesReply>) {
        account.suggested.suggest(min(call.most, Limits.suggestions), answer)
    }

    // MARK: Forgetting

    func forgetActivity(_ call: ForgetActivity, _ answer: @escaping Answer<ActivitySummary>) {
        account.allActivities.find(identified: call.identifier) { result in
            switch result {
            case .failure(let failure): answer(.failure(failure))
            case .success(let found):
                if call.everywhere { delete(found, answer) } else { dismiss(found, answer) }
            }
        }
    }

    /// Hides an activity on this device.
    private func dismiss(_ found: ListedActivity, _ answer: @escaping Answer<ActivitySummary>) {
        let notes = account.allActivities.dismissals.notes(dismissing: found.identity, found.activity)
        core.keep(notes) { [account] failure in
            if let failure { return answer(.failure(Self.notKept(failure))) }
            account.allActivities.dismissals.restoreNotes(notes)
            noteDismissal(of: found)
            answer(.success(account.allActivities.summary(found)))
        }
    }

    /// Tells watchers of activities and of searches that an activity was hidden, or is no longer hidden.
    private func noteDismissal(of found: ListedActivity) {
        if found.instance != nil { account.watching.recordState(found.identity, .unread) }
        searches.noteChange()
    }

    func unforgetActivity(_ call: UnforgetActivity, _ answer: @escaping Answer<ActivitySummary>) {
        account.allActivities.find(identified: call.identifier) { [account] result in
            let found: ListedActivity
            switch result {
            case .failure(let failure): return answer(.failure(failure))
            case .success(let listed): found = listed
            }
            guard account.allActivities.dismissals.hide(found.identity, found.activity) else {
                return answer(
                    .failure(
                        LocalFailure(
                            .notFound,
                            "“\(found.title)” is not hidden on this machine.\nSee `baton list --all`."
                        )))
            }
            let notes = account.allActivities.dismissals.notes(restoring: found.identity)
            core.keep(notes) { failure in
                if let failure { return answer(.failure(Self.notKept(failure))) }
                account.allActivities.dismissals.restoreNotes(notes)
                noteDismissal(of: found)
                answer(.success(account.allActivities.summary(found)))
            }
        }
    }

    /// Deletes an activity on all devices.
    private func delete(_ found: ListedActivity, _ answer: @escaping Answer<ActivitySummary>) {
        let then = { [account] (failure: StoreFailure?) in
            if let failure { return answer(.failure(Self.notKept(failure))) }
            core.log.tell("“\(found.title)” was forgotten on all devices")
            account.suggested.forget(found.activity.thing(of: found.app))
            answer(.success(account.allActivities.summary(found)))
        }
        if found.isDonated, let name = found.savedName {
            return account.suggested.removeDonation(name, then: then)
        }
        if found.isKept { return deleteKept(found, then) }
        guard let name = found.name, account.activities.activity(name) != nil else {
            return core.publish([Journal.Draft(.deletion, found.key)]) { failure in
                if failure == nil { forgetUse(of: found) }
                deleteThing(of: found, failure, then)
            }
        }
        let events = account.activities.app(of: name)
        account.activities.finish(name, as: .forgotten) { failure in
            if failure == nil { events?.tell(.ended(instance: name.instance)) }
            deleteThing(of: found, failure, then)
        }
    }

    /// Deletes the saved activity of a thing on all devices, after the current activity about the same thing was
    /// deleted.
    ///
    /// This happens only if the activity may be suggested.
    /// An app may have left the thing and returned to it. Therefore, there can be a saved activity and a current
    /// activity about the same thing.
    private func deleteThing(
        of found: ListedActivity, _ failure: StoreFailure?, _ then: @escaping (StoreFailure?) -> Void
    ) {
        guard failure == nil, found.name != nil, found.activity.eligibility.contains(.prediction) else {
            return then(failure)
        }
        let name = found.activity.savedName(by: found.app)
        account.activities.deleteKept(name, by: [Journal.Draft(.deletion, name.key)], then: then)
    }

    /// Deletes the engagement of an ended activity, if there is any.
    ///
    /// Otherwise, the engagement would still contain the activity's name.
    private func forgetUse(of found: ListedActivity) {
        let key = EngagementName(counting: found.key).key
        core.store.read(from: .index) { [identity = key.identity] (store) throws(StoreFailure) in
            try store.record(identity)?.isThere ?? false
        } then: { [core] result in
            let tell = { (failure: StoreFailure) in
                core.log.warn("could not delete the count of openings of an activity: \(failure)")
            }
            switch result {
            case .success(false): break
            case .success(true):
                core.index([Journal.Draft(.deletion, key)], condition: nil) {
                    if case .failure(let failure) = $0 { tell(failure) }
                }
            case .failure(let failure): tell(failure)
            }
        }
    }

    /// Deletes an activity that only this device keeps.
    ///
    /// Other devices are told of the deletion only if they have an earlier state of the activity. Otherwise, not even
    /// the activity's name may leave this device.
    private func deleteKept(_ found: ListedActivity, _ then: @escaping (StoreFailure?) -> Void) {
        guard let name = found.savedName else { return then(nil) }
        core.store.read(from: .activities) { [identity = found.identity] (store) throws(StoreFailure) in
            try store.record(identity)?.isThere ?? false
        } then: { [account] result in
            switch result {
            case .success(let isReplicated):
                let drafts = isReplicated ? [Journal.Draft(.deletion, name.key)] : []
                account.activities.deleteKept(name, by: drafts, then: then)
            case .failure(let failure): then(failure)
            }
        }
    }

    // MARK: Sending

    func sendActivity(
        _ call: SendActivity, _ answer: @escaping Answer<ActivitySummary>
    ) throws(LocalFailure) {
        let device = try account.devices.find(call.device)
        let called = core.name(of: device)
        guard device != core.credentials.device else {
            throw LocalFailure(
                .usage, "“\(called)” is this machine. `baton devices` shows the others.")
        }
        guard !core.membership.isRevoked(device) else {
            throw LocalFailure(.usage, "“\(called)” was revoked, so nothing can be sent to it.")
        }
        guard !core.membership.hasLeft(device) else {
            throw LocalFailure(.usage, "“\(called)” has left the account, so nothing can be sent to it.")
        }
        var (name, activity) = try account.activities.find(call.target)
        guard account.activities.isShared(name) else {
            throw LocalFailure(
                .notAllowed,
                core.settings.isOff(.handoff, for: name.app)
                    ? "Activities of \(name.app) stay on this machine.\nType `baton settings app \(name.app) handoff on\(core.options)` first."
                    : core.settings.isPrivate
                        ? "This machine is private, so nothing leaves it.\nType `baton private off\(core.options)` first."
                        : "The app of “\(activity.title ?? activity.type)” does not offer it to other devices."
            )
        }
        activity.sent = Activity.Continuation(device: device, time: .now)
        account.activities.update(name, activity) { [account, activity, name] failure in
            if let failure { return answer(.failure(Self.notKept(failure))) }
            answer(.success(account.allActivities.summary(ListedActivity(name, activity))))
        }
    }

    static func notKept(_ failure: StoreFailure) -> LocalFailure {
        if failure.code == .outranked { return .outranked }
        return LocalFailure(saving: "the change", failure, "Nothing has changed.")
    }
}
