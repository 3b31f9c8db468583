/// The backup from which the current databases of a machine were restored, and when.
///
/// The databases lack the writes that this device made between the backup and the restoration; other devices send these
/// writes back. The restored database has a note of the restoration until all devices have done so.
package struct Restoration: Equatable, Sendable {
    /// When the backup was made.
    package let made: WallTime
    /// When the backup was restored.
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

    /// The removal of the note, once all devices have sent the writes back.
    package static let ended = LocalNote(space: .restoration, name: [], value: nil)

    /// Reads the note of the database; nil if there is none that can be read.
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
