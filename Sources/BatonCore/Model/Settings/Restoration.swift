/// When the current databases of a machine were restored, and when the backup was made.
///
/// The restored databases lack the writes that this device made after the backup. Other devices send these writes back.
/// A note in the restored database records the restoration until all devices have done so.
package struct Restoration: Equatable, Sendable {
    /// The time when the backup was made.
    package let made: WallTime
    /// The time when the backup was restored.
    package let restored: WallTime

    package init(of made: WallTime, at restored: WallTime) { (self.made, self.restored) = (made, restored) }

    /// The note that stores the restoration.
    package var note: LocalNote {
        var value = CBORWriter()
        value.array(count: 2)
        made.encode(to: &value)
        restored.encode(to: &value)
        return LocalNote(space: .restoration, name: [], value: value.bytes)
    }

    /// A note without a value, which removes the stored note.
    ///
    /// It is written when all devices have sent the writes back.
    package static let ended = LocalNote(space: .restoration, name: [], value: nil)

    /// Reads the restoration from the notes of the database; nil if there is no readable note.
    package init?(_ notes: [LocalNote]) {
        guard let value = notes.first(where: \.name.isEmpty)?.value else { return nil }
        do throws(CBORError) {
            self = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                return Restoration(of: try WallTime(from: &reader), at: try WallTime(from: &reader))
            }
        } catch {
            return nil
        }
    }
}
