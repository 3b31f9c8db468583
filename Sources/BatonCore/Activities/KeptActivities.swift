/// Activities that ended, and that this device keeps for itself, because other devices may not have them.
///
/// They are eligible for search, so that they are found here. Each is a note.
package struct KeptActivities: Equatable, Sendable {
    /// The activities by their names, with the bytes that they take.
    private var kept: [SavedActivityName: Kept] = [:]

    private struct Kept: Equatable {
        let activity: Activity
        /// How often the person opened it here; nil if never.
        let use: Engagement?
        let byteCount: Int
    }

    /// The largest number that is kept, and how many bytes they may take; beyond it, those that ended first are dropped.
    package static let most = 1000
    package static let bytesMost = 2 << 20

    /// Decodes the notes; skips those that can't be read.
    package init(_ notes: [LocalNote] = []) { take(notes) }

    // MARK: Queries

    /// The activities, also those that have expired.
    package var activities: [SavedActivityName: Activity] { kept.mapValues(\.activity) }

    /// The time when the next activity expires; nil if none does.
    package var nearestExpiration: WallTime? { kept.values.compactMap(\.activity.expiration).min() }

    package subscript(name: SavedActivityName) -> Activity? { kept[name]?.activity }

    /// How the person used the activities that were opened.
    package var uses: [SavedActivityName: Engagement] { kept.compactMapValues(\.use) }

    // MARK: Changes

    /// Returns the notes by which an activity is kept, and by which those are removed that have expired or leave too
    /// little room.
    package func notes(
        keeping activity: Activity, as name: SavedActivityName, at now: WallTime
    ) -> [LocalNote] {
        let note = Self.note(name, activity, kept[name]?.use)
        let added = note.value?.count ?? 0
        guard added <= Self.bytesMost else { return [] }
        var removed = expired(at: now).filter { $0 != name }
        let gone = Set(removed + [name])
        var others = kept.filter { !gone.contains($0.key) }.sorted {
            let (left, right) = ($0.value.activity.end.time, $1.value.activity.end.time)
            return left == right
                ? $0.key.identifier.utf8.lexicographicallyPrecedes($1.key.identifier.utf8) : left > right
        }
        var bytes = others.reduce(added) { $0 + $1.value.byteCount }
        while others.count >= Self.most || bytes > Self.bytesMost, let last = others.popLast() {
            bytes -= last.value.byteCount
            removed.append(last.key)
        }
        return [note] + removed.map { Self.note($0, nil) }
    }

    /// Returns the notes that count that the person opened an activity; none if it is not kept.
    ///
    /// Other devices do not learn of it, as they do not learn of the activity.
    package func notes(
        opening name: SavedActivityName, by device: DeviceIdentifier, at now: WallTime
    ) -> [LocalNote] {
        guard let known = kept[name] else { return [] }
        let use = Engagement([(known.use ?? Engagement()).opened(by: device, at: now)])
        return [Self.note(name, known.activity, use)]
    }

    /// Returns the notes that remove what has expired.
    package func notesRemovingExpired(at now: WallTime) -> [LocalNote] {
        expired(at: now).map { Self.note($0, nil) }
    }

    /// Returns the names of the activities of an app.
    package func names(of app: String) -> [SavedActivityName] { kept.keys.filter { $0.app == app } }

    /// Returns the note that removes an activity, whether or not it is kept.
    package static func note(removing name: SavedActivityName) -> LocalNote { note(name, nil) }

    /// Takes notes that were stored.
    package mutating func take(_ notes: [LocalNote]) {
        for note in notes where note.space == .keptActivity {
            guard let name = Self.name(note) else { continue }
            kept[name] = note.value.flatMap { value in
                Self.activity(value).map { Kept(activity: $0, use: $1, byteCount: value.count) }
            }
        }
    }

    private func expired(at now: WallTime) -> [SavedActivityName] {
        kept.filter { $0.value.activity.isExpired(at: now) }.map(\.key)
            .sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) }
    }

    // MARK: Notes

    /// Makes a note: the activity's fields, and those of its use if it was opened.
    private static func note(
        _ name: SavedActivityName, _ activity: Activity?, _ use: Engagement? = nil
    ) -> LocalNote {
        let value = activity.map { activity in
            var writer = CBORWriter()
            activity.fields.encode(to: &writer)
            use?.fields.encode(to: &writer)
            return writer.bytes
        }
        return LocalNote(space: .keptActivity, name: name.key.name, value: value)
    }

    private static func name(_ note: LocalNote) -> SavedActivityName? {
        do throws(CBORError) {
            return try SavedActivityName(RecordKey(kind: .savedActivity, name: note.name))
        } catch {
            return nil
        }
    }

    private static func activity(_ value: [UInt8]) -> (Activity, Engagement?)? {
        do throws(CBORError) {
            return try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                let activity = try Activity(from: &reader)
                return (activity, reader.nextType == nil ? nil : try Engagement(try Fields(from: &reader)))
            }
        } catch {
            return nil
        }
    }
}
