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
    private let filter: SearchFilter
    /// The apps whose items are not searched.
    private let appsOff: Set<String>
    private let most: Int
    private let now: WallTime
    private let index: LaneReader
    private let stop: SearchStop
    /// Where further candidates come from; nil before the first step, and once there are none.
    private var source: Source?
    /// Candidates that are still to be looked at.
    private var waiting: ArraySlice<Int64> = []
    /// The places of candidates by the time when their items were indexed, if the candidates come in that order.
    private var places: [Int64: Int64] = [:]
    /// The best items found so far, best first.
    private var found: [Found] = []
    /// Whether some items were not merged when the search began; nil before that.
    private var wasMerging: Bool?
    /// The bytes that were read or compared so far.
    private var total = 0
    /// The version of the data that was read so far; nil before the first step.
    private var version: Int64?
    /// Whether the data has changed since the search began.
    private var hasChanged = false

    /// The rows from which candidates come, and the place behind which further ones are.
    private enum Source {
        /// The records with the words of an FTS5 expression.
        case words(String, after: Int64)
        /// The records in scopes that may have an item that meets the query.
        case scopes(after: WriteTable.ScopePlace)
        /// The records with certain facts, those that were indexed last first.
        case listed([FactTable.Candidate])
        /// All items.
        case items(after: Int64)
    }

    /// An item that meets the query.
    private struct Found {
        let number: Int64
        let age: ItemAge
        /// Its place among facts by the time when it was indexed.
        let place: Int64
        /// The record, if it is small enough to be kept until the end.
        let record: Record?
    }

    /// A step looks at this many items at most.
    private static let stepMost = 200
    /// A step ends once it has done this much work, in bytes.
    private static let stepBytes = 4 << 20
    /// The most candidates with words that are taken at once; where there are as many, domains are taken to narrow more.
    private static let wordsMost = 5_000
    /// The most facts that are read to find the records that have certain ones.
    private static let factsMost = 100_000
    /// So many times as many facts as there are candidates are read to have fewer of them.
    private static let factsShare = 2
    /// Items that are found besides those wanted before older ones are left out.
    private static let spare = 20
    /// The most rows whose scopes are looked at in one step.
    private static let scopesMost = 1_000
    /// The items that are kept besides those wanted, in the place of those that are gone at the end.
    private static let reserve = 100
    /// The most bytes of the fields of a record that is kept until the end.
    private static let keptBytes = 4 << 10
    /// The bytes of work that count like one question of SQLite.
    private static let bytesAtOnce = 256 << 10

    init(
        _ query: SearchQuery, _ filter: SearchFilter, without appsOff: Set<String>, most: Int,
        at now: WallTime,
        _ index: LaneReader, _ stop: SearchStop
    ) {
        self.appsOff = appsOff
        (self.query, self.most, self.now) = (query, most, now)
        (plan, self.filter) = (QueryPlan(query, app: filter.app), filter)
        (self.index, self.stop) = (index, stop)
    }

    private var candidates: CandidateTable { CandidateTable(rows: index.tables.rows) }

    // MARK: Steps

    /// Looks at further items; returns whether there may be more.
    func goOn() throws(StoreFailure) -> Bool {
        try demand(0)
        try noteVersion()
        let isFilled = try index.tables.search.coverage() != .refilling
        if wasMerging == nil {
            wasMerging = try index.tables.batches.isMerging()
            source = try isFilled ? chosenSource() : widestSource
        } else if case .words = source, !isFilled {
            // The full-text table was emptied in between, so it lacks items from now on.
            source = .items(after: .min)
        }
        if waiting.isEmpty, let source { (waiting, self.source) = try nextCandidates(of: source) }
        let start = total
        for _ in 0..<Self.stepMost where total - start < Self.stepBytes {
            guard let number = waiting.popFirst() else { break }
            guard mayBeWanted(number) else {
                // All further candidates are older.
                waiting = []
                break
            }
            try look(at: number)
        }
        return !waiting.isEmpty || source != nil
    }

    /// Notes whether the writer has changed the data since the last step.
    private func noteVersion() throws(StoreFailure) {
        let now = try index.connection.setting("data_version")
        if let version, version != now { hasChanged = true }
        version = now
    }

    /// The source without words and facts: the scopes that may have an item, or all items.
    private var widestSource: Source {
        plan.narrowsScopes
            ? .scopes(after: (plan.outermost.encoded, .min)) : .items(after: .min)
    }

    /// Chooses the narrowest source: facts, words, scopes, or all items.
    private func chosenSource() throws(StoreFailure) -> Source {
        var lookups = 0
        let words = try plan.words?.resolved(in: index.tables.words, &lookups) ?? .unknown
        guard words != .nothing else { return .listed([]) }
        var listed = try recordsWithFacts()
        guard case .expression(let text) = words else { return listed.map(Source.listed) ?? widestSource }
        guard listed != nil || plan.comparesDomains else { return .words(text, after: .min) }
        let first = try candidates.records(withWords: text, after: .min, most: Self.wordsMost)
        let isWhole = first.count < Self.wordsMost
        if isWhole, let all = listed {
            let known = Set(first)
            listed = all.filter { known.contains($0.number) }
        }
        if let listed { return .listed(listed) }
        return isWhole ? .words(text, after: .min) : widestSource
    }

    /// Returns the records that have the facts which the query demands; nil if too many have each of them.
    private func recordsWithFacts() throws(StoreFailure) -> [FactTable.Candidate]? {
        var found: Set<FactTable.Candidate>?
        for ranges in plan.facts {
            let most = found.map { min($0.count * Self.factsShare + 1000, Self.factsMost) } ?? Self.factsMost
            guard let records = try index.tables.facts.candidates(in: ranges, most: most) else { continue }
            found = found?.intersection(records) ?? records
        }
        return found?.sorted { ($0.place, $0.number) > ($1.place, $1.number) }
    }

    /// Whether a candidate may be among the items that are returned: those that were indexed later are not enough.
    private func mayBeWanted(_ number: Int64) -> Bool {
        guard let place = places[number], found.count >= most + Self.spare else { return true }
        return place >= found[most + Self.spare - 1].place
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
        case .listed(let records):
            for record in records { places[record.number] = record.place }
            return (records.map(\.number)[...], nil)
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
        if plan.narrowsScopes || !appsOff.isEmpty {
            // The scope may rule a record out before more of it is read.
            guard let scope = try candidates.scope(of: number), plan.admits(scope), isOn(scope) else {
                return
            }
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
            let content = record.content, content.scope.isWithin(plan.outermost), isOn(content.scope),
            filter.admitsItem(of: filter.app ?? "", content.fields), let candidate = query.candidate(record)
        else { return nil }
        try count(content.fields.encodedCount + candidate.byteCount * query.partCount)
        guard query.matches(candidate.item) else { return nil }
        let age = ItemAge(candidate.name, indexed: candidate.item.indexed)
        let place = FactTable.place(of: candidate.item.indexed)
        let kept = content.fields.encodedCount <= Self.keptBytes ? record : nil
        return (Found(number: number, age: age, place: place, record: kept), record)
    }

    /// Whether the app of a scope is searched.
    private func isOn(_ scope: Scope) -> Bool { scope.parts.first.map { !appsOff.contains($0) } ?? true }

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

    /// Reads once more what was found, unless nothing has changed, and returns what still meets the query.
    func finish() throws(StoreFailure) -> SearchReader.Finding {
        var present: [(found: Found, record: Record)] = []
        do {
            try noteVersion()
            for old in found {
                if !hasChanged, let record = old.record {
                    present.append((old, record))
                } else if let item = try match(old.number) {
                    present.append(item)
                }
            }
        } catch {
            guard stop.hasEndedSearch else { throw error }
            isCut = true
        }
        let things = present.sorted { $0.found.age.precedes($1.found.age) }.prefix(most).compactMap {
            SearchReader.Found($0.record)
        }
        if isCut { return SearchReader.Finding(things: things, coverage: .cut) }
        let isMerging = try index.tables.batches.isMerging()
        return SearchReader.Finding(
            things: things, coverage: isMerging || wasMerging == true ? .merging : .whole)
    }
}
