/// An encrypted value, which only the holders of its key can read.
///
/// The writer encrypts the value once. After that, the value is merged, sent and counted as opaque bytes.
package struct SealedValue: Hashable, Sendable {
    /// The key that decrypts the value.
    package let key: SealKeyIdentifier
    /// The encrypted bytes.
    ///
    /// Only the holders of the key know their format.
    package let box: [UInt8]

    package init(key: SealKeyIdentifier, box: [UInt8]) { (self.key, self.box) = (key, box) }

    /// The CBOR tag that distinguishes sealed values from values of property lists.
    package static let tag: UInt64 = 0x6261_7401

    package func encode(to writer: inout CBORWriter) {
        writer.tag(Self.tag)
        writer.array(count: 2)
        writer.identifier(key)
        writer.data(box)
    }

    /// The encoding of the value.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }

    /// Reads a value with its tag.
    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        guard try reader.tag() == Self.tag else { throw CBORError(.unexpectedType, at: start) }
        try self.init(untagged: &reader)
    }

    /// Reads the data after the tag.
    fileprivate init(untagged reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(key: try reader.identifier(), box: try reader.data())
    }
}

/// Names a key that seals values.
package struct SealKeyIdentifier: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// The value of an attribute: a plain value, a sealed value, or the encoded value of an unknown attribute.
package enum AttributeValue: Equatable, Sendable {
    case plain(PropertyValue)
    case sealed(SealedValue)
    /// The encoded value of an attribute that a newer version added.
    case unknown([UInt8])

    func encode(to writer: inout CBORWriter) {
        switch self {
        case .plain(let value): value.encode(to: &writer)
        case .sealed(let value): value.encode(to: &writer)
        case .unknown(let bytes): writer.encoded(bytes)
        }
    }

    /// Reads the value of a known attribute.
    init(from reader: inout CBORReader) throws(CBORError) {
        if reader.nextType == .tag {
            var behindTag = reader
            if try behindTag.tag() == SealedValue.tag {
                reader = behindTag
                self = .sealed(try SealedValue(untagged: &reader))
                return
            }
        }
        self = .plain(try PropertyValue(from: &reader))
    }
}
