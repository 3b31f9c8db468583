extension ReceivedChanges {
    /// Returns the note that stores the number of changes of a lane that came from a device.
    ///
    /// The notes about last changes are in the same space, and have shorter names.
    func note(from device: DeviceIdentifier, in lane: Lane) -> LocalNote {
        var value = CBORWriter()
        value.array(count: 2)
        value.unsigned(count)
        latest.encode(to: &value)
        return LocalNote(space: LastChange.space(of: lane), name: device.bytes, value: value.bytes)
    }

    /// Reads the count from a note; nil if the note is about something else or can't be read.
    static func read(_ note: LocalNote) -> (device: DeviceIdentifier, lane: Lane, changes: ReceivedChanges)? {
        guard let device = DeviceIdentifier(bytes: note.name), let value = note.value,
            let lane = Lane.allCases.first(where: { LastChange.space(of: $0) == note.space })
        else { return nil }
        do {
            let changes = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                let count = try reader.unsigned(upTo: .max)
                return ReceivedChanges(count: count, latest: try WallTime(from: &reader))
            }
            return (device, lane, changes)
        } catch {
            return nil
        }
    }
}
