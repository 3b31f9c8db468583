/// The activities that are hidden on this device until their app instances begin other activities.
///
/// A hidden activity is identified by its record and by the time when it began. So the next activity of the same
/// instance is shown.
package struct Dismissals: Equatable, Sendable {
    private var started: [RecordIdentity: WallTime] = [:]

    /// The largest number of hidden activities; if there are more, the activities that began first are shown again.
    package static let most = 1024

    /// Decodes the notes; a note that can't be read hides nothing.
    package init(_ notes: [LocalNote] = []) {
        for note in notes {
            guard let identity = note.record, let time = note.value.flatMap(Self.time) else { continue }
            started[identity] = time
        }
    }

    /// Whether the activity with this record is hidden.
    package func hide(_ identity: RecordIdentity, _ activity: Activity) -> Bool {
        hide(identity, startedAt: activity.started)
    }

    /// Whether the activity that began at `time` is hidden.
    package func hide(_ identity: RecordIdentity, startedAt time: WallTime) -> Bool {
        started[identity] == time
    }

    /// Returns the notes that hide the activity when they are stored.
    ///
    /// They include removals of the oldest dismissals beyond `most`.
    package func notes(dismissing identity: RecordIdentity, _ activity: Activity) -> [LocalNote] {
        var after = self
        after.started[identity] = activity.started
        var notes = [Self.dismissalNote(about: identity, activity.started)]
        while after.started.count > Self.most,
            let oldest = after.started.filter({ $0.key != identity })
                .min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            after.started[oldest.key] = nil
            notes.append(Self.dismissalNote(about: oldest.key, nil))
        }
        return notes
    }

    /// Returns the notes that show the activity again when they are stored; empty if the activity is not hidden.
    package func notes(restoring identity: RecordIdentity) -> [LocalNote] {
        started[identity] == nil ? [] : [Self.dismissalNote(about: identity, nil)]
    }

    /// Applies notes that were stored.
    package mutating func restoreNotes(_ notes: [LocalNote]) {
        for note in notes {
            guard let identity = note.record else { continue }
            started[identity] = note.value.flatMap(Self.time)
        }
    }

    // MARK: Notes

    private static func dismissalNote(about identity: RecordIdentity, _ started: WallTime?) -> LocalNote {
        let value = started.map { time in
            var writer = CBORWriter()
            writer.integer(time.milliseconds)
            return writer.bytes
        }
        return LocalNote(space: .dismissal, about: identity, value: value)
    }

    private static func time(_ bytes: [UInt8]) -> WallTime? {
        do throws(CBORError) {
            return try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in
                WallTime(milliseconds: try reader.integer())
            }
        } catch {
            return nil
        }
    }
}
