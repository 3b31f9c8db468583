/// Remembers the last contact with each device, for people who ask when it was connected.
///
/// It is a part of `Account`. A device's greeting, with its version and clock, is stored when its session opens. The
/// time is stored when a session opens and when the last session with a device ends, so that an idle connection writes
/// nothing.
package struct LastContacts: Sendable {
    private var contacts: [DeviceIdentifier: LastContact] = [:]
    /// The devices with which sessions are open.
    private var connected: Set<DeviceIdentifier> = []
    /// The devices whose greeting is not stored yet.
    private var greeted: Set<DeviceIdentifier> = []
    private var effects: [Effect] = []

    package enum Effect: Equatable, Sendable {
        /// Store a note; `handleFailure(_:)` takes a failure.
        case keep(LocalNote)
        /// Write a line into the log that reports a fault.
        case warn(String)
    }

    /// Begins with the stored notes.
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
    /// `lastSign` has the time of the last message of each device whose session ended because the device fell silent.
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

    /// Called when a note could not be stored; the next contact with that device stores a new one.
    package mutating func handleFailure(_ failure: StoreFailure) {
        effects.append(.warn("could not save the last contact with a device: \(failure)"))
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// The devices that were ever connected.
    package var devices: Set<DeviceIdentifier> { Set(contacts.keys) }

    /// Returns the last contact with a device, or nil if there was none.
    package subscript(device: DeviceIdentifier) -> LastContact? { contacts[device] }
}

/// The last contact with a device.
///
/// It is stored as a note, which is not replicated.
package struct LastContact: Equatable, Sendable {
    /// When the device was last connected.
    package var seen: WallTime
    /// The version of the program that it ran.
    package var version: String
    /// How many milliseconds its clock was ahead of the clock here; nil if it did not send its time.
    package var clockLead: Int64?

    package init(seen: WallTime, version: String, clockLead: Int64?) {
        (self.seen, self.version, self.clockLead) = (seen, version, clockLead)
    }

    /// Creates the contact from a device's greeting that was received at `time` by the clock here.
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

    /// Returns the device and the contact of a note; nil if the note can't be read, which affects only what people are
    /// shown.
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
