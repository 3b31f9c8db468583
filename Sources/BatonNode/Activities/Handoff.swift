import BatonCore
import BatonNetwork
import BatonSecurity

/// Gives an activity of this device to the app or the device that continues it.
///
/// First, the activity's app is asked to save. Then the activity notes who continued it. If it is taken over, it ends
/// here.
///
/// A taker may use two steps. In the first step, it requests only the state. In the second step, it confirms that it
/// has the state.
///
/// If another taker asks while the app saves, it waits for the same save. If two takers take the activity over, the
/// second taker only learns that the first one did. The object belongs to the loop's thread.
struct Handoff {
    enum Outcome {
        /// The state to continue, and whether the activity's app has just saved this state.
        case handed(Activity, isSaved: Bool)
        /// The activity has ended, is no longer shared, or has another type than the taker asked for.
        case gone
        /// Storing the takeover failed, so the activity continues on this device.
        case failed(StoreFailure)
    }

    private let account: AccountCore
    private let activities: OwnActivities
    private let name: ActivityName
    private let device: DeviceIdentifier
    private let takes: Bool
    private let step: ContinuationStep
    /// The type that the activity must have; nil if any type will do.
    private let type: String?
    private let then: (Outcome) -> Void

    init(
        _ name: ActivityName, of activities: OwnActivities, in account: AccountCore,
        to device: DeviceIdentifier, takes: Bool, step: ContinuationStep, type: String?,
        then: @escaping (Outcome) -> Void
    ) {
        self.name = name
        self.activities = activities
        self.account = account
        self.device = device
        self.takes = takes
        self.step = step
        self.type = type
        self.then = then
    }

    /// The present state of the activity.
    ///
    /// The result is nil if the activity has ended, or if its app has begun an activity of another type in its place.
    private var activity: Activity? {
        activities.activity(name).flatMap { type == nil || $0.type == type ? $0 : nil }
    }

    func begin() {
        guard activity != nil else { return then(.gone) }
        // In the taker's first step, the activity's app has already saved the state. It need not save again for the
        // confirmation.
        guard step != .confirm else { return hand(isSaved: false) }
        guard let events = activities.app(of: name), events.isHeard else {
            return give(isSaved: false)
        }
        events.save(name, within: account.limits.savingTime, on: account.loop) { give(isSaved: $0) }
    }

    private func give(isSaved: Bool) { step == .fetch ? show(isSaved: isSaved) : hand(isSaved: isSaved) }

    /// Gives the taker the state without changing anything.
    private func show(isSaved: Bool) {
        // The activity may have ended while its app was asked, or may have become private.
        guard let activity, !account.isStopped,
            device == account.credentials.device || activities.isShared(name)
        else { return then(.gone) }
        then(.handed(activity, isSaved: isSaved))
    }

    private func hand(isSaved: Bool) {
        guard let activity, !account.isStopped else { return then(.gone) }
        // The app is looked up now. Otherwise, it would not be told if the activity ended before the continuation was
        // stored.
        let events = activities.app(of: name)
        let isGoingOn = activities.hand(name, to: device, takes: takes) { activity, failure in
            if takes, let failure { return then(.failed(failure)) }
            events?.tell(
                .wasContinued(instance: name.instance, on: account.names.reference(device), isTaken: takes))
            then(.handed(activity, isSaved: isSaved))
        }
        // The activity may have ended while its app was asked, or may have become private.
        guard isGoingOn else { return then(.gone) }
        account.log.tell(
            "“\(activity.title ?? activity.type)” was \(takes ? "taken over" : "continued") on “\(account.name(of: device))”"
        )
        // Other callers may still wait for the app to save. They learn immediately that the activity was taken over.
        if takes { events?.giveUp(name) }
    }
}

/// Answers peers that want to continue activities of this device.
struct HandoffAnswers {
    let account: AccountCore
    let activities: OwnActivities

    func answer(_ request: ContinueRequest, over link: Link) {
        let name: ActivityName
        switch activities.standing(of: request.identity) {
        case .shared(let shared): name = shared
        case .hidden: return link.answerContinue(request.number, .gone(to: nil))
        case .ended(let taker): return link.answerContinue(request.number, .gone(to: taker))
        }
        Handoff(
            name, of: activities, in: account, to: link.device.device, takes: request.takes,
            step: request.step, type: request.type
        ) { outcome in
            switch outcome {
            case .handed(let activity, let isSaved):
                // A refused peer that took the activity over can still find the saved activity, if that was sent to the
                // peer.
                guard activities.mayLeave(activity, of: name) else { return refuse(request, over: link) }
                link.answerContinue(request.number, .fields(activity.fields, isSaved: isSaved))
            // The activity ended while its app was asked.
            case .gone:
                link.answerContinue(request.number, .gone(to: activities.taker(of: request.identity)))
            // The peer can then take the activity over with writes of its own. This device receives those writes later.
            case .failed: link.answerContinue(request.number, .unavailable)
            }
        }.begin()
    }

    /// Answers a peer to which the activity must no longer be sent.
    ///
    /// The activity's continuation is already stored.
    private func refuse(_ request: ContinueRequest, over link: Link) {
        switch activities.standing(of: request.identity) {
        // The activity continues in another state. The peer uses the replicated state.
        case .shared: link.answerContinue(request.number, .unavailable)
        case .hidden: link.answerContinue(request.number, .gone(to: nil))
        case .ended(let taker): link.answerContinue(request.number, .gone(to: taker))
        }
    }
}

extension AppEvents {
    /// Tells the app that an activity of this device has ended, although the app did not end it.
    func tellEnd(of name: ActivityName, _ ending: OwnActivities.Ending, in account: AccountCore) {
        switch ending {
        case .finished, .forgotten: tell(.ended(instance: name.instance))
        case .takenOver(let device, _):
            account.log.tell("an activity was taken over on “\(account.name(of: device))” in the meantime")
            tell(
                .wasContinued(instance: name.instance, on: account.names.reference(device), isTaken: true))
        }
        giveUp(name)
    }
}
