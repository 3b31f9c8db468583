/// A focus of the person: a named set of settings of apps, the same on all devices of the account.
///
/// The record of a focus is in the activities lane and in no scope, so that no app can clear it. The first write is
/// full, and later changes of filters are partial writes. A filter that was removed is a field with null.
package struct Focus: Equatable, Sendable {
    package let name: String
    /// The time when the person made the focus.
    package var created: WallTime
    /// The settings of apps, in the order of their fields.
    package var filters: [FocusFilter]
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    package init(_ name: String, created: WallTime, filters: [FocusFilter] = []) {
        (self.name, self.created) = (name, created)
        self.filters = filters.sorted { $0.field < $1.field }
    }

    /// The numbers of a focus's fields; filters have names instead.
    private enum Number {
        static let created: UInt64 = 1
    }

    // MARK: Records

    /// The fields of a record of this focus.
    package var fields: Fields {
        Fields { fields in
            fields.field(Number.created) { created.encode(to: &$0) }
            for filter in filters { fields.field(filter.field) { filter.encodeValues(to: &$0) } }
        }.completed(by: unknown)
    }

    /// The content of a record that makes the focus.
    package var content: Write.Content { Write.Content(fields: fields) }

    /// Returns the fields of a partial write that sets filters, or removes them; the filters are in the order of their
    /// fields.
    package static func change(_ filters: [FocusFilter], isRemoved: Bool) -> Fields {
        Fields { fields in
            for filter in filters {
                fields.field(filter.field) {
                    if isRemoved { $0.null() } else { filter.encodeValues(to: &$0) }
                }
            }
        }
    }

    /// Reads the focus from a record; nil if the record does not exist or can't be read.
    package init?(_ record: Record) {
        guard record.identity.kind == .focus, let key = record.key, let fields = record.fields else {
            return nil
        }
        do throws(CBORError) { try self.init(try FocusName(key).name, fields) } catch { return nil }
    }

    private init(_ name: String, _ fields: Fields) throws(CBORError) {
        var created: WallTime?, filters: [FocusFilter] = []
        unknown = try fields.read { (field, reader) throws(CBORError) in
            switch field {
            case .number(Number.created): created = try WallTime(from: &reader)
            case .custom:
                if let filter = try FocusFilter(field, &reader) { filters.append(filter) }
            default: break
            }
        }
        (self.name, self.created) = (name, try created.required(Number.created))
        self.filters = filters
    }

    // MARK: Queries

    /// Returns the settings of an app.
    package func filters(of app: String) -> [FocusFilter] {
        filters.filter { $0.app.utf8.elementsEqual(app.utf8) }
    }
}
