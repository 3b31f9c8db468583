/// Names an app's searchable item.
package struct ItemName: RecordName {
    /// The bundle identifier of the app.
    package let app: String
    /// The app's index that contains the item.
    package let index: String
    /// The app's unique identifier for the item.
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
