import BatonCore

/// The actions that apps of this device have donated.
///
/// They are suggested on this device only.
///
/// A change takes effect immediately, and is acknowledged once it is stored. If a change could not be stored, storing
/// it is tried again with the next change. The object belongs to the loop's thread.
final class Donations {
    private let account: AccountCore
    private var actions: DonatedActions
    /// The actions whose stored state may be out of date, because storing them failed.
    private var unkept: Set<SavedActivityName> = []

    init(of account: AccountCore, _ notes: [LocalNote]) {
        (self.account, actions) = (account, DonatedActions(notes))
    }

    // MARK: Queries

    /// All donated actions, including expired ones.
    var activities: [SavedActivityName: Activity] { actions.activities }

    /// Returns the last donation of an action; nil if there is no such action.
    func last(of name: SavedActivityName) -> Donation? { actions.last(of: name) }

    /// Returns the hashes by which suggestions identify an app's donated actions.
    func things(of app: String) -> Set<KeyHash> { Set(actions.names(of: app).map(\.key.identity.hash)) }

    // MARK: Changes

    /// The things that a change has removed.
    ///
    /// The caller must forget the uses of these things.
    typealias Gone = [KeyHash]

    /// Adds a donation, and returns the thing that was donated.
    ///
    /// Nothing is saved while the machine is private, or while the person wants no suggestions from the app. In this
    /// case, the thing is nil.
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

    /// Deletes the donations that an app selects.
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

    /// Stores changed actions, and returns the things of the actions that were removed.
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
