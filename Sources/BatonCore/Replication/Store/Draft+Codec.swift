/// The encoding of a draft in a staged batch, which is on the disk until the batch ends.
///
/// No other device and no later version reads it.
extension Journal.Draft {
    private enum Number {
        static let full: UInt64 = 0
        static let deletion: UInt64 = 1
        static let update: UInt64 = 2
    }

    /// The encoding of the draft.
    ///
    /// The draft must be of a kind that an app's batch can contain.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        switch subject {
        case .action(.full(let content)):
            writer.array(count: 5)
            writer.unsigned(Number.full)
            encodeKey(to: &writer)
            content.scope.encode(to: &writer)
            content.fields.encode(to: &writer)
        case .action(.deletion):
            writer.array(count: 3)
            writer.unsigned(Number.deletion)
            encodeKey(to: &writer)
        case .late(.update(let name, let domain, let fields)):
            writer.array(count: 4)
            writer.unsigned(Number.update)
            writer.encoded(name.key.name)
            if let domain { writer.text(domain) } else { writer.null() }
            fields.encode(to: &writer)
        case .action, .counting, .ending, .late(.opening), .late(.activityOpening):
            preconditionFailure("no app's batch has such a draft")
        }
        return writer.bytes
    }

    private func encodeKey(to writer: inout CBORWriter) {
        writer.unsigned(key.kind.rawValue)
        writer.encoded(key.name)
    }

    /// Decodes a draft.
    package init(encoded bytes: [UInt8]) throws(CBORError) {
        self = try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in try Self(from: &reader) }
    }

    private init(from reader: inout CBORReader) throws(CBORError) {
        let count = try reader.arrayCount(upTo: 5)
        let number = try reader.unsigned()
        switch (number, count) {
        case (Number.full, 5):
            let key = try Self.key(from: &reader)
            let scope = try Scope(from: &reader)
            self.init(.full(Write.Content(scope: scope, fields: try Fields(from: &reader))), key)
        case (Number.deletion, 3): self.init(.deletion, try Self.key(from: &reader))
        case (Number.update, 4):
            let name = try ItemName(RecordKey(kind: .item, name: Array(try reader.encoded())))
            let domain = reader.nextIsNull ? nil : try reader.text()
            if domain == nil { try reader.null() }
            self.init(late: .update(name, domain: domain, try Fields(from: &reader)))
        default: throw CBORError(.outOfRange, at: 0)
        }
    }

    private static func key(from reader: inout CBORReader) throws(CBORError) -> RecordKey {
        let kind = RecordKind(rawValue: try reader.unsigned(upTo: RecordKind.largest))
        return RecordKey(kind: kind, name: Array(try reader.encoded()))
    }
}
