import BatonCore

/// Handles a connection's calls about events, and about changes of activities and of the focus.
extension ClientSession {
    func awaitEvent(_: AwaitEvent, by requests: Requests, _ answer: @escaping Answer<AppEvent>) {
        events.await(answer)
    }

    func registerApp(
        _ call: RegisterApp, by requests: Requests, _ answer: Answer<Done>
    ) throws(LocalFailure) {
        try requests.account.registry.register(call.registration, events)
        answer(.success(Done()))
    }

    func watchActivities(
        _ call: WatchActivities, by requests: Requests, _ answer: @escaping Answer<ActivityChanges>
    ) {
        requests.account.watching.watch(after: call.after, by: identifier, answer)
    }

    /// Answers once the focus of the person has changed.
    func awaitFocus(_ call: AwaitFocus, by requests: Requests, _ answer: @escaping Answer<FocusNotice>) {
        requests.account.focuses.await(call, by: identifier, answer)
    }

    /// Handles the app's confirmation that it opens or continues something.
    ///
    /// If the confirmation comes too late, the app gets a failure.
    func reportOpened(
        _ call: ReportOpened, by requests: Requests, _ answer: Answer<Done>
    ) throws(LocalFailure) {
        guard events.opened(call.event) else {
            throw LocalFailure(
                .notFound,
                "Nothing waits for number \(call.event) to be opened or continued: this came too late, or was reported before."
            )
        }
        answer(.success(Done()))
    }

    /// Handles the app's report that it has saved an activity.
    ///
    /// The report may contain a change of the activity. Devices that wait for the save continue with the changed state.
    func reportSaved(
        _ call: ReportSaved, by requests: Requests, _ answer: @escaping Answer<Done>
    ) throws(LocalFailure) {
        guard let (name, tell) = events.saved(call.event) else {
            throw LocalFailure(
                .usage, "This app has no request to save anything with the number \(call.event).")
        }
        guard let change = call.change, let before = requests.account.activities.activity(name) else {
            tell(true)
            return answer(.success(Done()))
        }
        let activity: Activity
        do throws(LocalFailure) {
            activity = try requests.applying(change, to: before, name)
        } catch {
            tell(false)
            throw error
        }
        requests.account.activities.update(name, activity) { failure in
            answer(failure.map { .failure(Requests.notKept($0)) } ?? .success(Done()))
        }
        tell(true)
    }
}
