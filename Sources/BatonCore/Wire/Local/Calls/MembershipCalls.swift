// What a person decides about this device and its account.

/// Makes this device an owner, by the words of the account's recovery code.
package struct PromoteDevice: AccountCall {
    package typealias Reply = Promotion
    package static let number = LocalCallNumber.promoteDevice

    package var code: String

    package init(code: String) { self.code = code }

    package func encode(to writer: inout CBORWriter) { writer.text(code) }

    package init(from reader: inout CBORReader) throws(CBORError) { code = try reader.text() }
}

/// Has this device leave the account, and deletes all that is kept of it here.
package struct LeaveAccount: AccountCall {
    package typealias Reply = Departure
    package static let number = LocalCallNumber.leaveAccount

    /// Whether the device leaves; otherwise the node only tells what leaving would mean.
    package var isConfirmed: Bool

    package init(isConfirmed: Bool) { self.isConfirmed = isConfirmed }

    package func encode(to writer: inout CBORWriter) { writer.boolean(isConfirmed) }

    package init(from reader: inout CBORReader) throws(CBORError) { isConfirmed = try reader.boolean() }
}
