import BatonCore

/// The actions that apps of this device have donated, which are suggested on it and nowhere else.
///
/// A change takes effect immediately, and is acknowledged once it is stored. A change that could not be stored is
/// retried with the next change. The object belongs to the loop's thread.
final class Donations {
    private let account: AccountCore
    private var actions: DonatedActions
    /// The actions whose stored state may be out of date, because writing them failed.
    private var unkept: Set<SavedActivityName> = []

    init(of account: AccountCore, _ notes: [LocalNote]) {
        (self.account, actions) = (account, DonatedActions(notes))
    }

    // MARK: Queries

    /// The actions, including expired ones.
    var activities: [SavedActivityName: Activity] { actions.activities }

    /// The last donation of an action; nil if there is no such action.
    func last(of name: SavedActivityName) -> Donation? { actions.last(of: name) }

    /// The things that stand for an app's actions.
    func things(of app: String) -> Set<KeyHash> { Set(actions.names(of: app).map(\.key.identity.hash)) }

    // MARK: Changes

    /// The things that a change has removed, whose uses are to be forgotten.
    typealias Gone = [KeyHash]

    /// Adds a donation and returns its thing; nothing is kept while the machine is private, or while the person wants
    /// no suggestions from the app.
    func add(
        _ donation: Donation, of activity: Activity, by app: String, then: @escaping (StoreFailure?) -> Void
    ) -> (thing: KeyHash?, gone: Gone) {
        guard !account.settings.isPrivate, !account.settings.isOff(.suggestions, for: app) else {
            then(nil)
            return (nil, [])
        }
        let days = account.settings[.finishedDays]
        let (name, changed) = actions.add(
            donation, of: activity, by: app, keeping: .seconds(days * 86_400), at: .now)
        let gone = store(changed, then: then)
        return (actions.last(of: name).map { _ in name.key.identity.hash }, gone)
    }

    /// Deletes donations that an app names.
    func remove(
        _ selection: Donation.Selection, of app: String, then: @escaping (StoreFailure?) -> Void
    ) -> Gone {
        store(actions.remove(selection, of: app), then: then)
    }

    /// Deletes an action that the person wants to forget.
    func remove(_ name: SavedActivityName, then: @escaping (StoreFailure?) -> Void) -> Gone {
        store(actions.remove(name) ? [name] : [], then: then)
    }

    /// Deletes expired actions.
    func removeExpired() -> Gone {
        store(actions.removeExpired(at: .now)) { [log = account.log] failure in
            if let failure { log.warn("could not delete donated actions that have expired: \(failure)") }
        }
    }

    /// Stores changed actions; returns the things of those that were removed.
    private func store(_ changed: Set<SavedActivityName>, then: @escaping (StoreFailure?) -> Void) -> Gone {
        let names = changed.union(unkept)
        if names.isEmpty {
            then(nil)
        } else {
            unkept = []
            account.keep(actions.notes(of: names)) { [weak self] failure in
                if failure != nil { self?.unkept.formUnion(names) }
                then(failure)
            }
        }
        return changed.filter { actions.last(of: $0) == nil }.map(\.key.identity.hash)
    }
}
