import BatonCore

/// The last contact with a device, remembered for people who ask when it was connected.
///
/// It is stored as a note, which is not replicated.
struct LastContact: Equatable, Sendable {
    /// The time when it was last connected.
    var seen: WallTime
    /// The version of the program that it ran.
    var version: String
    /// How many milliseconds its clock was ahead of this one's; nil if it did not send its time.
    var clockLead: Int64?

    init(seen: WallTime, version: String, clockLead: Int64?) {
        (self.seen, self.version, self.clockLead) = (seen, version, clockLead)
    }

    /// Makes the contact from a device's greeting, received at that time by the clock here.
    init(_ hello: Hello, at time: WallTime) {
        self.init(
            seen: time, version: hello.build,
            clockLead: hello.clock.map { $0.milliseconds &- time.milliseconds })
    }

    /// Returns the note that stores this contact.
    func note(for device: DeviceIdentifier) -> LocalNote {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1) { $0.integer(seen.milliseconds) }
            fields.field(2) { $0.text(version) }
            fields.field(3, clockLead) { $0.integer($1) }
        }
        return LocalNote(space: .acquaintance, name: device.bytes, value: writer.bytes)
    }

    /// Returns the device and the contact of a note; nil if it can't be read, which affects only what people are shown.
    static func read(_ note: LocalNote) -> (device: DeviceIdentifier, acquaintance: LastContact)? {
        guard let device = DeviceIdentifier(bytes: note.name), let value = note.value else { return nil }
        do {
            let acquaintance = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
                var seen: Int64?, version: String?, clockLead: Int64?
                try reader.fields { (number, reader) throws(CBORError) in
                    switch number {
                    case 1: seen = try reader.integer()
                    case 2: version = try reader.text()
                    case 3: clockLead = try reader.integer()
                    default: break
                    }
                }
                return LastContact(
                    seen: WallTime(milliseconds: try seen.required(1, in: reader)),
                    version: try version.required(2, in: reader), clockLead: clockLead)
            }
            return (device, acquaintance)
        } catch {
            return nil
        }
    }
}
