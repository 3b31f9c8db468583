/// The identity of this device, and how it was admitted to the account.
package struct OwnAdmission: Equatable, Sendable {
    package let device: DeviceIdentifier
    package let name: String
    /// The certificate of this device in the form of an admission; nil if the roster can't contain the certificate.
    package let statement: RosterStatement?
    /// The owner whose key is on this device; nil if there is no such key.
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
    /// Creates a full write of this device's record.
    ///
    /// The journal signs the record when it gives a dot to the write.
    package init(_ device: Device) {
        self.init(.full(Write.Content(fields: device.fields)), Device.key(device.identifier))
    }

    /// Creates the write of a statement of the roster.
    ///
    /// The content is constant, because a statement never changes.
    package init(_ statement: RosterStatement) { self.init(.full(RosterStatement.content), statement.key) }
}
