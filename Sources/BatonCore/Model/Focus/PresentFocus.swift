/// Names the one record that says which focus is on.
package struct PresentFocusName: RecordName {
    package static let kind = RecordKind.presentFocus
    package static let partCount = 0

    package init() {}

    package func encode(to writer: inout CBORWriter) {}

    package init(from reader: inout CBORReader) throws(CBORError) {}
}

/// The focus that is on, on all devices of the account.
///
/// Each switch is a full write, so the latest switch counts, wherever it was made.
package struct PresentFocus: Equatable, Sendable {
    /// The name of the focus; nil if none is on.
    package var name: String?
    /// The time of the last switch.
    package var changed: WallTime
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    package init(_ name: String?, changed: WallTime) { (self.name, self.changed) = (name, changed) }

    private enum Number {
        static let name: UInt64 = 1
        static let changed: UInt64 = 2
    }

    /// The content of the record.
    package var content: Write.Content {
        Write.Content(
            fields: Fields { fields in
                fields.field(Number.name, name) { $0.text($1) }
                fields.field(Number.changed) { changed.encode(to: &$0) }
            }.completed(by: unknown))
    }

    /// Reads the record; nil if it does not exist or can't be read.
    package init?(_ record: Record) {
        guard record.identity.kind == .presentFocus, let fields = record.fields else { return nil }
        do throws(CBORError) { try self.init(fields) } catch { return nil }
    }

    private init(_ fields: Fields) throws(CBORError) {
        var name: String?, changed: WallTime?
        let unknown = try fields.read { (field, reader) throws(CBORError) in
            switch field {
            case .number(Number.name): name = try reader.text()
            case .number(Number.changed): changed = try WallTime(from: &reader)
            default: break
            }
        }
        self.init(name, changed: try changed.required(Number.changed))
        self.unknown = unknown
    }
}
