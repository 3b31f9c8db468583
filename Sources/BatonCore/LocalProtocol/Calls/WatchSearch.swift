/// Watches a search; the node answers when its results differ from the results with the number `after`.
///
/// The first call has no number, and is answered immediately. The node repeats the search at most a few times a second,
/// even if items change faster.
package struct WatchSearch: ConnectionCall {
    package typealias Reply = SearchChanges
    package static let number = LocalCallNumber.watchSearch

    package var search: SearchItems
    /// The number of the results that the caller has; nil if it has none.
    package var after: UInt64?

    package init(_ search: SearchItems, after: UInt64?) { (self.search, self.after) = (search, after) }

    package func encode(to writer: inout CBORWriter) { writer.pair(search, after) }

    package init(from reader: inout CBORReader) throws(CBORError) { (search, after) = try reader.pair() }
}

/// The present results of a watched search.
package struct SearchChanges: SimpleReply {
    package static let kind = LocalReplyKind.searchChanges

    /// The number of these results, which the caller passes in its next call.
    package var number: UInt64
    /// The results, best first.
    package var entries: [Entry]
    /// Whether all items were searched.
    package var isWhole: Bool
    /// The corrected text that was searched for instead of the typed text, which nothing matches; nil if nothing was
    /// corrected.
    package var corrected: String?
    /// Whether protected items were not searched because they are locked.
    package var isLocked = false

    /// One of the present results.
    package enum Entry: Equatable, Sendable {
        /// The result has not changed; the number is its place among the results that the caller has.
        case same(UInt64)
        /// The result is new or has changed.
        case other(SearchResult)
    }

    package init(number: UInt64, _ entries: [Entry], isWhole: Bool, corrected: String? = nil) {
        self.number = number
        self.entries = entries
        self.isWhole = isWhole
        self.corrected = corrected
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(number) }
            fields.field(2) { $0.value(entries) }
            fields.field(3) { $0.boolean(isWhole) }
            fields.field(4, corrected) { $0.text($1) }
            if isLocked { fields.field(5) { $0.boolean(true) } }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var number: UInt64?, entries: [Entry]?, isWhole: Bool?, corrected: String?
        var isLocked = false
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: number = try reader.unsigned()
            case 2: entries = try reader.value()
            case 3: isWhole = try reader.boolean()
            case 4: corrected = try reader.text()
            case 5: isLocked = try reader.boolean()
            default: break
            }
        }
        self.init(
            number: try number.required(1, in: reader), try entries.required(2, in: reader),
            isWhole: try isWhole.required(3, in: reader), corrected: corrected)
        self.isLocked = isLocked
    }
}

extension SearchChanges.Entry: LocalValue {
    /// Writes an array of two values: the place or null, and the result or null.
    func encode(to writer: inout CBORWriter) {
        switch self {
        case .same(let place): writer.pair(UInt64?(place), SearchResult?.none)
        case .other(let result): writer.pair(UInt64?.none, SearchResult?(result))
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        switch try reader.pair() as (UInt64?, SearchResult?) {
        case (let place?, nil): self = .same(place)
        case (nil, let result?): self = .other(result)
        default: throw CBORError(.outOfRange, at: start)
        }
    }
}

/// The results that were last sent to a watcher of a search.
///
/// Only a hash of each result is kept. So a large number of watchers needs little memory.
package struct ToldResults: Sendable {
    private var hashes: [Int] = []
    /// A hash of the other parts of the last reply; nil before the first reply.
    private var rest: Int?

    package init() {}

    /// Compares the present results with the results that were last sent; returns the changes, or nil if there are
    /// none.
    ///
    /// If ranks changed but the order of the results did not, this is not a change.
    package mutating func receiveReply(_ reply: SearchReply, number: UInt64) -> SearchChanges? {
        let now = reply.results.map(\.contentHash)
        var hasher = Hasher()
        hasher.combine(reply.isWhole)
        hasher.combine(reply.corrected)
        hasher.combine(reply.isLocked)
        let rest = hasher.finalize()
        guard now != hashes || rest != self.rest else { return nil }
        let places = Dictionary(hashes.enumerated().map { ($1, UInt64($0)) }) { first, _ in first }
        let entries = zip(now, reply.results).map { hash, result in
            places[hash].map { SearchChanges.Entry.same($0) } ?? .other(result)
        }
        (hashes, self.rest) = (now, rest)
        var changes = SearchChanges(
            number: number, entries, isWhole: reply.isWhole, corrected: reply.corrected)
        changes.isLocked = reply.isLocked
        return changes
    }
}

extension SearchResult {
    /// A hash of the result without its rank.
    ///
    /// Another process gives the same result another hash.
    fileprivate var contentHash: Int {
        var (content, writer, hasher) = (self, CBORWriter(), Hasher())
        content.rank = nil
        content.encode(to: &writer)
        writer.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
