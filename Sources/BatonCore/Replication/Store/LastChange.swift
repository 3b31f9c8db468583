/// The last change by another device that this device has stored, and the device that sent the change.
///
/// Only the record's identity is kept, and none of its content. So if the record is deleted later, nothing of it is
/// remembered here.
package struct LastChange: Equatable, Sendable {
    /// The record that was changed.
    package var identity: RecordIdentity
    package var isDeletion: Bool
    /// The stamp of the write.
    ///
    /// The time in it is by the clock of the device that made the write.
    package var stamp: Stamp
    /// The time when the change was stored here, by this device's clock.
    package var taken: WallTime
    /// The device that sent the change, which is often its author.
    package var sender: DeviceIdentifier

    package init(
        identity: RecordIdentity, isDeletion: Bool, stamp: Stamp, taken: WallTime, sender: DeviceIdentifier
    ) {
        (self.identity, self.isDeletion, self.stamp) = (identity, isDeletion, stamp)
        (self.taken, self.sender) = (taken, sender)
    }

    /// The time when the change was made, by its author's clock.
    package var made: WallTime { WallTime(milliseconds: Int64(clamping: stamp.time.value >> 16)) }
}

extension LastChange {
    /// The note that stores the change.
    var note: LocalNote {
        var (name, value) = (CBORWriter(), CBORWriter())
        name.unsigned(UInt64(stamp.life.deviceTag))
        value.array(count: 7)
        value.unsigned(identity.kind.rawValue)
        value.identifier(identity.hash)
        value.boolean(isDeletion)
        value.unsigned(stamp.time.value)
        value.identifier(stamp.life)
        taken.encode(to: &value)
        value.identifier(sender)
        return LocalNote(space: Self.space(of: identity.kind.lane), name: name.bytes, value: value.bytes)
    }

    /// Reads the change from a note; nil if the note can't be read.
    init?(_ note: LocalNote) {
        guard let value = note.value else { return nil }
        do {
            self = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try reader.array(count: 7)
                let kind = RecordKind(rawValue: try reader.unsigned(upTo: RecordKind.largest))
                let identity = RecordIdentity(kind: kind, hash: try reader.identifier())
                let isDeletion = try reader.boolean()
                let time = HybridTime(value: try reader.unsigned(upTo: HybridTime.largest.value))
                return LastChange(
                    identity: identity, isDeletion: isDeletion,
                    stamp: Stamp(time: time, life: try reader.identifier()),
                    taken: try WallTime(from: &reader), sender: try reader.identifier())
            }
        } catch {
            return nil
        }
    }

    /// Returns the space of the notes about changes in a lane.
    static func space(of lane: Lane) -> NoteSpace {
        switch lane {
        case .activities: .activitiesChange
        case .index: .indexChange
        }
    }
}
