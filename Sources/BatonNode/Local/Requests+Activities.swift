import BatonCore
import BatonSecurity

/// What is asked of activities of all devices.
extension Requests {
    func list(_ listing: ListActivities, _ answer: @escaping (LocalAnswer) -> Void) {
        account.readActivities { (reader) throws(StoreFailure) in
            .success(try reader.page(listing))
        } then: { [account] result in
            answer(
                LocalAnswer(result) { page in
                    .activities(page.activities.map { account.summary($0) }, isLast: page.isLast)
                })
        }
    }

    // MARK: Forgetting

    func forget(_ text: String, everywhere: Bool, _ answer: @escaping (LocalAnswer) -> Void) {
        account.find(identified: text) { result in
            switch result {
            case .failure(let failure): answer(.failure(failure))
            case .success(let found): if everywhere { delete(found, answer) } else { dismiss(found, answer) }
            }
        }
    }

    /// Shows an activity on this device no more.
    private func dismiss(_ found: ListedActivity, _ answer: @escaping (LocalAnswer) -> Void) {
        let notes = account.dismissals.notes(dismissing: found.identity, found.activity)
        account.keep(notes) { [account] failure in
            if let failure { return answer(Self.notKept(failure)) }
            account.dismissals.take(notes)
            if found.instance != nil { account.watching.note(found.identity, .unread) }
            answer(.activity(account.summary(found)))
        }
    }

    /// Shows an activity on this device again that was forgotten here.
    func unforget(_ text: String, _ answer: @escaping (LocalAnswer) -> Void) {
        account.find(identified: text) { [account] result in
            let found: ListedActivity
            switch result {
            case .failure(let failure): return answer(.failure(failure))
            case .success(let listed): found = listed
            }
            guard account.dismissals.hide(found.identity, found.activity) else {
                return answer(
                    .failure(
                        LocalFailure(
                            .notFound,
                            "“\(found.title)” is not hidden on this machine.\n`baton list --all` shows what is."
                        )))
            }
            let notes = account.dismissals.notes(restoring: found.identity)
            account.keep(notes) { failure in
                if let failure { return answer(Self.notKept(failure)) }
                account.dismissals.take(notes)
                if found.instance != nil { account.watching.note(found.identity, .unread) }
                answer(.activity(account.summary(found)))
            }
        }
    }

    /// Deletes an activity on all devices.
    private func delete(_ found: ListedActivity, _ answer: @escaping (LocalAnswer) -> Void) {
        let then = { [account] (failure: StoreFailure?) in
            if let failure { return answer(Self.notKept(failure)) }
            account.log.tell("“\(found.title)” was forgotten on all devices")
            answer(.activity(account.summary(found)))
        }
        guard let name = found.name, account.activities.activity(name) != nil else {
            return account.publish([Journal.Draft(.deletion, found.key)], then: then)
        }
        let events = account.activities.session(of: name)?.events
        account.activities.finish(name, as: .forgotten) { failure in
            if failure == nil { events?.tell(.ended(instance: name.instance)) }
            then(failure)
        }
    }

    // MARK: Sending

    /// Offers an activity of this device on another one before all others.
    func send(
        _ target: ActivityTarget, to text: String, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        let device = try account.findDevice(text)
        let called = account.name(of: device)
        guard device != account.credentials.device else {
            throw LocalFailure(
                .usage, "“\(called)” is this machine itself. `baton devices` shows the others.")
        }
        guard !account.isRevoked(device) else {
            throw LocalFailure(.usage, "“\(called)” was revoked, and gets nothing any more.")
        }
        guard !account.standing(of: device).hasLeft else {
            throw LocalFailure(.usage, "“\(called)” has left the account, and gets nothing any more.")
        }
        var (name, activity) = try account.activities.find(target)
        guard account.activities.isShared(name) else {
            throw LocalFailure(
                .notAllowed,
                account.settings.isPrivate
                    ? "Nothing leaves this machine just now.\nType `baton private off\(account.options)` first."
                    : "“\(activity.title ?? activity.type)” is not for other devices, its app says.")
        }
        activity.sent = Activity.Continuation(device: device, time: .now)
        account.activities.update(name, activity) { [account, activity, name] failure in
            if let failure { return answer(Self.notKept(failure)) }
            answer(.activity(account.summary(ListedActivity(name, activity))))
        }
    }

    static func notKept(_ failure: StoreFailure) -> LocalAnswer {
        if failure.code == .outranked { return .failure(.outranked) }
        return .failure(LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed."))
    }
}
