import BatonCore

/// What is remembered of a device from when it was last connected: for people, who ask when that was.
///
/// This device alone keeps it, as a note.
struct LastContact: Equatable, Sendable {
    /// When it was connected last.
    var seen: WallTime
    /// The version of the program that it ran.
    var version: String
    /// How many milliseconds later its clock was than the one here, if it told its own.
    var clockLead: Int64?

    init(seen: WallTime, version: String, clockLead: Int64?) {
        (self.seen, self.version, self.clockLead) = (seen, version, clockLead)
    }

    /// What a device said of itself, at that time here.
    init(_ hello: Hello, at time: WallTime) {
        self.init(
            seen: time, version: hello.build,
            clockLead: hello.clock.map { $0.milliseconds &- time.milliseconds })
    }

    /// The note that keeps this.
    func note(for device: DeviceIdentifier) -> LocalNote {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1) { $0.integer(seen.milliseconds) }
            fields.field(2) { $0.text(version) }
            fields.field(3, clockLead) { $0.integer($1) }
        }
        return LocalNote(space: .acquaintance, name: device.bytes, value: writer.bytes)
    }

    /// The device of a note, and what it says of that; nothing if it can't be read, which nobody but a person would
    /// miss.
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
