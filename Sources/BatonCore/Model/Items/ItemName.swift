/// Names a searchable thing of an app.
package struct ItemName: RecordName {
    /// The app, by its bundle identifier.
    package let app: String
    /// The index of the app that the item is in.
    package let index: String
    /// What the app calls the item: its unique identifier.
    package let identifier: String

    package static let kind = RecordKind.item
    package static let partCount = 3

    package init(app: String, index: String, identifier: String) {
        (self.app, self.index, self.identifier) = (app, index, identifier)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.text(app)
        writer.text(index)
        writer.text(identifier)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(app: try reader.text(), index: try reader.text(), identifier: try reader.text())
    }
}
