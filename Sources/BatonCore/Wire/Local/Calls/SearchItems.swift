/// Searches for items that contain all words of a text, best match first.
package struct SearchItems: ConnectionCall {
    package typealias Reply = SearchReply
    package static let number = LocalCallNumber.searchItems

    package var text: String
    /// The maximum number of items to return.
    package var most: Int

    package init(_ text: String, most: Int) { (self.text, self.most) = (text, most) }

    package func encode(to writer: inout CBORWriter) { writer.pair(text, Int64(most)) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let (text, most): (String, Int64) = try reader.pair()
        self.init(text, most: Int(most))
    }
}

/// The matching items.
package struct SearchReply: SimpleReply {
    package static let kind = LocalReplyKind.search

    package var items: [FoundItem]
    /// Whether all items were searched.
    package var isWhole: Bool
    /// The text that was searched for instead, because no item has what was typed.
    package var corrected: String?

    package init(_ items: [FoundItem], isWhole: Bool, corrected: String? = nil) {
        (self.items, self.isWhole, self.corrected) = (items, isWhole, corrected)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.boolean(isWhole) }
            fields.field(2) { $0.value(items) }
            fields.field(3, corrected) { $0.text($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var isWhole: Bool?, items: [FoundItem]?, corrected: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: isWhole = try reader.boolean()
            case 2: items = try reader.value()
            case 3: corrected = try reader.text()
            default: break
            }
        }
        self.init(
            try items.required(2, in: reader), isWhole: try isWhole.required(1, in: reader),
            corrected: corrected)
    }
}

extension FoundItem: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(app) }
            fields.field(2) { $0.text(index) }
            fields.field(3) { $0.text(identifier) }
            fields.field(4, domain) { $0.text($1) }
            fields.field(5, title) { $0.text($1) }
            fields.field(6, summary) { $0.text($1) }
            fields.field(7, url) { $0.text($1) }
            fields.field(8, indexed) { $0.integer($1.milliseconds) }
            fields.field(9, rank) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var app: String?, index: String?, identifier: String?, domain: String?
        var title: String?, summary: String?, url: String?, indexed: WallTime?, rank: ItemRank?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: app = try reader.text()
            case 2: index = try reader.text()
            case 3: identifier = try reader.text()
            case 4: domain = try reader.text()
            case 5: title = try reader.text()
            case 6: summary = try reader.text()
            case 7: url = try reader.text()
            case 8: indexed = WallTime(milliseconds: try reader.integer())
            case 9: rank = try ItemRank(from: &reader)
            default: break
            }
        }
        self.init(
            app: try app.required(1, in: reader), index: try index.required(2, in: reader),
            identifier: try identifier.required(3, in: reader), domain: domain, title: title,
            summary: summary, url: url, indexed: indexed, rank: rank)
    }
}

extension ItemRank {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 4)
        for part in [text, use, hint, freshness] { writer.real(part) }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 4)
        self.init(
            text: try reader.real(), use: try reader.real(), hint: try reader.real(),
            freshness: try reader.real())
    }
}
