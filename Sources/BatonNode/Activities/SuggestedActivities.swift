import BatonCore
import BatonNetwork
import BatonSecurity

/// Learns what the person uses on this device, and suggests what the person may use next.
///
/// After a change or a continuation was answered, the use is only noted. Some seconds later, all noted uses are learnt
/// together. Therefore, no device or app waits for the learning. A folder that a shell only passes through does not
/// count as used. The object belongs to the loop's thread.
final class SuggestedActivities {
    private let account: AccountCore
    private let activities: OwnActivities
    private let allActivities: AllActivities
    private let donations: Donations
    private var predictor: Predictor
    /// This device's activities that began or changed since uses were last learnt, in that order.
    private var noted: [(name: ActivityName, hasBegun: Bool)] = []
    /// The things that were continued or opened since uses were last learnt, in that order.
    private var opened: [(thing: KeyHash, app: String, device: DeviceIdentifier?)] = []
    /// The last thing that each app donated since uses were last learnt.
    ///
    /// Repeated donations of an app count as one use.
    private var donated: [(app: String, thing: KeyHash)] = []
    /// The thing that each activity of this device was about when uses were last learnt.
    private var things: [ActivityName: KeyHash] = [:]
    /// The timer for learning the noted uses.
    private let timer: OwnedTimer
    private var isClosed = false

    init(
        of account: AccountCore, _ activities: OwnActivities, _ all: AllActivities, _ donations: Donations,
        _ notes: [LocalNote]
    ) {
        self.account = account
        self.activities = activities
        self.donations = donations
        allActivities = all
        predictor = Predictor(notes)
        timer = OwnedTimer(on: account.loop)
    }

    /// Called when the node starts.
    ///
    /// The previous process has already learnt the current activities. It may have stopped before it deleted the
    /// donations of apps that the person switched off.
    func start() {
        for app in account.settings.apps(off: .suggestions) { forgetDonations(of: app) }
        for (name, activity) in activities.current where activity.eligibility.contains(.prediction) {
            things[name] = activity.thing(of: name.app)
        }
    }

    /// Learns the noted uses.
    ///
    /// After this call, no more notes are stored.
    func close() {
        learn()
        isClosed = true
        timer.cancel()
    }

    // MARK: Uses

    /// Notes that an activity of this device began or changed.
    func recordUse(_ name: ActivityName, hasBegun: Bool) {
        // An app may change its activity many times a second. Such changes in a row are noted only once.
        if !hasBegun, noted.last?.name == name { return }
        noted.append((name, hasBegun))
        if noted.count >= Limits.deviceActivities { learn() } else { wait() }
    }

    /// Notes that the person continued or opened an activity on this device.
    func noteOpening(of activity: Activity, app: String, from device: DeviceIdentifier) {
        guard activity.eligibility.contains(.prediction) else { return }
        opened.append(
            (activity.thing(of: app), app, device == account.credentials.device ? nil : device))
        if opened.count >= Limits.deviceActivities { learn() } else { wait() }
    }

    /// Adds an action that an app donates.
    ///
    /// `then` is called once the donation is stored, or with the failure.
    func donate(
        _ donation: Donation, of activity: Activity, by app: String, then: @escaping (StoreFailure?) -> Void
    ) {
        let (thing, gone) = donations.add(donation, of: activity, by: app, then: then)
        for thing in gone { forget(thing) }
        guard let thing else { return }
        donated.removeAll { $0.app == app }
        donated.append((app, thing))
        if donated.count >= Limits.deviceActivities { learn() } else { wait() }
    }

    private func wait() {
        guard !timer.isSet, !isClosed else { return }
        timer.set(after: account.limits.usePause) { [unowned self] in learn() }
    }

    /// Learns the noted uses of things that may still be suggested.
    private func learn() {
        timer.cancel()
        let (noted, opened, donated) = (self.noted, self.opened, self.donated)
        (self.noted, self.opened, self.donated) = ([], [], [])
        guard !noted.isEmpty || !opened.isEmpty || !donated.isEmpty, !isClosed, !account.settings.isPrivate
        else { return }
        var notes: [LocalNote] = []
        let moment = Self.moment
        for opening in opened where !account.settings.isOff(.suggestions, for: opening.app) {
            notes += predictor.learn(PastUse(opening.thing, at: moment, from: opening.device))
        }
        for (app, thing) in donated {
            notes += predictor.learn(PastUse(thing, at: moment), isOfPerson: false)
            // The donations of one app must not crowd out all other uses.
            notes += predictor.forgetOldest(of: donations.things(of: app), beyond: Limits.donatedUses)
        }
        for (name, hasBegun) in noted {
            guard let activity = activities.offered(name) else { continue }
            guard activity.eligibility.contains(.prediction),
                !account.settings.isOff(.suggestions, for: name.app)
            else { continue }
            let thing = activity.thing(of: name.app)
            if things.count >= Limits.deviceActivities { things = [:] }
            let isOther = things.updateValue(thing, forKey: name) != thing
            if hasBegun || isOther { notes += predictor.learn(PastUse(thing, at: moment)) }
        }
        keep(notes)
    }

    private static var moment: WeekMoment {
        let now = WallTime.now
        return WeekMoment(now, offset: now.zoneOffset)
    }

    /// Stores notes.
    ///
    /// If storing them fails, the uses are remembered only until the node stops.
    private func keep(_ notes: [LocalNote]) {
        guard !notes.isEmpty else { return }
        account.keep(notes) { [log = account.log] failure in
            if let failure { log.tell("could not save what suggestions are made from: \(failure)") }
        }
    }

