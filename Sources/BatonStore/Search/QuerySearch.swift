import BatonCore

/// A search for the items that meet a query, in steps.
///
/// Each step reads one moment of the index. An item that changes behind the search may be missed, as if it had changed
/// after the search; what was found is checked again by `finish()`.
final class QuerySearch {
    /// Whether the search was ended because it took too long.
    var isCut = false

    private let query: SearchQuery
    private let plan: QueryPlan
    private let most: Int
    private let now: WallTime
    private let index: LaneReader
    private let stop: SearchStop
    private var source: Source?
    /// The best items found so far, best first.
    private var found: [Found] = []
    /// Whether some items were not merged when the search began.
    private var wasMerging = false
    /// The bytes of work that the stop was not told of yet.
    private var work = 0

    /// The rows from which candidates come, and how far they were taken.
    private enum Source {
        /// The records with the words of an FTS5 expression; some of them are waiting to be looked at.
        case words(String, waiting: ArraySlice<Int64>, after: Int64)
        /// The records of scopes that may have an item that meets the query; nil if the next one is to be found.
        case scopes(Scope?, behind: [UInt8], after: Int64)
        /// All items.
        case items(after: Int64)
    }

    /// An item that meets the query.
    private struct Found {
        let number: Int64
        let name: ItemName
        let indexed: WallTime?

        /// The order of results, which is the same on all devices: what was indexed last comes first.
        func precedes(_ other: Found) -> Bool {
            let (time, otherTime) = (indexed?.milliseconds ?? .min, other.indexed?.milliseconds ?? .min)
            guard time == otherTime else { return time > otherTime }
            let names = [
                (name.app, other.name.app), (name.index, other.name.index),
                (name.identifier, other.name.identifier),
            ]
            let difference = names.first { !$0.utf8.elementsEqual($1.utf8) }
            return difference.map { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? false
        }
    }

    /// A step looks at this many items at most.
    private static let stepMost = 200
    /// The most records with words that are taken at once; where there are as many, domains are taken to narrow more.
    private static let wordsMost = 5_000
    /// The items that are kept besides those wanted, in the place of those that are gone at the end.
    private static let reserve = 100
    /// The bytes of work that count like one question of SQLite.
    private static let bytesAtOnce = 256 << 10

    init(
        _ query: SearchQuery, app: String?, most: Int, at now: WallTime, _ index: LaneReader,
        _ stop: SearchStop
    ) {
        (self.query, self.most, self.now) = (query, most, now)
        (plan, self.index, self.stop) = (QueryPlan(query, app: app), index, stop)
    }

    private var candidates: CandidateTable { CandidateTable(rows: index.tables.rows) }

    // MARK: Steps

    /// Looks at further items; returns whether there may be more.
    func goOn() throws(StoreFailure) -> Bool {
        try demand(0)
        let isFilled = try index.tables.search.coverage() != .refilling
        let source: Source
        switch self.source {
        case nil:
            wasMerging = try candidates.isMerging()
            source = try chosenSource(isFilled ? plan.words : nil)
        // The full-text table was emptied in between, so it lacks items from now on.
        case .words where !isFilled: source = .items(after: .min)
        case let present?: source = present
        }
        let (numbers, next) = try nextCandidates(of: source)
        self.source = next
        for number in numbers { try look(at: number) }
        return next != nil
    }

    /// Chooses the narrowest source; without words and domains, all items are looked at.
    private func chosenSource(_ words: String?) throws(StoreFailure) -> Source {
        let scopes = Source.scopes(nil, behind: plan.outermost.encoded, after: .min)
        guard let words else {
            return plan.comparesDomains || !plan.outermost.isEmpty ? scopes : .items(after: .min)
        }
        let first = try candidates.records(withWords: words, after: .min, most: Self.wordsMost)
        if plan.comparesDomains, first.count == Self.wordsMost { return scopes }
        return .words(words, waiting: first[...], after: first.last ?? .max)
    }

