// The calls that change the role of this device in its account.

/// Makes this device an owner, with the recovery code of the account.
package struct PromoteDevice: AccountCall {
    package typealias Reply = Promotion
    package static let number = LocalCallNumber.promoteDevice

    package var code: String

    package init(code: String) { self.code = code }

    package func encode(to writer: inout CBORWriter) { writer.value(code) }

    package init(from reader: inout CBORReader) throws(CBORError) { code = try reader.value() }
}

/// Removes this device from the account, and deletes the data of the account on this machine.
package struct LeaveAccount: AccountCall {
    package typealias Reply = Departure
    package static let number = LocalCallNumber.leaveAccount

    /// Whether to leave the account; otherwise, the node only reports the consequences of leaving.
    package var isConfirmed: Bool

    package init(isConfirmed: Bool) { self.isConfirmed = isConfirmed }

    package func encode(to writer: inout CBORWriter) { writer.value(isConfirmed) }

    package init(from reader: inout CBORReader) throws(CBORError) { isConfirmed = try reader.value() }
}
