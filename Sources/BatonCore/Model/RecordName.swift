/// The name of a record of one kind.
///
/// Two names are equal if the bytes of their keys are equal. Texts that look the same but have different bytes name
/// different records.
package protocol RecordName: Hashable, Sendable {
    static var kind: RecordKind { get }
    /// The number of parts in the name.
    static var partCount: Int { get }

    /// Writes the parts of the name, one after another.
    func encode(to writer: inout CBORWriter)
    /// Reads the parts of the name.
    init(from reader: inout CBORReader) throws(CBORError)
}

extension RecordName {
    /// The key of the record in the account.
    package var key: RecordKey { RecordKey(kind: Self.kind, parts: Self.partCount) { encode(to: &$0) } }

    /// Reads the name from the bytes of a key's name.
    package init(encoded name: [UInt8]) throws(CBORError) {
        self = try CBORReader.whole(name[...]) { (reader) throws(CBORError) in
            try reader.array(count: Self.partCount)
            return try Self(from: &reader)
        }
    }

    /// Reads the name from a key of this kind.
    package init(_ key: RecordKey) throws(CBORError) {
        self = try Self.parts(of: key) { (reader) throws(CBORError) in try Self(from: &reader) }
    }

    /// Reads the parts of a name from a key of this kind.
    ///
    /// The closure reads the parts; this function checks their number.
    static func parts<Parts>(
        of key: RecordKey, _ read: (inout CBORReader) throws(CBORError) -> Parts
    ) throws(CBORError) -> Parts {
        guard key.kind == kind else { throw CBORError(.outOfRange, at: 0) }
        return try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in
            try reader.array(count: partCount)
            return try read(&reader)
        }
    }

    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
