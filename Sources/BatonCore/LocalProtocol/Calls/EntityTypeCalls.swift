// The calls by which apps describe their types of entities to the account, and by which commands learn of these types.

/// Returns the types of entities that apps of the account have described.
package struct ListEntityTypes: AccountCall, BareCall, ReadingCall {
    package typealias Reply = EntityTypesReply
    package static let number = LocalCallNumber.listEntityTypes

    package init() {}
}

/// Describes types of entities of an app to the account.
///
/// Other types of the app stay as they are. A type that is described already in the same way is not written.
package struct DescribeEntityTypes: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.describeEntityTypes
    package static var tooLarge: LocalFailure { .entityTypesTooLarge }

    package var types: [EntityTypeDescription]

    package init(_ types: [EntityTypeDescription]) { self.types = types }

    package func encode(to writer: inout CBORWriter) { writer.value(types) }

    package init(from reader: inout CBORReader) throws(CBORError) { types = try reader.value() }
}

/// Deletes the descriptions of all types of entities of an app, for example of one that was removed.
package struct ForgetEntityTypes: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.forgetEntityTypes

    /// The app, by its bundle identifier.
    package var app: String

    package init(of app: String) { self.app = app }

    package func encode(to writer: inout CBORWriter) { writer.text(app) }

    package init(from reader: inout CBORReader) throws(CBORError) { app = try reader.text() }
}

/// The types of entities that apps of the account have described.
package struct EntityTypesReply: SimpleReply {
    package static let kind = LocalReplyKind.entityTypes

    package var types: [EntityTypeDescription]

    package init(_ types: [EntityTypeDescription]) { self.types = types }

    package func encode(to writer: inout CBORWriter) { writer.value(types) }

    package init(from reader: inout CBORReader) throws(CBORError) { types = try reader.value() }
}

extension EntityTypeDescription: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(name.app)
        writer.text(name.type)
        fields.encode(to: &writer)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        let name = EntityTypeName(app: try reader.text(), type: try reader.text())
        try self.init(name, try Fields(from: &reader))
    }
}
