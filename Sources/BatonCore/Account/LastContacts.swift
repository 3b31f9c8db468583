/// Remembers when each device was last connected, to show it to a person who asks.
///
/// `LastContacts` is a part of `Account`. When a session opens, the version and the clock in the device's greeting are
/// stored. The time is stored when a session opens and when the last session with a device ends. So a connection
/// without traffic writes nothing.
package struct LastContacts: Sendable {
    private var contacts: [DeviceIdentifier: LastContact] = [:]
    /// The devices with which sessions are open.
    private var connected: Set<DeviceIdentifier> = []
    /// The devices whose greeting is not stored yet.
    private var greeted: Set<DeviceIdentifier> = []
    private var effects: [Effect] = []

    package enum Effect: Equatable, Sendable {
        /// Store a note; if that fails, pass the failure to `handleFailure(_:)`.
        case keep(LocalNote)
        /// Write a line about a fault into the log.
        case warn(String)
    }

    /// Reads the contacts from the stored notes.
    package init(_ notes: [LocalNote]) {
        for (device, contact) in notes.compactMap(LastContact.read) { contacts[device] = contact }
    }

    // MARK: Commands

    /// Handles the greeting of a device whose session is about to open.
    package mutating func handleHello(_ hello: Hello, of device: DeviceIdentifier, at time: WallTime) {
        contacts[device] = LastContact(hello, at: time)
        greeted.insert(device)
    }

    /// Called with the set of all devices with open sessions.
    ///
    /// Some sessions end because the device falls silent. For each such device, `lastSign` has the time of its last
    /// message.
    package mutating func recordConnected(
        _ connected: Set<DeviceIdentifier>, at time: WallTime, lastSign: [DeviceIdentifier: WallTime] = [:]
    ) {
        let changed = connected.symmetricDifference(self.connected).union(connected.intersection(greeted))
        self.connected = connected
        greeted.subtract(connected)
        for device in changed.sorted() {
            guard var contact = contacts[device] else { continue }
            contact.seen = connected.contains(device) ? time : lastSign[device] ?? time
            contacts[device] = contact
            effects.append(.keep(contact.note(for: device)))
        }
    }

    /// Called when a note could not be stored; the next contact with the same device stores a new note.
    package mutating func handleFailure(_ failure: StoreFailure) {
        effects.append(.warn("could not save the last contact with a device: \(failure)"))
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// The devices that have been connected at least once.
    package var devices: Set<DeviceIdentifier> { Set(contacts.keys) }

    /// Returns the last contact with a device, or nil if there was none.
    package subscript(device: DeviceIdentifier) -> LastContact? { contacts[device] }
}

/// The last contact with a device.
///
/// The contact is stored as a note, which other devices do not receive.
package struct LastContact: Equatable, Sendable {
    /// The time when the device was last connected.
    package var seen: WallTime
    /// The version of the program that the device ran.
    package var version: String
    /// The number of milliseconds by which the device's clock was ahead of the clock here; nil if the device did not
    /// send its time.
    package var clockLead: Int64?

    package init(seen: WallTime, version: String, clockLead: Int64?) {
        (self.seen, self.version, self.clockLead) = (seen, version, clockLead)
    }

    /// Creates the contact from the greeting of a device.
    ///
    /// `time` is the time of the clock here when the greeting was received.
    fileprivate init(_ hello: Hello, at time: WallTime) {
        self.init(
            seen: time, version: hello.build,
            clockLead: hello.clock.map { $0.milliseconds &- time.milliseconds })
    }

    /// Returns the note that stores this contact.
    package func note(for device: DeviceIdentifier) -> LocalNote {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1) { $0.integer(seen.milliseconds) }
            fields.field(2) { $0.text(version) }
            fields.field(3, clockLead) { $0.integer($1) }
        }
        return LocalNote(space: .lastContact, name: device.bytes, value: writer.bytes)
    }

    /// Returns the device and the contact of a note; nil if the note can't be read.
    ///
    /// An unreadable note only affects what a person is shown.
    fileprivate static func read(_ note: LocalNote) -> (device: DeviceIdentifier, contact: LastContact)? {
        guard let device = DeviceIdentifier(bytes: note.name), let value = note.value else { return nil }
        do {
            let contact = try CBORReader.whole(value[...]) { (reader) throws(CBORError) in
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
            return (device, contact)
        } catch {
            return nil
        }
    }
}