    /// Returns the next candidates, and what is left of the source; nil if nothing is.
    private func nextCandidates(
        of source: Source
    ) throws(StoreFailure) -> (numbers: [Int64], next: Source?) {
        switch source {
        case .words(let words, let waiting, let last):
            let taken = Array(waiting.prefix(Self.stepMost))
            let rest = waiting.dropFirst(Self.stepMost)
            if !rest.isEmpty { return (taken, .words(words, waiting: rest, after: last)) }
            let more = try candidates.records(withWords: words, after: last, most: Self.wordsMost)
            return (taken, more.last.map { .words(words, waiting: more[...], after: $0) })
        case .scopes(let scope?, let bytes, let last):
            let numbers = try candidates.records(of: scope, after: last, most: Self.stepMost)
            guard numbers.count == Self.stepMost else {
                return (numbers, .scopes(nil, behind: scope.encoded, after: .min))
            }
            return (numbers, .scopes(scope, behind: bytes, after: numbers.last ?? .max))
        case .scopes(nil, let bytes, _): return ([], try nextScope(behind: bytes))
        case .items(let last):
            let numbers = try index.tables.records.items(after: last, most: Self.stepMost)
            return (numbers, numbers.count == Self.stepMost ? .items(after: numbers.last ?? .max) : nil)
        }
    }

    /// Looks for the next scope that may have an item that meets the query; returns nil if there is none.
    private func nextScope(behind bytes: [UInt8]) throws(StoreFailure) -> Source? {
        var bytes = bytes
        for _ in 0..<Self.stepMost {
            let end = WriteTable.end(of: plan.outermost)
            guard let scope = try candidates.scope(after: bytes, before: end) else { return nil }
            bytes = scope.encoded
            if plan.admits(scope) { return .scopes(scope, behind: bytes, after: .min) }
        }
        return .scopes(nil, behind: bytes, after: .min)
    }

    // MARK: Items

    /// Keeps the item of a record if it meets the query.
    private func look(at number: Int64) throws(StoreFailure) {
        // Words are narrowed by the scope before more of a record is read.
        guard let scope = try candidates.scope(of: number), plan.admits(scope),
            let item = try match(number)?.found
        else { return }
        found.removeAll { $0.number == number }
        if let last = found.last, found.count >= most, found.count - most >= Self.reserve {
            guard item.precedes(last) else { return }
            found.removeLast()
        }
        found.insert(item, at: found.firstIndex { item.precedes($0) } ?? found.count)
    }

    /// Returns the record of an item that is there and meets the query.
    private func match(_ number: Int64) throws(StoreFailure) -> (found: Found, record: Record)? {
        guard try index.tables.records.hasExpired(number, at: now) == false,
            let record = try index.records.stored(number: number)?.record,
            let content = record.content, content.scope.isWithin(plan.outermost),
            let candidate = query.candidate(record)
        else { return nil }
        try count(content.fields.encodedCount + candidate.byteCount * query.partCount)
        guard query.matches(candidate.item) else { return nil }
        return (
            Found(number: number, name: candidate.name, indexed: candidate.item.indexed), record
        )
    }

    /// Counts the work of a comparison before it is made; throws if the search is to end.
    private func count(_ bytes: Int) throws(StoreFailure) {
        work += bytes
        let questions = work / Self.bytesAtOnce
        guard questions > 0 else { return }
        work -= questions * Self.bytesAtOnce
        try demand(questions)
    }

    /// Throws if the search is to end, after work for which SQLite would have asked this many times.
    private func demand(_ questions: Int) throws(StoreFailure) {
        guard stop.allows(questions) else { throw StoreFailure(.failed, "the search was ended") }
    }

    // MARK: The result

    /// Reads once more what was found, and returns what still meets the query.
    func finish() throws(StoreFailure) -> SearchReader.Finding {
        var present: [(found: Found, record: Record)] = []
        do {
            for old in found {
                if let item = try match(old.number) { present.append(item) }
            }
        } catch {
            guard stop.hasEndedSearch else { throw error }
            isCut = true
        }
        let items = present.sorted { $0.found.precedes($1.found) }.prefix(most).compactMap {
            FoundItem($0.record)
        }
        if isCut { return SearchReader.Finding(items: items, coverage: .cut) }
        let isMerging = try candidates.isMerging()
        return SearchReader.Finding(items: items, coverage: wasMerging || isMerging ? .merging : .whole)
    }
}
