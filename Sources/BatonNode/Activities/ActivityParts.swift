import BatonCore

/// The parts of an account that deal with activities.
struct ActivityParts {
    /// The activities of this device.
    let own: OwnActivities
    /// The activities of all devices.
    let all: AllActivities
    /// Learns what the person uses on this device, and suggests what to use next.
    let suggested: SuggestedActivities
    /// Counts the activities that exceed the limits and are not listed.
    let count: ActivityCount
    /// Tells watchers about changes of the activity list.
    let watching: ActivityWatchers
    /// The apps that continue activities.
    let registry = AppRegistry()
    /// The focuses of the person.
    let focuses: Focuses

    init(of account: AccountCore, _ contents: AccountContents) {
        own = OwnActivities(of: account)
        let donations = Donations(of: account, contents.donations)
        all = AllActivities(of: account, own, donations, contents)
        suggested = SuggestedActivities(of: account, own, all, donations, contents.uses)
        count = ActivityCount(of: account)
        watching = ActivityWatchers(of: account, own, all, count)
        focuses = Focuses(of: account)
    }

    /// Restores this device's activities.
    ///
    /// Activities of connected apps continue in the state that the apps have.
    func start(_ contents: AccountContents, in account: AccountCore, carrying carried: CarriedApps?) {
        own.load(
            contents.activities, notes: contents.ownActivities, taken: contents.taken,
            isPrivate: account.settings.isPrivate, kept: KeptActivities(contents.kept),
            withheld: account.settings.apps(off: .handoff), carrying: carried?.activities ?? [],
            clock: contents.summary.clock)
        if let carried { registry.carry(carried.registry, of: carried.present) }
        suggested.start()
        count.start()
    }

    /// Called when the account stops, while the store still accepts writes.
    func stop() {
        suggested.close()
        count.stop()
        own.close()
    }

    /// Handles a commit.
    ///
    /// Watchers have already been told about the changes of the activities in `told`.
    func handleCommit(_ commit: StoreCommit, told: Set<RecordIdentity>) {
        own.takeBack(commit)
        watching.keep(commit.changed, told: told)
        count.recordChanges(commit.changed)
        focuses.handleCommit(commit)
        for thing in all.handleChanges(commit.changed) { suggested.forget(thing) }
    }

    /// Handles a changed roster.
    ///
    /// Watchers get a new list if the set of departed devices has changed.
    func handleRosterChange() {
        if all.handleRosterChange() { watching.beginAnew() }
    }
}

/// The connected apps and their activities, carried over while another state of the account replaces the store.
struct CarriedApps {
    let registry = AppRegistry()
    private let apps: [AppEvents]
    private let begun: [OwnActivities.Carried]

    init(of parts: ActivityParts, _ apps: [AppEvents]) {
        self.apps = apps
        begun = parts.own.carried
        registry.carry(parts.registry, of: apps)
    }

    /// The apps that are still connected.
    var present: [AppEvents] { apps.filter { !$0.hasEnded } }

    /// The activities of the apps that are still connected.
    var activities: [OwnActivities.Carried] { begun.filter { !$0.app.hasEnded } }
}
