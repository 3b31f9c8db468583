import BatonCore
import BatonNetwork
import BatonSecurity

/// Continues an activity with its latest state, which is requested from the activity's own device.
///
/// If that device can't be asked or does not answer in time, the replicated state is used.
///
/// If an app on this device is to continue the activity, the app gets the state first. The other device ends the
/// activity, or notifies its app, only when the app here has confirmed that it has the state. If the app does not
/// confirm, nothing changes.
struct ActivityFetch {
    private let call: ContinueActivity
    private let sources: Sources
    private let answer: Answer<ContinuedActivity>

    /// The parts of the account that find and continue activities.
    struct Sources {
        let account: AccountCore
        let peers: Peers
        /// The apps on this device that continue activities.
        let registry: AppRegistry
        let activities: OwnActivities
        let allActivities: AllActivities
    }

    init(_ call: ContinueActivity, in sources: Sources, _ answer: @escaping Answer<ContinuedActivity>) {
        self.call = call
        self.sources = sources
        self.answer = answer
    }

    private var account: AccountCore { sources.account }

    func begin() {
        // If the app that is to continue the activity is not connected, the activity must not be taken over.
        if let handler = call.handler, sources.registry.events(of: handler) == nil {
            return answer(.failure(Self.notRegistered(handler)))
        }
        sources.allActivities.read { [selection = call.selection] (reader) throws(StoreFailure) in
            switch selection {
            case .last: try reader.last()
            case .named(let text): try reader.find(text)
            }
        } then: { result in
            switch result {
            case .success(let found):
                guard isMeant(found) else { return answer(.failure(Self.otherType)) }
                if let handler = call.handler { hand(found, to: handler) } else { go(on: found) }
            case .failure(let failure): answer(.failure(failure))
            }
        }
    }

    /// Whether the activity has the type that the caller asked for, or the caller asked for no type.
    private func isMeant(_ found: ListedActivity) -> Bool {
        call.type == nil || found.activity.type == call.type
    }

    /// Carries out the call's step for the caller.
    private func go(on found: ListedActivity) {
        do throws(LocalFailure) {
            _ = try account.sealing.demandOpen(found.activity, of: found.app)
        } catch {
            return answer(.failure(error))
        }
        guard found.name == nil, case .named(let text) = call.selection else { return ask(found) }
        do throws(LocalFailure) {
            try goBack(to: found, calling: text.lowercased())
        } catch {
            answer(.failure(error))
        }
    }

    /// Passes the latest state to an app on this device, and confirms the continuation once the app has the state.
    private func hand(_ found: ListedActivity, to handler: AppName) {
        // The command may have fetched this state already to find the handler. Then the activity's app need not save it
        // again.
        if let fetched = sources.allActivities.fetched, fetched.identity == found.identity,
            call.type.map({ $0 == fetched.continued.summary.activity.type }) ?? true,
            account.loop.instant.since(fetched.time) < account.limits.continuingTime
        {
            return hand(fetched.continued, of: found, to: handler)
        }
        step(.fetch, on: found, of: call.type) { result in
            switch result {
            case .success(let fetched): hand(fetched, of: found, to: handler)
            case .failure(let failure): answer(.failure(failure))
            }
        }
    }

    private func hand(_ fetched: ContinuedActivity, of found: ListedActivity, to handler: AppName) {
        var continued = fetched
        sources.allActivities.fetched = nil
        // The activity is taken over only once the app has confirmed. An app that does not confirm must not use the
        // state.
        continued.isTaken = call.takes && continued.source != .finished
        guard let events = sources.registry.events(of: handler) else {
            return answer(.failure(Self.notRegistered(handler)))
        }
        events.hand(continued, within: account.limits.appOpeningTime, on: account.loop) { isConfirmed in
            guard isConfirmed else {
                let hasLeft = sources.registry.events(of: handler) !== events
                return answer(.failure(hasLeft ? Self.notRegistered(handler) : silent(handler)))
            }
            guard continued.source != .finished else { return answer(.success(continued)) }
            // The app may confirm only an activity of the type that it received.
            step(.confirm, on: found, of: continued.summary.activity.type) { result in
                // The activity may have ended on its device in the meantime. Then no other app has to be notified.
                if case .failure(let failure) = result, failure.code == .notFound {
                    continued.isTaken = false
                    return answer(.success(continued))
                }
                answer(result.map { continued.confirmed(as: $0) })
            }
        }
    }

