/// The ended activities that this device keeps for itself, because other devices may not have them.
///
/// They are eligible for search, so that this device finds them, or for prediction, so that this device suggests them.
///
/// Each activity is a note, and its use by the person is another note. So if an activity is opened and written at the
/// same time, the opening is not lost. The opening also does not restore an earlier state of the activity.
package struct KeptActivities: Equatable, Sendable {
    /// The activities by their names.
    private var kept: [SavedActivityName: Kept] = [:]

    private struct Kept: Equatable {
        let activity: Activity
        /// The person's openings of the activity on this device; nil if there are none.
        var use: Engagement?
        let byteCount: Int
    }

    /// The largest number of activities that are kept, and the largest number of their bytes (`bytesMost`).
    ///
    /// If a limit is exceeded, the activities that ended first are dropped.
    package static let most = 1000
    package static let bytesMost = 2 << 20
    /// The largest number of activities that are only suggested and not searched, such as visited folders.
    package static let suggestedMost = 300

    /// Decodes the notes; a note that can't be read is ignored.
    package init(_ notes: [LocalNote] = []) { restoreNotes(notes) }

    /// Creates a collection of activities that are not stored in notes.
    init(_ activities: [SavedActivityName: Activity]) {
        kept = activities.mapValues { Kept(activity: $0, byteCount: 0) }
    }

    // MARK: Queries

    /// The activities, including expired ones.
    package var activities: [SavedActivityName: Activity] { kept.mapValues(\.activity) }

    /// The time when the next activity expires; nil if none does.
    package var nearestExpiration: WallTime? { kept.values.compactMap(\.activity.expiration).min() }

    package subscript(name: SavedActivityName) -> Activity? { kept[name]?.activity }

    /// The activities that searches find.
    package var searched: KeptActivities {
        var searched = self
        searched.kept = kept.filter { $0.value.activity.eligibility.contains(.search) }
        return searched
    }

    /// The person's use of each activity that was opened at least once.
    package var uses: [SavedActivityName: Engagement] { kept.compactMapValues(\.use) }

    // MARK: Changes

    /// Returns the notes that keep an activity.
    ///
    /// They also remove expired activities, and the oldest activities beyond the limits.
    package func notes(
        keeping activity: Activity, as name: SavedActivityName, at now: WallTime
    ) -> [LocalNote] {
        let note = Self.note(name, activity)
        let added = note.value?.count ?? 0
        guard added <= Self.bytesMost else { return [] }
        var removed = expired(at: now).filter { $0 != name }
        let gone = Set(removed + [name])
        var others = kept.filter { !gone.contains($0.key) }.sorted {
            let (left, right) = ($0.value.activity.end.time, $1.value.activity.end.time)
            return left == right
                ? $0.key.identifier.utf8.lexicographicallyPrecedes($1.key.identifier.utf8) : left > right
        }
        if !activity.eligibility.contains(.search) {
            let suggested = others.filter { !$0.value.activity.eligibility.contains(.search) }.map(\.key)
            let dropped = Set(suggested.dropFirst(Self.suggestedMost - 1))
            others.removeAll { dropped.contains($0.key) }
            removed += suggested.filter(dropped.contains)
        }
        var bytes = others.reduce(added) { $0 + $1.value.byteCount }
        while others.count >= Self.most || bytes > Self.bytesMost, let last = others.popLast() {
            bytes -= last.value.byteCount
            removed.append(last.key)
        }
        return [note] + Self.notes(removing: removed)
    }

    /// Returns the notes that count an opening of an activity by the person; empty if the activity is not kept.
    ///
    /// The transaction that stores the new notes also reads the present ones from the store. Other devices learn
    /// neither of the opening nor of the activity.
    package func notes(
        opening name: SavedActivityName, by device: DeviceIdentifier, at now: WallTime
    ) -> [LocalNote] {
        guard let known = kept[name] else { return [] }
        let use = Engagement([(known.use ?? Engagement()).opened(by: device, at: now)])
        var writer = CBORWriter()
        use.fields.encode(to: &writer)
        return [LocalNote(space: .keptUse, name: name.key.name, value: writer.bytes)]
    }

    /// Returns the notes that remove expired activities.
    package func notesRemovingExpired(at now: WallTime) -> [LocalNote] {
        Self.notes(removing: expired(at: now))
    }

    /// Returns the names of the activities of an app.
    package func names(of app: String) -> [SavedActivityName] { kept.keys.filter { $0.app == app } }

    /// Returns the notes that remove activities; the activities need not be kept.
    package static func notes(removing names: [SavedActivityName]) -> [LocalNote] {
        names.flatMap { name in
            [NoteSpace.keptActivity, .keptUse].map {
                LocalNote(space: $0, name: name.key.name, value: nil)
            }
        }
    }

    /// Applies notes that were stored; a note about the use of an activity is ignored if the activity is not kept.
    package mutating func restoreNotes(_ notes: [LocalNote]) {
        for note in notes where note.space == .keptActivity {
            guard let name = Self.name(note) else { continue }
            let use = kept[name]?.use
            kept[name] = note.value.flatMap { value in
                Self.activity(value).map { Kept(activity: $0, use: use, byteCount: value.count) }
            }
        }
        for note in notes where note.space == .keptUse {
            guard let name = Self.name(note) else { continue }
            kept[name]?.use = note.value.flatMap(Self.use)
        }
    }

    private func expired(at now: WallTime) -> [SavedActivityName] {
        kept.filter { $0.value.activity.isExpired(at: now) }.map(\.key)
            .sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) }
    }

    // MARK: Notes

    private static func note(_ name: SavedActivityName, _ activity: Activity) -> LocalNote {
        var writer = CBORWriter()
        activity.fields.encode(to: &writer)
        return LocalNote(space: .keptActivity, name: name.key.name, value: writer.bytes)
    }

    private static func name(_ note: LocalNote) -> SavedActivityName? {
        do throws(CBORError) {
            return try SavedActivityName(RecordKey(kind: .savedActivity, name: note.name))
        } catch {
            return nil
        }
    }

    private static func activity(_ value: [UInt8]) -> Activity? {
        do throws(CBORError) {
            return try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try Activity(from: &reader)
            }
        } catch {
            return nil
        }
    }

    private static func use(_ value: [UInt8]) -> Engagement? {
        do throws(CBORError) {
            return try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try Engagement(try Fields(from: &reader))
            }
        } catch {
            return nil
        }
    }
}
