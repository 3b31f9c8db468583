/// Finds the item that a link names; the reply has no result if this device does not have the item.
package struct FindItem: AccountCall, ReadingCall {
    package typealias Reply = SearchReply
    package static let number = LocalCallNumber.findItem

    package var item: ItemName

    package init(_ item: ItemName) { self.item = item }

    package func encode(to writer: inout CBORWriter) { writer.key(item) }

    package init(from reader: inout CBORReader) throws(CBORError) { item = try reader.key() }
}