    /// Carries out one step of a continuation by an app on this device.
    private func step(
        _ step: ContinuationStep, on found: ListedActivity, of type: String?,
        then: @escaping Answer<ContinuedActivity>
    ) {
        var call = call
        (call.handler, call.step, call.type) = (nil, step, type)
        ActivityFetch(call, in: sources, then).go(on: found)
    }

    /// Whether this step ends the activity on its device.
    private var takes: Bool { call.takes && call.step != .fetch }

    /// Continues an ended activity.
    ///
    /// Throws if another device took the activity over and `text` is the identifier that the activity had before it
    /// ended.
    private func goBack(to ended: ListedActivity, calling text: String) throws(LocalFailure) {
        if ended.wasCalled(text), let device = taker(of: ended), device != account.credentials.device {
            throw .takenOver(ended.title, on: account.name(of: device), ended, now: .now)
        }
        tell(ended, .finished)
    }

    /// The device that took the activity over; nil if no device did.
    private func taker(of ended: ListedActivity) -> DeviceIdentifier? {
        ended.activity.isTaken ? ended.activity.continuation?.device : nil
    }

    // MARK: Asking

    private func ask(_ found: ListedActivity) {
        guard let name = found.name else { return tell(found, .finished) }
        if name.device == account.credentials.device { return askHere(found, name) }
        guard let link = sources.peers.link(to: name.device) else { return useReplica(of: found, name) }
        // An answer counts only while the timer is set. The link holds the closure until the answer arrives, and the
        // closure holds the timer.
        let timer = OwnedTimer(on: account.loop)
        timer.set(after: account.limits.continuingTime) { useReplica(of: found, name) }
        link.requestContinue(found.identity, takes: takes, step: call.step, type: call.type) { outcome in
            guard timer.isSet else { return }
            timer.cancel()
            receiveAnswer(outcome, found, name)
        }
    }

    /// Continues an activity of this device in another app on the same device.
    private func askHere(_ found: ListedActivity, _ name: ActivityName) {
        Handoff(
            name, of: sources.activities, in: account, to: account.credentials.device, takes: takes,
            step: call.step, type: call.type
        ) { outcome in
            switch outcome {
            case .handed(let activity, let isSaved):
                tell(found.with(activity), isSaved ? .app : .node, isTaken: takes)
            case .gone: tellEnd(of: found, to: nil)
            case .failed(let failure): answer(.failure(Self.notKept(failure)))
            }
        }.begin()
    }

    /// Uses the answer of the activity's device.
    ///
    /// If `outcome` is nil, the link ended before an answer arrived.
    private func receiveAnswer(
        _ outcome: ContinueAnswer.Outcome?, _ found: ListedActivity, _ name: ActivityName
    ) {
        switch outcome {
        case .fields(let fields, let isSaved):
            do throws(CBORError) {
                let activity = try Activity(fields)
                tell(found.with(activity), isSaved ? .app : .node, isTaken: takes)
            } catch {
                account.log.tell("can't read the latest state of an activity: \(error)")
                useReplica(of: found, name)
            }
        case .gone(let taker): tellEnd(of: found, to: taker)
        case .unavailable, nil: useReplica(of: found, name)
        }
    }

    // MARK: Without the device

