/// Hides an activity on this device, or deletes it on all devices.
package struct ForgetActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.forgetActivity

    /// The beginning of the activity's identifier.
    package var identifier: String
    package var everywhere: Bool

    package init(_ identifier: String, everywhere: Bool) {
        (self.identifier, self.everywhere) = (identifier, everywhere)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(identifier, everywhere) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (identifier, everywhere) = try reader.pair()
    }
}

/// Makes an activity that is hidden on this device visible again.
package struct UnforgetActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.unforgetActivity

    /// The beginning of the activity's identifier.
    package var identifier: String

    package init(_ identifier: String) { self.identifier = identifier }

    package func encode(to writer: inout CBORWriter) { writer.value(identifier) }

    package init(from reader: inout CBORReader) throws(CBORError) { identifier = try reader.value() }
}
