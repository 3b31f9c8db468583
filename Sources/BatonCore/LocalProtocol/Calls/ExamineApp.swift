/// Reports which items an app has indexed, and which parts of its indexes the app should index again.
package struct ExamineApp: ConnectionCall, ReadingCall {
    package typealias Reply = AppItemsReply
    package static let number = LocalCallNumber.examineApp

    package var app: String
    /// The names of indexes that are reported even if this device has no items in them.
    package var indexes: [String]

    package init(_ app: String, indexes: [String] = []) { (self.app, self.indexes) = (app, indexes) }

    package func encode(to writer: inout CBORWriter) { writer.pair(app, indexes) }

    package init(from reader: inout CBORReader) throws(CBORError) { (app, indexes) = try reader.pair() }
}

/// The items and indexes of an app on the answering device.
package struct AppItemsReply: SimpleReply {
    package static let kind = LocalReplyKind.appItems

    /// The number of items in all indexes of the app, including expired items.
    package var itemCount: Int
    /// The number of items that have expired; no search shows these items, and they are deleted later.
    package var expiredCount: Int
    /// The indexes of the app, including the default index.
    package var indexes: [AppIndexStatus]

    package init(_ itemCount: Int, expired: Int = 0, in indexes: [AppIndexStatus]) {
        (self.itemCount, expiredCount, self.indexes) = (itemCount, expired, indexes)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.triple(UInt64(itemCount), UInt64(expiredCount), indexes)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let (count, expired, indexes): (UInt64, UInt64, [AppIndexStatus]) = try reader.triple()
        (itemCount, expiredCount, self.indexes) = (Int(clamping: count), Int(clamping: expired), indexes)
    }
}

/// An index of an app, and the part of it that the app should index again.
package struct AppIndexStatus: Equatable, Sendable, LocalValue {
    package var name: String
    /// The part of the index that the app should index again; nil if there is none.
    package var reindexing: ReindexRequest.Extent?
    /// Whether a connection of the app waits for requests to index again, or has been sent this request.
    package var isHeard: Bool
    /// Whether the index has items.
    package var hasItems: Bool

    package init(
        _ name: String, reindexing: ReindexRequest.Extent? = nil, isHeard: Bool = false,
        hasItems: Bool = false
    ) {
        (self.name, self.reindexing) = (name, reindexing)
        (self.isHeard, self.hasItems) = (isHeard, hasItems)
    }

    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(name) }
            fields.field(2, reindexing) { $1.encodeForApps(to: &$0) }
            fields.flag(3, isHeard)
            fields.flag(4, hasItems)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var (name, isHeard, hasItems): (String?, Bool, Bool) = (nil, false, false)
        var reindexing: ReindexRequest.Extent?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: name = try reader.text()
            case 2: reindexing = try ReindexRequest.Extent(fromApps: &reader)
            case 3: isHeard = try reader.boolean()
            case 4: hasItems = try reader.boolean()
            default: break
            }
        }
        self.init(
            try name.required(1, in: reader), reindexing: reindexing, isHeard: isHeard,
            hasItems: hasItems)
    }
}
