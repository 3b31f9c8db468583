/// The actions that the apps of this device have donated, so that they can be suggested on this device.
///
/// An action is an activity that may be continued, together with its donations. The name of an action is the name that
/// an ended activity with the same content has. So the same action has one name, however often it is donated.
///
/// Each action is a note of this device, which other devices do not receive. An action is kept until `finished-days`
/// have passed since its last donation, or until all its donations are deleted.
package struct DonatedActions: Equatable, Sendable {
    private var actions: [SavedActivityName: Action] = [:]

    fileprivate struct Action: Equatable {
        var activity: Activity
        /// The donations that are remembered, oldest first; there is at least one.
        var donations: [Donation]
        /// The size of the action's note in bytes.
        var byteCount: Int
    }

    /// The largest number of actions of all apps together, and the largest number of actions of one app (`ofAppMost`).
    ///
    /// If one app has too many actions, it loses the action that was donated longest ago. If all apps together have too
    /// many, the app with the most actions loses one.
    package static let most = 300
    package static let ofAppMost = 50
    /// The largest size of all actions of one app, in bytes.
    package static let bytesOfAppMost = 256 << 10
    /// The largest number of donations that are remembered for one action.
    ///
    /// The app can delete the action only by these donations.
    package static let donationsMost = 32

    /// Decodes the notes; a note that can't be read is ignored.
    package init(_ notes: [LocalNote] = []) {
        for note in notes where note.space == .donation {
            guard let value = note.value else { continue }
            do throws(CBORError) {
                let name = try SavedActivityName(RecordKey(kind: .savedActivity, name: note.name))
                actions[name] = try Action(encoded: value)
            } catch {
                // The note may be of another version of the program.
            }
        }
    }

    // MARK: Queries

    /// The actions, including expired ones.
    package var activities: [SavedActivityName: Activity] { actions.mapValues(\.activity) }

    /// The names of an app's actions.
    package func names(of app: String) -> [SavedActivityName] {
        actions.keys.filter { $0.app.utf8.elementsEqual(app.utf8) }
    }

    /// The last donation of an action; nil if there is no such action.
    package func last(of name: SavedActivityName) -> Donation? { actions[name]?.donations.last }

    /// Returns notes with the present states of these actions.
    ///
    /// If an action no longer exists, its note is removed.
    package func notes(of names: Set<SavedActivityName>) -> [LocalNote] {
        names.sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) }.map { name in
            LocalNote(space: .donation, name: name.key.name, value: actions[name]?.encoded)
        }
    }

    // MARK: Changes

    /// Adds a donation of an action; returns the name of the action, and the names of all actions that have changed.
    ///
    /// The donation replaces an earlier donation of the app that has the same identifier.
    package mutating func add(
        _ donation: Donation, of activity: Activity, by app: String, keeping: Duration, at now: WallTime
    ) -> (name: SavedActivityName, changed: Set<SavedActivityName>) {
        var donation = donation
        // An action with a future time would be kept longer than all others.
        donation.time = min(donation.time, now)
        var action = activity
        (action.eligibility, action.persistentIdentifier) = (.prediction, nil)
        (action.requiredKeys, action.supportsStreams) = (nil, false)
        (action.continuation, action.sent, action.origin) = (nil, nil, nil)
        let name = action.savedName(by: app)
        // The start time of the action stays the same. So if the action is hidden, it stays hidden when it is donated
        // again.
        let began = actions[name]?.activity.started ?? donation.time
        var changed = remove(.identifiers([donation.identifier]), of: app).union(removeExpired(at: now))
        let donations = ((actions[name]?.donations ?? []) + [donation]).sorted { $0.time < $1.time }
        action.started = min(began, donation.time)
        let last = donations.last?.time ?? donation.time
        (action.changed, action.finished) = (last, last)
        let end = last.advanced(by: keeping)
        action.expiration = min(activity.expiration ?? end, end)
        var kept = Action(
            activity: action, donations: Array(donations.suffix(Self.donationsMost)), byteCount: 0)
        kept.byteCount = kept.encoded.count
        actions[name] = kept
        changed.insert(name)
        changed.formUnion(makeRoom(for: name))
        return (name, changed.union(removeExpired(at: now)))
    }

    /// Deletes donations of an app; returns the names of the actions that have changed.
    ///
    /// When the last donation of an action is deleted, the action is deleted, too.
    package mutating func remove(_ selection: Donation.Selection, of app: String) -> Set<SavedActivityName> {
        var changed: Set<SavedActivityName> = []
        let isMeant = selection.test
        for name in names(of: app) {
            guard var action = actions[name], action.donations.contains(where: isMeant) else { continue }
            action.donations.removeAll(where: isMeant)
            action.byteCount = action.encoded.count
            actions[name] = action.donations.isEmpty ? nil : action
            changed.insert(name)
        }
        return changed
    }

    /// Deletes an action and all its donations; returns false if there is no action with this name.
    package mutating func remove(_ name: SavedActivityName) -> Bool {
        actions.removeValue(forKey: name) != nil
    }

    /// Deletes the expired actions; returns their names.
    package mutating func removeExpired(at now: WallTime) -> Set<SavedActivityName> {
        let expired = Set(actions.filter { $0.value.activity.isExpired(at: now) }.keys)
        for name in expired { actions[name] = nil }
        return expired
    }

    /// Deletes old actions until this app and all apps together are within the limits; returns the names of the deleted
    /// actions.
    ///
    /// The action with the name `name` is never deleted.
    private mutating func makeRoom(for name: SavedActivityName) -> Set<SavedActivityName> {
        var removed: Set<SavedActivityName> = []
        while true {
            let own = names(of: name.app)
            let bytes = own.reduce(0) { $0 + (actions[$1]?.byteCount ?? 0) }
            var among = own
            if own.count <= Self.ofAppMost, bytes <= Self.bytesOfAppMost {
                guard actions.count > Self.most else { return removed }
                let apps = Dictionary(grouping: actions.keys, by: \.app)
                among = apps.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
            }
            let oldest = among.filter { $0 != name }.min { isBefore($0, $1) }
            guard let oldest else { return removed }
            actions[oldest] = nil
            removed.insert(oldest)
        }
    }

    /// Whether the last donation of `left` is earlier than the last donation of `right`.
    private func isBefore(_ left: SavedActivityName, _ right: SavedActivityName) -> Bool {
        let (first, second) = (last(of: left)?.time, last(of: right)?.time)
        guard let first, let second, first != second else {
            return left.key.name.lexicographicallyPrecedes(right.key.name)
        }
        return first < second
    }
}

extension DonatedActions.Action {
    /// The content of a note.
    fileprivate var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 2)
        activity.fields.encode(to: &writer)
        writer.array(count: donations.count)
        for donation in donations { donation.encode(to: &writer) }
        return writer.bytes
    }

    fileprivate init(encoded: [UInt8]) throws(CBORError) {
        (activity, donations) = try CBORReader.whole(encoded[...]) { (reader) throws(CBORError) in
            try reader.array(count: 2)
            let activity = try Activity(from: &reader)
            let start = reader.offset
            let donations = try reader.array(upTo: DonatedActions.donationsMost) {
                (reader) throws(CBORError) in try Donation(from: &reader)
            }
            guard !donations.isEmpty else { throw CBORError(.outOfRange, at: start) }
            return (activity, donations)
        }
        byteCount = encoded.count
    }
}
