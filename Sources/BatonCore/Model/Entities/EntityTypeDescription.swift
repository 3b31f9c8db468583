/// The description of a type of entities that an app indexes: which attribute of the index has the values of each
/// property.
///
/// The app describes the type on a machine where it runs. With the description, every machine of the account finds
/// entities by their properties, whether the app ever ran there or not. Each change is a full write, so the latest
/// description counts. It has no time of its own, so the same description is never written twice.
package struct EntityTypeDescription: Equatable, Sendable {
    package let name: EntityTypeName
    /// The name of the type for people.
    package var title: String
    /// Other words for the type.
    package var synonyms: [String]
    /// The properties, in the order of the app's declaration.
    package var properties: [Property]
    /// The name of the app for people; nil if it has none.
    package var appTitle: String?

    package init(
        _ name: EntityTypeName, title: String, synonyms: [String] = [], properties: [Property] = [],
        appTitle: String? = nil
    ) {
        (self.name, self.title, self.synonyms) = (name, title, synonyms)
        (self.properties, self.appTitle) = (properties, appTitle)
    }

    /// A property of entities.
    package struct Property: Equatable, Sendable {
        /// The name in the app's code.
        package var name: String
        /// The kind of a value, as manifests name it, such as `text` or `date`.
        package var kind: String
        /// The attribute of the index that has the values, as queries name it; nil if the values are not indexed.
        package var attribute: String?

        package init(_ name: String, kind: String, attribute: String? = nil) {
            (self.name, self.kind, self.attribute) = (name, kind, attribute)
        }
    }

    /// Whether the description is within the limit for a description.
    package var isAllowed: Bool { fields.encodedCount <= Limits.entityTypeBytes }

    // MARK: Records

    /// The numbers of a description's fields.
    private enum Number {
        static let title: UInt64 = 1
        static let synonyms: UInt64 = 2
        static let properties: UInt64 = 3
        static let appTitle: UInt64 = 4
    }

    /// The fields of a record of this description.
    package var fields: Fields {
        Fields { fields in
            fields.field(Number.title) { $0.text(title) }
            if !synonyms.isEmpty {
                fields.field(Number.synonyms) { writer in
                    writer.array(count: synonyms.count)
                    for synonym in synonyms { writer.text(synonym) }
                }
            }
            fields.field(Number.properties) { writer in
                writer.array(count: properties.count)
                for property in properties { property.encode(to: &writer) }
            }
            fields.field(Number.appTitle, appTitle) { $0.text($1) }
        }
    }

    /// The content of the record.
    ///
    /// A clear of all descriptions of the app deletes the record, and a clear of an index does not.
    package var content: Write.Content {
        Write.Content(scope: .entityTypes(app: name.app), fields: fields)
    }

    /// Reads the description from a record; nil if the record does not exist or can't be read.
    package init?(_ record: Record) {
        guard record.identity.kind == .entityType, let key = record.key, let fields = record.fields else {
            return nil
        }
        do throws(CBORError) { try self.init(try EntityTypeName(key), fields) } catch { return nil }
    }

    /// Reads the description from its fields.
    package init(_ name: EntityTypeName, _ fields: Fields) throws(CBORError) {
        var title: String?, synonyms: [String]?, properties: [Property]?, appTitle: String?
        _ = try fields.read { (field, reader) throws(CBORError) in
            switch field {
            case .number(Number.title): title = try reader.text()
            case .number(Number.synonyms):
                synonyms = try reader.array(upTo: Limits.entityTypeBytes) { (reader) throws(CBORError) in
                    try reader.text()
                }
            case .number(Number.properties):
                properties = try reader.array(upTo: Limits.entityTypeBytes) { (reader) throws(CBORError) in
                    try Property(from: &reader)
                }
            case .number(Number.appTitle): appTitle = try reader.text()
            default: break
            }
        }
        self.init(
            name, title: try title.required(Number.title), synonyms: synonyms ?? [],
            properties: try properties.required(Number.properties), appTitle: appTitle)
    }
}

extension EntityTypeDescription.Property {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(name) }
            fields.field(2) { $0.text(kind) }
            fields.field(3, attribute) { $0.text($1) }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var name: String?, kind: String?, attribute: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: name = try reader.text()
            case 2: kind = try reader.text()
            case 3: attribute = try reader.text()
            default: break
            }
        }
        self.init(
            try name.required(1, in: reader), kind: try kind.required(2, in: reader), attribute: attribute)
    }
}
