/// How this device came into the account.
package struct OwnAdmission: Equatable, Sendable {
    package let device: DeviceIdentifier
    package let name: String
    /// The admission that its certificate is; nil if the certificate can't be entered in the roster.
    package let statement: RosterStatement?
    /// The owner whose key it has, if it has one.
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
    /// The whole record of this device, which is signed when it is named.
    package init(_ device: Device) {
        self.init(.full(Write.Content(fields: device.fields)), Device.key(device.identifier))
    }

    /// A statement of the roster, which is never changed.
    package init(_ statement: RosterStatement) { self.init(.full(RosterStatement.content), statement.key) }
}
