/// Searches for items and ended activities that contain all words of a text, best match first.
package struct SearchItems: ConnectionCall, ReadingCall {
    package typealias Reply = SearchReply
    package static let number = LocalCallNumber.searchItems

    package var text: String
    /// The maximum number of results.
    package var most: Int
    /// The filter that limits which things are found.
    package var filter: SearchFilter
    /// Whether the node cancels earlier searches of the connection, because nobody waits for their results any longer.
    package var replacesEarlier: Bool

    package init(
        _ text: String, most: Int, filter: SearchFilter = SearchFilter(), replacesEarlier: Bool = false
    ) {
        (self.text, self.most, self.filter) = (text, most, filter)
        self.replacesEarlier = replacesEarlier
    }

    /// The same search to retry, which does not cancel searches that were made after the first attempt.
    package var again: SearchItems? { SearchItems(text, most: most, filter: filter) }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(text) }
            fields.field(2) { $0.integer(Int64(most)) }
            fields.field(3, filter.app) { $0.text($1) }
            fields.field(4, filter.kind) { $0.text($1.text) }
            fields.field(5, filter.since) { $1.encode(to: &$0) }
            fields.flag(6, replacesEarlier)
            fields.field(7, filter.protections) { $1.encode(to: &$0) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var text: String?, most: Int64?, filter = SearchFilter(), replacesEarlier = false
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: text = try reader.text()
            case 2: most = try reader.integer()
            case 3: filter.app = try reader.text()
            case 4: filter.kind = SearchFilter.Kind(try reader.text())
            case 5: filter.since = try WallTime(from: &reader)
            case 6: replacesEarlier = try reader.boolean()
            case 7: filter.protections = try Set(from: &reader)
            default: break
            }
        }
        self.init(
            try text.required(1, in: reader), most: Int(try most.required(2, in: reader)), filter: filter,
            replacesEarlier: replacesEarlier)
    }
}

extension SearchItems: LocalValue {}

/// The things that a search found, best first.
package struct SearchReply: SimpleReply {
    package static let kind = LocalReplyKind.search

    package var results: [SearchResult]
    /// Whether all items were searched.
    package var isWhole: Bool
    /// The corrected text that was searched for instead of the typed text, which nothing matches; nil if nothing was
    /// corrected.
    package var corrected: String?
    /// Whether protected items were not searched because they are locked.
    package var isLocked = false

    package init(_ results: [SearchResult], isWhole: Bool, corrected: String? = nil) {
        (self.results, self.isWhole, self.corrected) = (results, isWhole, corrected)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.boolean(isWhole) }
            fields.field(2) { $0.value(results) }
            fields.field(3, corrected) { $0.text($1) }
            if isLocked { fields.field(4) { $0.boolean(true) } }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var isWhole: Bool?, results: [SearchResult]?, corrected: String?, isLocked = false
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: isWhole = try reader.boolean()
            case 2: results = try reader.value()
            case 3: corrected = try reader.text()
            case 4: isLocked = try reader.boolean()
            default: break
            }
        }
        self.init(
            try results.required(2, in: reader), isWhole: try isWhole.required(1, in: reader),
            corrected: corrected)
        self.isLocked = isLocked
    }
}

/// One thing in the answer to a search.
package struct SearchResult: Equatable, Sendable {
    package var thing: FoundThing
    /// The rank of the thing among the results; nil if the results are not ranked.
    package var rank: ItemRank?
    /// The devices on which the activity was current or the item was indexed, sorted by their identifiers.
    package var devices: [DeviceReference]
    /// The part of the thing's texts that contains the words.
    ///
    /// It is nil if the title contains all words, or if no part was extracted.
    package var snippet: Snippet?
    /// The requested attributes of the item or the activity; nil if none were requested.
    package var attributes: Fields?

    package init(
        _ thing: FoundThing, rank: ItemRank? = nil, devices: [DeviceReference] = [], snippet: Snippet? = nil,
        attributes: Fields? = nil
    ) {
        self.thing = thing
        self.rank = rank
        self.devices = devices
        self.snippet = snippet
        self.attributes = attributes
    }
}

