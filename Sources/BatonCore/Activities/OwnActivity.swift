/// An activity of this device with everything that its node knows, including the parts that other devices may not see.
package struct OwnActivity: Equatable, Sendable {
    package var activity: Activity
    package var lifetime: ActivityLifetime
    /// Whether the app has stopped offering the activity; it may offer it again.
    package var isResigned = false

    package init(_ activity: Activity, lifetime: ActivityLifetime) {
        (self.activity, self.lifetime) = (activity, lifetime)
    }

    /// Whether other devices may see the activity, as far as its app decides.
    ///
    /// The person may still keep all activities on this device.
    package var isOffered: Bool { activity.eligibility.contains(.handoff) && !isResigned }
}

/// A note of this device about one of its activities, stored beside the record that other devices see.
package struct OwnActivityNote: Equatable, Sendable {
    package var lifetime = ActivityLifetime.untilFinished
    package var isResigned = false
    /// The activity; nil unless other devices may not see it, or may not see its present state yet.
    package var activity: Activity?

    package init() {}

    init(_ own: OwnActivity, withActivity: Bool) {
        (lifetime, isResigned) = (own.lifetime, own.isResigned)
        activity = withActivity ? own.activity : nil
    }

    /// Whether the note says nothing that the record does not say.
    var isEmpty: Bool { self == OwnActivityNote() }

    /// Returns the note to store; if this value is empty, the result removes the note.
    package func note(of name: ActivityName) -> LocalNote {
        LocalNote(space: .ownActivity, name: name.key.name, value: isEmpty ? nil : encoded)
    }

    private var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1, lifetime.process) { $1.encode(to: &$0) }
            fields.flag(2, lifetime == .connection)
            fields.flag(3, isResigned)
            fields.field(4, activity) { $1.fields.encode(to: &$0) }
        }
        return writer.bytes
    }

    /// Returns the content of a note and the name of its activity; nil if the note can't be read.
    package static func read(_ note: LocalNote) -> (ActivityName, OwnActivityNote)? {
        guard note.space == .ownActivity, let value = note.value else { return nil }
        do throws(CBORError) {
            let name = try ActivityName(RecordKey(kind: .currentActivity, name: note.name))
            return (
                name,
                try CBORReader.whole(value[...]) { (reader) throws(CBORError) in try Self(from: &reader) }
            )
        } catch {
            return nil
        }
    }

    private init(from reader: inout CBORReader) throws(CBORError) {
        var note = OwnActivityNote()
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: note.lifetime = .process(try ProcessName(from: &reader))
            case 2: if try reader.boolean() { note.lifetime = .connection }
            case 3: note.isResigned = try reader.boolean()
            case 4: note.activity = try Activity(from: &reader)
            default: break
            }
        }
        self = note
    }
}
