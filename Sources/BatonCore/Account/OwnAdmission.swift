/// The identity of this device, and how it was admitted to the account.
package struct OwnAdmission: Equatable, Sendable {
    package let device: DeviceIdentifier
    package let name: String
    /// This device's certificate as an admission; nil if the certificate can't be entered in the roster.
    package let statement: RosterStatement?
    /// The owner whose key this device has, if it has one.
    package let owner: OwnerIdentifier?

    package init(
        device: DeviceIdentifier, name: String, statement: RosterStatement?, owner: OwnerIdentifier?
    ) {
        self.device = device
        self.name = name
        self.statement = statement
        self.owner = owner
    }
}

extension Journal.Draft {
    /// Creates a full write of this device's record; the journal signs the record when it gives the write a dot.
    package init(_ device: Device) {
        self.init(.full(Write.Content(fields: device.fields)), Device.key(device.identifier))
    }

    /// Creates the write of a statement of the roster; a statement never changes.
    package init(_ statement: RosterStatement) { self.init(.full(RosterStatement.content), statement.key) }
}