    // MARK: Forgetting

    /// Forgets the uses of a thing that was deleted.
    func forget(_ thing: KeyHash) { forget { $0 == thing } }

    /// Forgets the uses of things that meet a condition.
    ///
    /// Uses that were noted but not learnt yet are forgotten, too.
    private func forget(where isForgotten: (KeyHash) -> Bool) {
        opened.removeAll { isForgotten($0.thing) }
        donated.removeAll { isForgotten($0.thing) }
        keep(predictor.forget(where: isForgotten))
    }

    /// Deletes the donations that an app selects, and forgets their uses.
    func removeDonations(
        _ selection: Donation.Selection, of app: String, then: @escaping (StoreFailure?) -> Void
    ) {
        for thing in donations.remove(selection, of: app, then: then) { forget(thing) }
    }

    /// Deletes a donated action that the person wants to forget, and forgets its uses.
    func removeDonation(_ name: SavedActivityName, then: @escaping (StoreFailure?) -> Void) {
        for thing in donations.remove(name, then: then) { forget(thing) }
    }

    /// Deletes all donated actions of an app, because the person wants no suggestions from the app.
    func forgetDonations(of app: String) {
        removeDonations(.all, of: app) { [log = account.log] failure in
            if let failure { log.warn("could not delete what \(app) had donated: \(failure)") }
        }
    }

    /// Forgets the uses of things that no longer exist, because they were deleted on a device, cleared, or have
    /// expired.
    func forgetGone() {
        for thing in donations.removeExpired() { forget(thing) }
        let used = predictor.things
        guard !used.isEmpty else { return }
        let before = ownThings
        allActivities.read { (reader) throws(StoreFailure) in
            .success(Set(try reader.suggestible(used: used, withHidden: true).keys))
        } then: { [weak self] result in
            guard let self, !isClosed else { return }
            switch result {
            // Uses that were learnt during the read are not in `used`, so they are kept.
            case .success(let there):
                let kept = there.union(before).union(ownThings)
                forget { used.contains($0) && !kept.contains($0) }
            case .failure(let failure):
                account.log.warn("could not forget the use of activities that are gone: \(failure.text)")
            }
        }
    }

    /// The things of this device's activities that a reader of the store may not see.
    ///
    /// These are the things of resigned activities, and of activities that have just ended and are not saved yet.
    private var ownThings: Set<KeyHash> {
        let current = activities.names.compactMap { name in
            activities.activity(name)?.thing(of: name.app)
        }
        return Set(current + activities.namesToSave.map(\.key.identity.hash))
    }

    // MARK: Suggesting

    /// Answers with suggestions for the person, at most `most` of them.
    func suggest(_ most: Int, _ answer: @escaping Answer<SuggestedActivitiesReply>) {
        // The activity that the person is in now counts, however short the stay has been.
        learn()
        allActivities.read { [used = predictor.things] (reader) throws(StoreFailure) in
            .success(try reader.suggestible(used: used, withHidden: false))
        } then: { [weak self] result in
            guard let self else { return }
            answer(result.map { self.reply(with: $0, most: most) })
        }
    }

    private func reply(with things: [KeyHash: ListedActivity], most: Int) -> SuggestedActivitiesReply {
        let own = account.credentials.device
        let here = placesOfPerson
        var candidates: [Predictor.Candidate] = []
        for (thing, listed) in things where isShown(listed) && !here.contains(thing) {
            let isElsewhere = listed.name != nil && listed.device != own
            candidates.append(
                Predictor.Candidate(
                    thing, on: listed.device == own ? nil : listed.device,
                    changed: listed.name == nil ? listed.activity.end.time : listed.activity.changed,
                    isElsewhere: isElsewhere))
        }
        let predictions = predictor.predictions(of: candidates, at: Self.moment)
        // An app that donates many actions must not crowd out everything else.
        var donated: [String: Int] = [:]
        let wanted = predictions.filter { prediction in
            guard let listed = things[prediction.thing], listed.isDonated else { return true }
            donated[listed.app, default: 0] += 1
            return donated[listed.app, default: 0] <= Limits.donatedSuggestions
        }
        let suggestions = wanted.prefix(max(most, 0)).compactMap { prediction in
            things[prediction.thing].map { listed in
                let summary = allActivities.summary(listed)
                let reasons = prediction.reasons + (summary.donation.map { [.donated($0.time)] } ?? [])
                return SuggestedActivity(summary, score: prediction.score, reasons: reasons)
            }
        }
        let current = predictor.current.flatMap { things[$0]?.title }
        return SuggestedActivitiesReply(suggestions, after: current)
    }

    private func isShown(_ listed: ListedActivity) -> Bool {
        guard !account.settings.isOff(.suggestions, for: listed.app) else { return false }
        // While the machine is private, its own current activities are not suggested.
        return !account.settings.isPrivate || listed.name?.device != account.credentials.device
    }

    /// The things that the person is working on.
    ///
    /// These are the last used and the last changed of this device's current activities.
    private var placesOfPerson: Set<KeyHash> {
        let current = activities.current.map { (thing: $1.thing(of: $0.app), changed: $1.changed) }
        var places = Set([current.max { $0.changed < $1.changed }?.thing].compactMap(\.self))
        if let last = predictor.current, current.contains(where: { $0.thing == last }) { places.insert(last) }
        return places
    }
}

extension Activity {
    /// Returns the thing that an activity is about.
    ///
    /// This is the hash of the key under which the activity is saved when it ends.
    func thing(of app: String) -> KeyHash { savedName(by: app).key.identity.hash }
}
