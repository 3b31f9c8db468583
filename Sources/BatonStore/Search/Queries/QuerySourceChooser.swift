import BatonCore

/// Chooses the source with the fewest candidates for a query: facts, words, scopes, or all items.
struct QuerySourceChooser {
    let plan: QueryPlan
    let scope: SearchScope
    let tables: LaneTables
    let limits: SearchLimits

    /// The largest number of records that are read from the full-text table to exclude candidates: in total, and for
    /// each candidate.
    ///
    /// Reading the number of a record is much faster than comparing its item with the query.
    private static let (narrowingMost, narrowingShare) = (50_000, 20)
    /// The largest number of facts that are read to find candidates: in total, and for each candidate that is already
    /// known.
    private static let (factsMost, factsShare) = (100_000, 2)
    /// The largest number of records that are read from scopes to exclude candidates, for each candidate.
    private static let scopesShare = 4

    private var candidates: CandidateTable { CandidateTable(rows: tables.rows) }

    func chosen() throws(StoreFailure) -> QuerySource {
        var lookups = 0
        let words = try plan.words?.resolved(in: tables.words, &lookups) ?? .unknown
        guard words != .nothing else { return .listed([]) }
        guard case .expression(let text) = words else {
            return try recordsWithFacts(most: Self.factsMost).map(QuerySource.listed) ?? .widest(plan)
        }
        // If few records have the words, reading many facts would take longer than comparing these records.
        let few = plan.facts.isEmpty ? nil : try records(withWords: text, fewerThan: limits.wordsAtOnce)
        let facts = few.map { Self.worthwhileFacts(for: $0.count) } ?? Self.factsMost
        if let listed = try recordsWithFacts(most: facts) {
            guard let few else { return .listed(try narrowed(listed, by: text)) }
            let known = Set(few)
            return .listed(listed.filter { known.contains($0.number) })
        }
        return few.map(QuerySource.found) ?? .words(text, after: .min)
    }

    /// Returns a source without the candidates that the domains of the query exclude, if that is faster than comparing
    /// them.
    func narrowed(_ source: QuerySource) throws(StoreFailure) -> QuerySource {
        guard plan.comparesDomains else { return source }
        let first: [Int64]
        switch source {
        case .found(let numbers): first = numbers
        case .words(let text, _):
            guard let numbers = try records(withWords: text, fewerThan: Self.narrowingMost) else {
                return .widest(plan)
            }
            first = numbers
        case .scopes, .listed, .items: return source
        }
        // Reading the database index of scopes in order is several times faster than looking up the scope of each
        // record.
        let admitted = try admittedRecords(most: first.count * Self.scopesShare)
        return .found(admitted.map { first.common(with: $0) } ?? first)
    }

    // MARK: The order of the results

    /// The smallest number of candidates, for each wanted result, for which a walk in the order of the results is
    /// worthwhile.
    private static let walkedShare = 8
    /// The largest number of rows that a walk reads: in total if the candidates are not known, and otherwise for each
    /// candidate.
    private static let (walkRows, walkRowsShare) = (2000, 4)
    /// The largest number of records in scopes that are read to know all candidates.
    private static let fewInScopes = 1000

    /// Returns the attribute of an order, with the only type of value that items have; nil if items have values of
    /// several types, or none.
    ///
    /// With several types, the order of the facts is not that of the results.
    func subject(of order: FactOrder) throws(StoreFailure) -> ItemFact.Subject? {
        var subjects: [ItemFact.Subject] = []
        for subject in order.subjects where try tables.facts.has(subject) { subjects.append(subject) }
        return subjects.count == 1 ? subjects[0] : nil
    }

    /// Chooses a source, and returns it with a walk that reads the same candidates in the order of the results.
    ///
    /// There is no walk if comparing all candidates is as fast. With a walk, the source is not narrowed by domains,
    /// because the walk is expected to find enough results.
    func walk(
        _ order: FactOrder, _ subject: ItemFact.Subject, most: Int
    ) throws(StoreFailure) -> (QuerySource, FactWalk?) {
        let (source, known) = try counted(try chosen())
        if let known, known.count < max(limits.walkedItems, most * Self.walkedShare) {
            return (try narrowed(source), nil)
        }
        guard let others = try tables.facts.candidates(in: [], most: Self.walkRows) else {
            return (try narrowed(source), nil)
        }
        let rows = known.map { $0.count * Self.walkRowsShare } ?? Self.walkRows
        let walk = FactWalk(
            order, subject, first: others.map(\.number), among: known.map { Set($0) }, wanted: most,
            most: rows)
        return (source, walk)
    }

