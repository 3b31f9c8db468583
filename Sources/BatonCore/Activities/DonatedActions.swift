/// The actions that apps of this device have donated, to be suggested on this device.
///
/// An action is an activity that may be continued, with the donations of it. It is kept under the name that an ended
/// activity with the same content has, so that the same action has one name however often it is donated. Each is a note
/// of this device, which is sent to no other. An action is kept until `finished-days` have passed since it was donated
/// last, or until all donations of it are deleted.
package struct DonatedActions: Equatable, Sendable {
    private var actions: [SavedActivityName: Action] = [:]

    fileprivate struct Action: Equatable {
        var activity: Activity
        /// The donations that are remembered, in the order in which they came; at least one.
        var donations: [Donation]
        /// The size of the note.
        var byteCount: Int
    }

    /// The most actions of all apps, and of one app (`ofAppMost`).
    ///
    /// An app with too many loses the action that was donated longest ago. If there are too many of all apps, the app
    /// with the most actions does.
    package static let most = 300
    package static let ofAppMost = 50
    /// The most bytes of one app's actions.
    package static let bytesOfAppMost = 256 << 10
    /// The most donations of an action that are remembered; the app can delete the action only by these donations.
    package static let donationsMost = 32

    /// Decodes the notes; skips those that can't be read.
    package init(_ notes: [LocalNote] = []) {
        for note in notes where note.space == .donation {
            guard let value = note.value else { continue }
            do throws(CBORError) {
                let name = try SavedActivityName(RecordKey(kind: .savedActivity, name: note.name))
                actions[name] = try Action(encoded: value)
            } catch {
                // A note of another version is ignored.
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

    /// Returns notes with the present states of these actions; the note of an action that no longer exists is removed.
    package func notes(of names: Set<SavedActivityName>) -> [LocalNote] {
        names.sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) }.map { name in
            LocalNote(space: .donation, name: name.key.name, value: actions[name]?.encoded)
        }
    }

    // MARK: Changes

    /// Adds a donation of an action; returns the name of the action, and the names of all actions that have changed.
    ///
    /// An earlier donation of the app with the same identifier is replaced.
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
        // An action that is hidden stays hidden when it is donated again, because its start time stays the same.
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
    /// An action is deleted with its last donation.
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

    /// Deletes an action with all its donations; returns false if there is none of that name.
    package mutating func remove(_ name: SavedActivityName) -> Bool {
        actions.removeValue(forKey: name) != nil
    }

    /// Deletes the expired actions; returns their names.
    package mutating func removeExpired(at now: WallTime) -> Set<SavedActivityName> {
        let expired = Set(actions.filter { $0.value.activity.isExpired(at: now) }.keys)
        for name in expired { actions[name] = nil }
        return expired
    }

    /// Deletes actions until the app's actions, and all actions together, are within the limits; returns the deleted
    /// names.
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

    /// Whether the last donation of one action is earlier than the last donation of another.
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
