/// Names the description of a type of entities that an app indexes.
package struct EntityTypeName: RecordName {
    /// The bundle identifier of the app.
    package let app: String
    /// The name of the type in the app's code.
    package let type: String

    package static let kind = RecordKind.entityType
    package static let partCount = 2

    package init(app: String, type: String) { (self.app, self.type) = (app, type) }

    package func encode(to writer: inout CBORWriter) {
        writer.text(app)
        writer.text(type)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(app: try reader.text(), type: try reader.text())
    }
}