    /// Returns a source with the same candidates, and the candidates if they can be read at once.
    ///
    /// If few records are in the scopes that are not excluded, only these are candidates.
    private func counted(_ source: QuerySource) throws(StoreFailure) -> (QuerySource, known: [Int64]?) {
        var found: [Int64]?
        switch source {
        case .listed(let records): return (source, records.map(\.number))
        case .items: return (source, nil)
        case .found(let numbers): found = numbers
        case .words(let text, _): found = try records(withWords: text, fewerThan: Self.narrowingMost)
        case .scopes: break
        }
        let few = plan.narrowsScopes ? try admittedRecords(most: Self.fewInScopes) : nil
        let known = few.map { found?.common(with: $0) ?? $0 } ?? found
        return (known.map(QuerySource.found) ?? source, known)
    }

    // MARK: The source

    /// Returns the records whose words match an FTS5 expression; nil if there are `most` or more.
    private func records(withWords text: String, fewerThan most: Int) throws(StoreFailure) -> [Int64]? {
        let numbers = try candidates.records(withWords: text, after: .min, most: most)
        return numbers.count < most ? numbers : nil
    }

    /// Returns the largest number of facts that are worth reading to exclude some of this many candidates.
    private static func worthwhileFacts(for candidates: Int) -> Int {
        min(candidates * factsShare + 1000, factsMost)
    }

    /// Returns the records that have the facts that the query demands; nil if too many records have each of these
    /// facts.
    ///
    /// At most `most` facts are read for a demand until some records are known.
    private func recordsWithFacts(most: Int) throws(StoreFailure) -> [FactTable.Candidate]? {
        var found: [FactTable.Candidate]?
        for ranges in plan.facts {
            let most = found.map { Self.worthwhileFacts(for: $0.count) } ?? most
            guard let records = try tables.facts.candidates(in: ranges, most: most) else { continue }
            found = found?.common(with: records) ?? records
        }
        return found?.sorted { ($0.place, $0.number) > ($1.place, $1.number) }
    }

    /// Returns those of the listed records whose words match an FTS5 expression.
    ///
    /// If too many records match, all listed records are returned.
    private func narrowed(
        _ listed: [FactTable.Candidate], by text: String
    ) throws(StoreFailure) -> [FactTable.Candidate] {
        let most = min(max(listed.count * Self.narrowingShare, limits.wordsAtOnce), Self.narrowingMost)
        let first = try candidates.records(withWords: text, after: .min, most: most)
        guard first.count < most else { return listed }
        let known = Set(first)
        return listed.filter { known.contains($0.number) }
    }

    /// Returns the records in the scopes that are not excluded, in the order of their numbers.
    ///
    /// Returns nil if there are more than `most` records or too many scopes.
    private func admittedRecords(most: Int) throws(StoreFailure) -> [Int64]? {
        var (numbers, count, place) = ([Int64](), 0, plan.outermost.encoded)
        let end = WriteTable.end(of: plan.outermost)
        /// Adds the records with exactly this scope; returns false if there are too many records.
        func add(_ scope: [UInt8]) throws(StoreFailure) -> Bool {
            numbers += try candidates.records(in: scope, most: most - numbers.count + 1)
            return numbers.count <= most
        }
        while let found = try candidates.scope(from: place, before: end) {
            count += 1
            guard count <= AdmittedScopes.most else { return nil }
            let next = try tables.rows.scope(found)
            if let domains = plan.domains, let inner = next.index {
                // In this index, only these scopes can have items that meet the query.
                let scopes = [inner] + domains.map { inner.within($0) }
                for admitted in scopes where scope.searchesApp(of: admitted) {
                    guard try add(admitted.encoded) else { return nil }
                }
                place = WriteTable.end(of: inner)
            } else {
                if plan.admits(next), scope.searchesApp(of: next), try !add(found) { return nil }
                // A zero byte after the scope gives the smallest encoding that sorts after it.
                place = found + [0]
            }
        }
        return numbers.sorted()
    }
}

extension [Int64] {
    /// Returns the numbers that are also in another list.
    ///
    /// Both lists must be in ascending order.
    fileprivate func common(with other: Self) -> Self {
        var (common, place) = (Self(), 0)
        for number in self {
            while place < other.count, other[place] < number { place += 1 }
            guard place < other.count else { break }
            if other[place] == number { common.append(number) }
        }
        return common
    }
}

extension Scope {
    /// The scope of the app's index that contains this scope; nil if this is not a scope of items in an index.
    ///
    /// It is nil in a protected index, too, whose scopes don't have the domains that a query compares.
    fileprivate var index: Scope? {
        guard count >= 3, let index = outward([3]).first else { return nil }
        let parts = index.parts
        return parts[1] == "items" && IndexProtection(ofIndex: parts[2]) == nil ? index : nil
    }

    /// Returns the scope of a domain in this index.
    ///
    /// `domain` has the parts of the domain.
    fileprivate func within(_ domain: [String]) -> Scope { Scope(parts + domain) }
}
