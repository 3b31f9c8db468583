import BatonCore

/// The items that may meet a query, in the order in which the search reads them.
struct QueryCandidates {
    private let plan: QueryPlan
    private let tables: LaneTables
    private let limits: SearchLimits
    /// The facts in the order of the results, and the number of results; nil if the results have another order.
    private let order: (facts: FactOrder, most: Int)?
    private var scopes: AdmittedScopes
    /// The source of further candidates; nil before the first step, and when there are no more candidates.
    private var source: QuerySource?
    /// The walk that returns candidates in the order of the results, before the source is read.
    ///
    /// This is nil if the results have another order, or if the index has changed since the first step.
    private var walk: FactWalk?
    /// Whether the domains of the query may exclude candidates of the source (`QuerySourceChooser.narrowed(_:)`).
    private var isUnnarrowed = false
    /// The candidates that were found and are still to be read.
    private var waiting: ArraySlice<Int64> = []
    /// Whether the waiting candidates were already selected by their scopes.
    private var areScopesAdmitted = false
    /// The place of each candidate in the order of indexing (`FactTable.place(of:)`).
    ///
    /// This is empty if the candidates come in another order.
    private var places: [Int64: Int64] = [:]

    init(_ plan: QueryPlan, for request: QueryRequest, in store: SearchedStore) {
        self.plan = plan
        order = request.order == .best ? request.sorting.facts.map { ($0, request.most) } : nil
        (tables, limits) = (store.index.tables, store.limits)
        scopes = AdmittedScopes(plan, request.scope)
    }

    /// Replaces the scope of the search.
    mutating func renew(_ scope: SearchScope) { scopes.renew(scope) }

    // MARK: The source

    /// Chooses the source of the candidates.
    ///
    /// While the full-text table is being filled, it lacks items and is not used.
    mutating func begin(isFilled: Bool) throws(StoreFailure) {
        guard scopes.scope.filter.kind != .activity else { return }
        guard isFilled else { return source = .widest(plan) }
        guard let order, let subject = try chooser.subject(of: order.facts) else {
            return source = try chooser.narrowed(try chooser.chosen())
        }
        (source, walk) = try chooser.walk(order.facts, subject, most: order.most)
        isUnnarrowed = walk != nil
    }

    private var chooser: QuerySourceChooser {
        QuerySourceChooser(plan: plan, scope: scopes.scope, tables: tables, limits: limits)
    }

    /// Continues with all items if the candidates came from the full-text table, because the table was emptied.
    mutating func leaveEmptiedTable() {
        if case .words = source { source = .items(after: .min) }
    }

    /// Ends the walk, because a record whose value has changed may be where the walk no longer comes.
    ///
    /// The source has all candidates.
    mutating func leaveWalk() { walk = nil }

    /// Reads further candidates if no candidates are waiting.
    mutating func refill() throws(StoreFailure) {
        guard waiting.isEmpty, var source else { return }
        if walk?.isOver == false {
            areScopesAdmitted = false
            waiting = try walk?.next(in: tables.facts)[...] ?? []
            return
        }
        if isUnnarrowed { source = try chooser.narrowed(source) }
        isUnnarrowed = false
        areScopesAdmitted = if case .scopes = source { true } else { false }
        let (numbers, next) = try candidates(of: source)
        waiting = (walk.map { walk in numbers.filter { !walk.hasReturned($0) } } ?? numbers)[...]
        self.source = next
    }

    /// Returns the next candidates of a source, and the source of further candidates; `next` is nil if there are no
    /// more.
    private mutating func candidates(
        of source: QuerySource
    ) throws(StoreFailure) -> (numbers: [Int64], next: QuerySource?) {
        switch source {
        case .words(let words, let last):
            let numbers = try CandidateTable(rows: tables.rows).records(
                withWords: words, after: last, most: limits.wordsAtOnce)
            let next = numbers.count < limits.wordsAtOnce ? nil : numbers.last
            return (numbers, next.map { .words(words, after: $0) })
        case .found(let numbers): return (numbers, nil)
        case .scopes(let place): return try candidates(inScopesAfter: place)
        case .listed(let records):
            for record in records { places[record.number] = record.place }
            return (records.map(\.number), nil)
        case .items(let last):
            let numbers = try tables.records.items(after: last, most: limits.stepItems)
            let next = numbers.count < limits.stepItems ? nil : numbers.last
            return (numbers, next.map { .items(after: $0) })
        }
    }

    /// Returns the next records that may meet the query by their scopes.
    private mutating func candidates(
        inScopesAfter place: WriteTable.ScopePlace
    ) throws(StoreFailure) -> (numbers: [Int64], next: QuerySource?) {
        var (numbers, last, isAdmitted) = ([Int64](), WriteTable.ScopePlace?.none, false)
        try CandidateTable(rows: tables.rows).visitScopes(
            after: place, before: WriteTable.end(of: plan.outermost), most: limits.stepScopes
        ) { (scope, number) throws(StoreFailure) in
            if scope != last?.scope { isAdmitted = try scopes.admit(scope, in: tables.rows) }
            // If a scope is excluded, all its other records are skipped.
            last = (scope, isAdmitted ? number : .max)
            if isAdmitted { numbers.append(number) }
            return numbers.count < limits.stepItems
        }
        return (numbers, last.map { .scopes(after: $0) })
    }

    // MARK: Candidates

    /// Whether the walk can return further candidates, and none is waiting.
    var isWalking: Bool { waiting.isEmpty && source != nil && walk?.isOver == false }

    /// Whether all candidates were read.
    var isAtEnd: Bool { waiting.isEmpty && source == nil }

    /// The walk, if all candidates that it has returned were read; nil otherwise, or if there is no walk.
    var finishedWalk: FactWalk? { waiting.isEmpty ? walk : nil }

    /// Returns the next waiting candidate; nil if no candidate is waiting.
    mutating func next() -> Int64? { waiting.popFirst() }

    /// Removes the waiting candidates.
    mutating func dropWaiting() { waiting = [] }

    /// Removes all further candidates.
    mutating func dropAll() { (waiting, source) = ([], nil) }

    /// Returns the place of a candidate in the order of indexing; nil if the candidates come in another order.
    func place(of number: Int64) -> Int64? { places[number] }

    /// Whether a candidate may meet the query, judged only by its scope.
    mutating func isAdmitted(_ number: Int64) throws(StoreFailure) -> Bool {
        guard scopes.ruleOut, !areScopesAdmitted else { return true }
        guard let scope = try CandidateTable(rows: tables.rows).scope(of: number) else { return false }
        return try scopes.admit(scope, in: tables.rows)
    }
}
