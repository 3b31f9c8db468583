import BatonCore

/// What one connection hears of its activities, and what it takes.
extension ClientSession {
    /// Answers what only this connection can be answered; false if it is nothing such.
    func handleEvents(
        _ request: LocalRequest, by requests: Requests, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) -> Bool {
        let account = requests.account
        switch request {
        case .awaitEvent: events.await(answer)
        case .saved(let number, let change): try saved(number, change, by: requests, answer)
        case .register(let registration):
            try account.registry.register(registration, events)
            answer(.done)
        case .watch(let number): account.watching.watch(after: number, by: self, answer)
        case .openStream(let selection): try openStream(selection, of: account, answer)
        case .acceptStream(let number): try account.streams.accept(number, on: try carrier(), answer)
        default: return false
        }
        return true
    }

    /// The app has brought an activity up to date; who waits for it goes on with that.
    private func saved(
        _ number: UInt64, _ change: ActivityChange?, by requests: Requests,
        _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        guard let (name, tell) = events.saved(number) else {
            throw LocalFailure(.usage, "This app was not asked to save anything by the number \(number).")
        }
        guard let change, var activity = requests.account.activities.activity(name) else {
            tell(true)
            return answer(.done)
        }
        change.apply(to: &activity)
        activity.changed = .now
        do throws(LocalFailure) {
            try requests.check(activity, name)
        } catch {
            tell(false)
            throw error
        }
        requests.account.activities.update(name, activity) { failure in
            if let failure { answer(Requests.notKept(failure)) } else { answer(.done) }
        }
        tell(true)
    }
}
