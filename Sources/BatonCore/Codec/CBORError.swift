/// Why bytes are not the deterministic CBOR that was expected, and where.
package struct CBORError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Equatable, Sendable {
        /// The bytes end inside a value.
        case truncated
        /// Bytes follow where the value should have ended.
        case trailingBytes
        /// A length or number is not in its shortest form, or a length is indefinite.
        case notCanonical
        /// The same can be said in a shorter way, or in another that goes before.
        case redundant
        /// Keys of a map are not in ascending order, or one stands twice.
        case keysOutOfOrder
        /// A value of another type stands here.
        case unexpectedType
        /// Text is not UTF-8.
        case invalidText
        /// A number, length or count is beyond what this place allows.
        case outOfRange
        /// Values are nested deeper than the limit.
        case tooDeep
        /// A field that must be there is not.
        case missingField(UInt64)
    }

    package let reason: Reason
    /// The place of the first byte of the offending value.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

    package var description: String { "\(reason) at byte \(offset)" }
}
