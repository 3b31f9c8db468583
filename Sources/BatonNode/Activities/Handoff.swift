import BatonCore
import BatonNetwork
import BatonSecurity

/// Gives an activity of this device to the app or device that continues it: asks its app to save it first, notes who
/// took it, and ends it if it is taken over.
///
/// A taker may ask in two steps: first for the state alone, and once it has that, for the rest.
///
/// A taker that comes while the app saves waits, too. If two take the activity over, the second only learns about the
/// first. The object belongs to the loop's thread.
struct Handoff {
    enum Outcome {
        /// The state to continue, and whether its app has saved it for that.
        case handed(Activity, isSaved: Bool)
        /// The activity has ended, is not shared any more, or has another type than the taker asked for.
        case gone
        /// Storing the takeover failed; the activity goes on here.
        case failed(StoreFailure)
    }

    private let account: AccountNode
    private let name: ActivityName
    private let device: DeviceIdentifier
    private let takes: Bool
    private let step: ContinuationStep
    /// The type that the activity must have; nil for any.
    private let type: String?
    private let then: (Outcome) -> Void

    init(
        _ name: ActivityName, of account: AccountNode, to device: DeviceIdentifier, takes: Bool,
        step: ContinuationStep, type: String?, then: @escaping (Outcome) -> Void
    ) {
        (self.name, self.account, self.device) = (name, account, device)
        (self.takes, self.step, self.type, self.then) = (takes, step, type, then)
    }

    /// The activity as it is now; nil if it has ended, or if its app has begun one of another type in its place.
    private var activity: Activity? {
        account.activities.activity(name).flatMap { type == nil || $0.type == type ? $0 : nil }
    }

    func begin() {
        guard activity != nil else { return then(.gone) }
        // Its app has saved the state that the taker has.
        guard step != .confirm else { return hand(isSaved: false) }
        guard let events = account.activities.session(of: name)?.events, events.isHeard else {
            return give(isSaved: false)
        }
        events.save(name, within: account.limits.savingTime, on: account.loop) { give(isSaved: $0) }
    }

    private func give(isSaved: Bool) { step == .fetch ? show(isSaved: isSaved) : hand(isSaved: isSaved) }

    /// Tells the taker the state, and changes nothing.
    private func show(isSaved: Bool) {
        // The activity may have ended while its app was asked, or may be private by now.
        guard let activity, !account.isStopped,
            device == account.credentials.device || account.activities.isShared(name)
        else { return then(.gone) }
        then(.handed(activity, isSaved: isSaved))
    }

    private func hand(isSaved: Bool) {
        guard let activity, !account.isStopped else { return then(.gone) }
        // The app that began the activity is told, even if the activity is over by then.
        let events = account.activities.session(of: name)?.events
        let isGoingOn = account.activities.hand(name, to: device, takes: takes) { activity, failure in
            if takes, let failure { return then(.failed(failure)) }
            events?.tell(
                .wasContinued(instance: name.instance, on: account.devices.reference(device), isTaken: takes))
            then(.handed(activity, isSaved: isSaved))
        }
        // The activity may have ended while its app was asked, or may be private by now.
        guard isGoingOn else { return then(.gone) }
        account.log.tell(
            "“\(activity.title ?? activity.type)” was \(takes ? "taken over" : "continued") on “\(account.name(of: device))”"
        )
        // Callers that still wait for the app hear at once that the activity was taken over.
        if takes { events?.giveUp(name) }
    }

    /// Answers a peer that wants to continue an activity of this device.
    static func answer(_ request: ContinueRequest, over link: Link, of account: AccountNode) {
        let name: ActivityName
        switch account.activities.standing(of: request.identity) {
        case .shared(let shared): name = shared
        case .hidden: return link.answerContinue(request.number, .gone(to: nil))
        case .ended(let taker): return link.answerContinue(request.number, .gone(to: taker))
        }
        Handoff(
            name, of: account, to: link.device.device, takes: request.takes, step: request.step,
            type: request.type
        ) { outcome in
            switch outcome {
            case .handed(let activity, let isSaved):
                // A peer that took it over finds what was saved of it, if that has left this device.
                guard account.activities.mayLeave(activity, of: name) else {
                    return refuse(request, over: link, of: account)
                }
                link.answerContinue(request.number, .fields(activity.fields, isSaved: isSaved))
            // The activity ended while its app was asked.
            case .gone:
                link.answerContinue(request.number, .gone(to: account.activities.taker(of: request.identity)))
            // A peer that takes over then does so by writes of its own, which reach this device later.
            case .failed: link.answerContinue(request.number, .unavailable)
            }
        }.begin()
    }

    /// Answers a peer that must not be sent the activity any more, now that its continuation is stored.
    private static func refuse(_ request: ContinueRequest, over link: Link, of account: AccountNode) {
        switch account.activities.standing(of: request.identity) {
        // It goes on in another state, of which the peer uses what was replicated.
        case .shared: link.answerContinue(request.number, .unavailable)
        case .hidden: link.answerContinue(request.number, .gone(to: nil))
        case .ended(let taker): link.answerContinue(request.number, .gone(to: taker))
        }
    }

    /// Called when an account starts, before its activities are loaded.
    static func attend(to account: AccountNode) {
        account.activities.ended = { [unowned account] name, ending in
            tellEnd(of: name, ending, in: account)
        }
        account.activities.withdrawing = { [unowned account] in account.peers.holdsActivities = $0 }
    }

    /// Tells the app about an activity of this device that ended without the app's doing.
    private static func tellEnd(
        of name: ActivityName, _ ending: OwnActivities.Ending, in account: AccountNode
    ) {
        account.watching.noteOwn(name)
        guard let events = account.activities.session(of: name)?.events else { return }
        switch ending {
        case .finished, .forgotten: events.tell(.ended(instance: name.instance))
        case .takenOver(let device, _):
            account.log.tell("an activity was taken over on “\(account.name(of: device))” in the meantime")
            events.tell(
                .wasContinued(instance: name.instance, on: account.devices.reference(device), isTaken: true))
        }
        events.giveUp(name)
    }
}
