/// An error for bytes that are not the expected deterministic CBOR; it says what is wrong, and where.
package struct CBORError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    package enum Reason: Equatable, Sendable {
        /// The bytes end inside a value.
        case truncated
        /// Bytes follow the end of the value.
        case trailingBytes
        /// A length or a number is not in its shortest form, or a length is indefinite.
        case notCanonical
        /// The same content has another encoding that is shorter or preferred.
        case redundant
        /// The keys of a map are not in ascending order, or a key occurs twice.
        case keysOutOfOrder
        /// The value has another type than expected.
        case unexpectedType
        /// Text is not UTF-8.
        case invalidText
        /// A number, a length or a count exceeds the limit for this value.
        case outOfRange
        /// Values are nested deeper than the limit.
        case tooDeep
        /// A required field is missing.
        case missingField(UInt64)
    }

    package let reason: Reason
    /// The offset of the first byte of the offending value.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

    package var description: String { "\(reason) at byte \(offset)" }
}
