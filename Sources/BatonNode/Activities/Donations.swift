import BatonCore

/// The actions that apps of this device have donated, which are suggested on it and nowhere else.
///
/// A change counts at once, and is answered when it is stored. A change that could not be stored is written again with
/// the next one. The object belongs to the loop's thread.
final class Donations {
    private unowned let account: AccountNode
    private var actions: DonatedActions
    /// The actions that the disk may have otherwise than they are, because writing them failed.
    private var unkept: Set<SavedActivityName> = []

    init(of account: AccountNode, _ notes: [LocalNote]) {
        (self.account, actions) = (account, DonatedActions(notes))
    }

    /// Called when the node starts: a process before may have stopped before it deleted what was switched off.
    func start() {
        for app in account.settings.apps(off: .suggestions) { forgetAll(of: app) }
    }

    // MARK: Queries

    /// The actions, also those that have expired.
    var activities: [SavedActivityName: Activity] { actions.activities }

    /// The last donation of an action; nil if there is no such action.
    func last(of name: SavedActivityName) -> Donation? { actions.last(of: name) }

    /// The things that stand for an app's actions.
    func things(of app: String) -> Set<KeyHash> { Set(actions.names(of: app).map(\.key.identity.hash)) }

    // MARK: Changes

    /// Adds a donation; nothing is kept while the machine is private, or while the person wants no suggestions from the
    /// app.
    func add(
        _ donation: Donation, of activity: Activity, by app: String, then: @escaping (StoreFailure?) -> Void
    ) {
        guard !account.settings.isPrivate, !account.settings.isOff(.suggestions, for: app) else {
            return then(nil)
        }
        let days = account.settings[.finishedDays]
        let (name, changed) = actions.add(
            donation, of: activity, by: app, keeping: .seconds(days * 86_400), at: .now)
        keep(changed, then: then)
        guard actions.last(of: name) != nil else { return }
        account.suggested.noteDonation(of: name.key.identity.hash, by: app)
    }

    /// Deletes donations that an app names.
    func remove(_ selection: Donation.Selection, of app: String, then: @escaping (StoreFailure?) -> Void) {
        keep(actions.remove(selection, of: app), then: then)
    }

    /// Deletes an action that the person wants to forget.
    func remove(_ name: SavedActivityName, then: @escaping (StoreFailure?) -> Void) {
        keep(actions.remove(name) ? [name] : [], then: then)
    }

    /// Deletes all actions of an app from which the person wants no suggestions.
    func forgetAll(of app: String) {
        remove(.all, of: app) { [log = account.log] failure in
            if let failure { log.warn("could not delete what \(app) had donated: \(failure)") }
        }
    }

    /// Deletes what has expired.
    func removeExpired() {
        keep(actions.removeExpired(at: .now)) { [log = account.log] failure in
            if let failure { log.warn("could not delete donated actions that have expired: \(failure)") }
        }
    }

    /// Writes changed actions, and forgets the uses of those that are gone.
    private func keep(_ changed: Set<SavedActivityName>, then: @escaping (StoreFailure?) -> Void) {
        for name in changed where actions.last(of: name) == nil {
            account.suggested.forget(name.key.identity.hash)
        }
        let names = changed.union(unkept)
        guard !names.isEmpty else { return then(nil) }
        unkept = []
        account.keep(actions.notes(of: names)) { [weak self] failure in
            if failure != nil { self?.unkept.formUnion(names) }
            then(failure)
        }
    }
}
