/// What is to be shown on this device no more, until the app instance begins another activity.
///
/// Each is named by its record and by when the activity began, so that the next one of the instance is shown.
package struct Dismissals: Equatable, Sendable {
    private var started: [RecordIdentity: WallTime] = [:]

    /// How many are remembered; of more, those that began first are shown again.
    package static let most = 1024

    /// What notes keep; what can't be read dismisses nothing.
    package init(_ notes: [LocalNote] = []) {
        for note in notes {
            guard let identity = Self.identity(note.name), let time = note.value.flatMap(Self.time) else {
                continue
            }
            started[identity] = time
        }
    }

    /// Whether that activity is to be shown no more.
    package func hide(_ identity: RecordIdentity, _ activity: Activity) -> Bool {
        hide(identity, startedAt: activity.started)
    }

    /// The same of the activity that began then.
    package func hide(_ identity: RecordIdentity, startedAt time: WallTime) -> Bool {
        started[identity] == time
    }

    /// What is to be noted, and what is to be forgotten to make room for it, if that activity is to be shown no more.
    package func notes(dismissing identity: RecordIdentity, _ activity: Activity) -> [LocalNote] {
        var after = self
        after.started[identity] = activity.started
        var notes = [Self.note(identity, activity.started)]
        while after.started.count > Self.most,
            let oldest = after.started.filter({ $0.key != identity })
                .min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            after.started[oldest.key] = nil
            notes.append(Self.note(oldest.key, nil))
        }
        return notes
    }

    /// Returns what to store so that the activity is shown again; nothing if it was not dismissed.
    package func notes(restoring identity: RecordIdentity) -> [LocalNote] {
        started[identity] == nil ? [] : [Self.note(identity, nil)]
    }

    /// Those notes were kept.
    package mutating func take(_ notes: [LocalNote]) {
        for note in notes {
            guard let identity = Self.identity(note.name) else { continue }
            started[identity] = note.value.flatMap(Self.time)
        }
    }

    // MARK: Notes

    private static func note(_ identity: RecordIdentity, _ started: WallTime?) -> LocalNote {
        var name = CBORWriter()
        name.array(count: 2)
        name.unsigned(identity.kind.rawValue)
        name.identifier(identity.hash)
        let value = started.map { time in
            var writer = CBORWriter()
            writer.integer(time.milliseconds)
            return writer.bytes
        }
        return LocalNote(space: .dismissal, name: name.bytes, value: value)
    }

    private static func identity(_ bytes: [UInt8]) -> RecordIdentity? {
        do throws(CBORError) {
            return try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                return RecordIdentity(
                    kind: RecordKind(rawValue: try reader.unsigned()), hash: try reader.identifier())
            }
        } catch {
            return nil
        }
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