    /// Continues the activity with its replicated state.
    private func useReplica(of found: ListedActivity, _ name: ActivityName) {
        account.store.submit(to: .activities) { [identity = found.identity] (store) throws(StoreFailure) in
            let record = try store.record(identity)
            // If the stored state is no longer readable, the state that was read a moment ago is used.
            return (isThere: record?.isThere ?? false, activity: record?.activity?.activity)
        } then: { result in
            switch result {
            case .success((isThere: false, _)): tellEnd(of: found, to: nil)
            case .success((_, let activity)):
                let replica = found.with(activity ?? found.activity)
                // The activity may have expired while its device was asked.
                guard !replica.activity.isExpired(at: .now) else { return tellEnd(of: found, to: nil) }
                useReplica(replica, name)
            case .failure(let failure):
                account.log.tell(
                    "could not read an activity again, so its state of a moment ago is used: \(failure)")
                useReplica(found, name)
            }
        }
    }

    private func useReplica(_ replica: ListedActivity, _ name: ActivityName) {
        guard isMeant(replica) else { return answer(.failure(Self.otherType)) }
        guard takes else { return tell(replica, .replica) }
        sources.allActivities.takeOver(name, replica.activity) { result in
            switch result {
            case .success(let activity): tell(replica.with(activity), .replica, isTaken: true)
            case .failure(let failure): answer(.failure(Self.notKept(failure)))
            }
        }
    }

    // MARK: Telling

    /// Answers that the activity has ended on its device.
    ///
    /// If `taker` is not nil, the taker is the device that took the activity over.
    private func tellEnd(of found: ListedActivity, to taker: DeviceIdentifier?) {
        sources.allActivities.findEnd(of: found.identity) { ended in
            let here = account.credentials.device
            guard let device = taker ?? ended.flatMap(self.taker) else {
                return answer(.failure(.ended(found.title, on: account.name(of: found.device), ended)))
            }
            // This device took the activity over before. Therefore, its last state can be continued here again.
            if device == here, let ended { return tell(ended, .finished) }
            let end = ended.flatMap { self.taker(of: $0) == device ? $0 : nil }
            answer(.failure(.takenOver(found.title, on: account.name(of: device), end, now: .now)))
        }
    }

    private func tell(_ entry: ListedActivity, _ source: ContinuedActivity.Source, isTaken: Bool = false) {
        let continued = ContinuedActivity(
            summary: sources.allActivities.summary(entry), source: source, isTaken: isTaken)
        if call.step == .fetch, source == .app {
            sources.allActivities.fetched = AllActivities.Fetched(
                continued: continued, identity: entry.identity, time: account.loop.instant)
        }
        answer(.success(continued))
    }

    private func silent(_ handler: AppName) -> LocalFailure {
        LocalFailure(
            .failed,
            """
            The app \(handler.app) (\(handler.instance)) did not confirm within \(account.limits.appOpeningTime) that it continues this.
            The activity is as it was. Look at the app, or restart it, and try again.
            """)
    }

    private static func notRegistered(_ handler: AppName) -> LocalFailure {
        LocalFailure(
            .notFound,
            "The app \(handler.app) (\(handler.instance)) does not accept activities at the moment. Type `baton continue` to continue it here."
        )
    }

    private static let otherType = LocalFailure(
        .notFound, "The app has begun another activity in place of this one.\nSee `baton list`.")

    private static func notKept(_ failure: StoreFailure) -> LocalFailure {
        LocalFailure(saving: "that this machine takes over the activity", failure, "Nothing has changed.")
    }
}

extension ActivityReader {
    /// Finds the activity to continue by a text.
    ///
    /// The text is compared with the identifier, the type, the identifier that an ended activity had before it ended,
    /// and the title, in this order.
    fileprivate func find(_ text: String) throws(StoreFailure) -> Result<ListedActivity, LocalFailure> {
        var found = try current(text)
        if case .success(nil) = found { found = .success(searched(text)) }
        if case .success(nil) = found { found = try finished(text) }
        if case .success(nil) = found { found = try titled(text) }
        return found.required(.unknownActivity(text))
    }
}

extension ListedActivity {
    fileprivate func with(_ activity: Activity) -> ListedActivity {
        var listed = self
        listed.activity = activity
        return listed
    }
}
