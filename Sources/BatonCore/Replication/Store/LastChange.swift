/// The last change by another device that was stored here, and the device that sent it.
///
/// It names the record without its content, so that nothing of a record that is deleted later is remembered here.
package struct LastChange: Equatable, Sendable {
    /// The record that was changed.
    package var identity: RecordIdentity
    package var isDeletion: Bool
    /// The stamp of the write; its time is by the clock of the device that made it.
    package var stamp: Stamp
    /// When the change was stored here, by the clock of this device.
    package var taken: WallTime
    /// The device that sent the change, often its author.
    package var sender: DeviceIdentifier

    package init(
        identity: RecordIdentity, isDeletion: Bool, stamp: Stamp, taken: WallTime, sender: DeviceIdentifier
    ) {
        (self.identity, self.isDeletion, self.stamp) = (identity, isDeletion, stamp)
        (self.taken, self.sender) = (taken, sender)
    }

    /// When the change was made, by the clock of its author.
    package var made: WallTime { WallTime(milliseconds: Int64(clamping: stamp.time.value >> 16)) }
}

extension LastChange {
    /// The note in which the change is stored.
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

    /// Decodes a note; nil if it can't be read.
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

    /// Returns the space of a lane's notes.
    static func space(of lane: Lane) -> NoteSpace {
        switch lane {
        case .activities: .activitiesChange
        case .index: .indexChange
        }
    }
}