extension SearchResult: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, thing.item) { $1.encode(to: &$0) }
            fields.field(2, thing.activity) { $1.encode(to: &$0) }
            fields.field(3, rank) { $1.encode(to: &$0) }
            fields.field(4) { $0.value(devices) }
            fields.field(5, snippet) { $0.value($1) }
            fields.field(6, attributes) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var item: FoundItem?, activity: FoundActivity?, rank: ItemRank?, devices: [DeviceReference]?
        var (snippet, attributes): (Snippet?, Fields?) = (nil, nil)
        let start = reader.offset
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: item = try FoundItem(from: &reader)
            case 2: activity = try FoundActivity(from: &reader)
            case 3: rank = try ItemRank(from: &reader)
            case 4: devices = try reader.value()
            case 5: snippet = try reader.value()
            case 6: attributes = try Fields(from: &reader)
            default: break
            }
        }
        guard let thing = FoundThing(item, activity) else { throw CBORError(.missingField(1), at: start) }
        self.init(
            thing, rank: rank, devices: try devices.required(4, in: reader), snippet: snippet,
            attributes: attributes)
    }
}

extension Snippet: LocalValue {
    /// Writes the text, and the first and last byte offset of each range.
    func encode(to writer: inout CBORWriter) {
        writer.pair(text, ranges.flatMap { [UInt64($0.lowerBound), UInt64($0.upperBound)] })
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let (text, bounds): (String, [UInt64]) = try reader.pair()
        let isOrdered = zip(bounds, bounds.dropFirst()).allSatisfy { $0 <= $1 }
        guard bounds.count % 2 == 0, isOrdered, bounds.last ?? 0 <= UInt64(text.utf8.count) else {
            throw CBORError(.outOfRange, at: start)
        }
        self.init(
            text,
            stride(from: 0, to: bounds.count, by: 2).map { Int(bounds[$0])..<Int(bounds[$0 + 1]) })
    }
}

extension FoundActivity: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(identifier) }
            fields.field(2) { $0.text(app) }
            fields.field(3) { $0.text(type) }
            fields.field(4, title) { $0.text($1) }
            fields.field(5, summary) { $0.text($1) }
            fields.field(6, url) { $0.text($1) }
            fields.field(7) { $0.integer(ended.milliseconds) }
            fields.flag(8, isHere)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var identifier: String?, app: String?, type: String?, ended: WallTime?
        var title: String?, summary: String?, url: String?, isHere = false
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: identifier = try reader.text()
            case 2: app = try reader.text()
            case 3: type = try reader.text()
            case 4: title = try reader.text()
            case 5: summary = try reader.text()
            case 6: url = try reader.text()
            case 7: ended = WallTime(milliseconds: try reader.integer())
            case 8: isHere = try reader.boolean()
            default: break
            }
        }
        self.init(
            identifier: try identifier.required(1, in: reader), app: try app.required(2, in: reader),
            type: try type.required(3, in: reader), title: title, summary: summary, url: url,
            ended: try ended.required(7, in: reader), isHere: isHere)
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
            fields.field(9, expires) { $0.integer($1.milliseconds) }
            fields.field(10, entity) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var app: String?, index: String?, identifier: String?, domain: String?
        var title: String?, summary: String?, url: String?, indexed: WallTime?, expires: WallTime?
        var entity: Activity.Entity?
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
            case 9: expires = WallTime(milliseconds: try reader.integer())
            case 10: entity = try Activity.Entity(from: &reader)
            default: break
            }
        }
        self.init(
            app: try app.required(1, in: reader), index: try index.required(2, in: reader),
            identifier: try identifier.required(3, in: reader), domain: domain, title: title,
            summary: summary, url: url, indexed: indexed, expires: expires, entity: entity)
    }
}

extension ItemRank {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 5)
        for part in [text, use, hint, freshness, meaning] { writer.real(part) }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 5)
        self.init(
            text: try reader.real(), use: try reader.real(), hint: try reader.real(),
            freshness: try reader.real(), meaning: try reader.real())
    }
}
