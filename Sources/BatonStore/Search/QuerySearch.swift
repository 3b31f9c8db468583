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
    /// Where further candidates come from; nil before the first step, and once there are none.
    private var source: Source?
    /// Candidates that are still to be looked at.
    private var waiting: ArraySlice<Int64> = []
    /// The best items found so far, best first.
    private var found: [Found] = []
    /// Whether some items were not merged when the search began; nil before that.
    private var wasMerging: Bool?
    /// The bytes that were read or compared so far.
    private var total = 0

    /// The rows from which candidates come, and the place behind which further ones are.
    private enum Source {
        /// The records with the words of an FTS5 expression.
        case words(String, after: Int64)
        /// The records in scopes that may have an item that meets the query.
        case scopes(after: WriteTable.ScopePlace)
        /// All items.
        case items(after: Int64)
    }

    /// An item that meets the query.
    private struct Found {
        let number: Int64
        let age: ItemAge
    }

    /// A step looks at this many items at most.
    private static let stepMost = 200
    /// A step ends once it has done this much work, in bytes.
    private static let stepBytes = 4 << 20
    /// The most candidates with words that are taken at once; where there are as many, domains are taken to narrow more.
    private static let wordsMost = 5_000
    /// The most rows whose scopes are looked at in one step.
    private static let scopesMost = 1_000
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
        if wasMerging == nil {
            wasMerging = try index.tables.batches.isMerging()
            source = try chosenSource(isFilled ? plan.words : nil)
        } else if case .words = source, !isFilled {
            // The full-text table was emptied in between, so it lacks items from now on.
            source = .items(after: .min)
        }
        if waiting.isEmpty, let source { (waiting, self.source) = try nextCandidates(of: source) }
        let start = total
        for _ in 0..<Self.stepMost where total - start < Self.stepBytes {
            guard let number = waiting.popFirst() else { break }
            try look(at: number)
        }
        return !waiting.isEmpty || source != nil
    }

    /// Chooses the narrowest source; without words and domains, all items are looked at.
    private func chosenSource(_ words: String?) throws(StoreFailure) -> Source {
        let scopes = Source.scopes(after: (plan.outermost.encoded, .min))
        guard let words else { return plan.narrowsScopes ? scopes : .items(after: .min) }
        guard plan.comparesDomains else { return .words(words, after: .min) }
        let first = try candidates.records(withWords: words, after: .min, most: Self.wordsMost)
        return first.count < Self.wordsMost ? .words(words, after: .min) : scopes
    }

    /// Returns the next candidates, and where more of them come from; nil if there are no more.
    private func nextCandidates(
        of source: Source
    ) throws(StoreFailure) -> (numbers: ArraySlice<Int64>, next: Source?) {
        switch source {
        case .words(let words, let last):
            let numbers = try candidates.records(withWords: words, after: last, most: Self.wordsMost)
            let next = numbers.count < Self.wordsMost ? nil : numbers.last
            return (numbers[...], next.map { .words(words, after: $0) })
        case .scopes(let place): return try nextInScopes(after: place)
        case .items(let last):
            let numbers = try index.tables.records.items(after: last, most: Self.stepMost)
            let next = numbers.count < Self.stepMost ? nil : numbers.last
            return (numbers[...], next.map { .items(after: $0) })
        }
    }

    /// Returns the next records in scopes that may have an item that meets the query.
    private func nextInScopes(
        after place: WriteTable.ScopePlace
    ) throws(StoreFailure) -> (numbers: ArraySlice<Int64>, next: Source?) {
        var (numbers, last, isAdmitted) = ([Int64](), WriteTable.ScopePlace?.none, false)
        try candidates.visitScopes(
            after: place, before: WriteTable.end(of: plan.outermost), most: Self.scopesMost
        ) { (scope, number) throws(StoreFailure) in
            if scope != last?.scope { isAdmitted = plan.admits(try index.tables.rows.scope(scope)) }
            // The other records of a scope that is ruled out are passed over.
            last = (scope, isAdmitted ? number : .max)
            if isAdmitted { numbers.append(number) }
            return numbers.count < Self.stepMost
        }
        return (numbers[...], last.map { .scopes(after: $0) })
    }

    // MARK: Items

    /// Keeps the item of a record if it meets the query.
    private func look(at number: Int64) throws(StoreFailure) {
        if plan.narrowsScopes {
            // The scope may rule a record out before more of it is read.
            guard let scope = try candidates.scope(of: number), plan.admits(scope) else { return }
        }
        guard let item = try match(number)?.found else { return }
        found.removeAll { $0.number == number }
        if let last = found.last, found.count >= most, found.count - most >= Self.reserve {
            guard item.age.precedes(last.age) else { return }
            found.removeLast()
        }
        found.insert(item, at: found.firstIndex { item.age.precedes($0.age) } ?? found.count)
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
        return (Found(number: number, age: ItemAge(candidate.name, indexed: candidate.item.indexed)), record)
    }

    /// Counts the work of a comparison before it is made; throws if the search is to end.
    private func count(_ bytes: Int) throws(StoreFailure) {
        let before = total / Self.bytesAtOnce
        total += bytes
        try demand(total / Self.bytesAtOnce - before)
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
        let items = present.sorted { $0.found.age.precedes($1.found.age) }.prefix(most).compactMap {
            FoundItem($0.record)
        }
        if isCut { return SearchReader.Finding(items: items, coverage: .cut) }
        let isMerging = try index.tables.batches.isMerging()
        return SearchReader.Finding(
            items: items, coverage: isMerging || wasMerging == true ? .merging : .whole)
    }
}
