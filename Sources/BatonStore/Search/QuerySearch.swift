import BatonCore

/// A search for the items and saved activities that meet a query, in steps.
///
/// Each step reads one moment of the index. An item that changes behind the search may be missed, as if it had changed
/// after the search; what was found is checked again when it is taken.
final class QuerySearch {
    /// Whether the search was ended because it took too long.
    var isCut = false

    private let query: SearchQuery
    private let plan: QueryPlan
    /// The things that may be shown now.
    private var scope: SearchScope
    private var now: WallTime
    private let most: Int
    private let order: SearchOrder
    /// The attributes that the results have; nil for their title, description and address.
    private let attributes: FetchedAttributes?
    private let saved: SavedActivities
    private let index: LaneReader
    private let stop: SearchStop
    private let limits: SearchLimits
    /// Where further candidates come from; nil before the first step, and once there are none.
    private var source: Source?
    /// Candidates that are still to be looked at.
    private var waiting: ArraySlice<Int64> = []
    /// Whether the scopes of these candidates were looked at.
    private var areScopesAdmitted = false
    /// Whether the items of a scope are searched and may meet the query, by the scope's bytes.
    private var verdicts: [[UInt8]: Bool] = [:]
    /// The places of candidates by the time when their items were indexed, if the candidates come in that order.
    private var places: [Int64: Int64] = [:]
    /// Activities that are still to be looked at; nil before the first step.
    private var activities: ArraySlice<RecordIdentity>?
    /// Whether activities may join the items that are found.
    private var mayJoin = false
    /// The things found so far that were not taken, in the order in which they are returned.
    private var found: [Found] = []
    /// Results in order until they are taken, with all that is about the same thing.
    private var groups: ArraySlice<[Found]> = []
    /// The numbers of the items that were found, if they come as they are found.
    private var seen: Set<Int64> = []
    /// The number of results that were taken.
    private var taken = 0
    /// Whether some items were not merged when the search began; nil before that.
    private var wasMerging: Bool?
    /// Whether some items are not merged, and the version of the data for which that was read.
    private var merging: (version: Int64?, isMerging: Bool)?
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
        /// Certain records.
        case found([Int64])
        /// The records in scopes that may have an item that meets the query.
        case scopes(after: WriteTable.ScopePlace)
        /// The records with certain facts, those that were indexed last first.
        case listed([FactTable.Candidate])
        /// All items.
        case items(after: Int64)
    }

    /// A thing that meets the query; it is moved between lists more often than it is read.
    private final class Found {
        let name: Name
        let age: ItemAge
        /// Its place among facts by the time when it was indexed or ended.
        let place: Int64
        /// The names by which it joins others; nil for an item that no activity can join.
        let names: ThingNames?
        /// The item, if it is one and small enough to be kept until the end.
        let item: StoredItem?

        init(name: Name, age: ItemAge, place: Int64, names: ThingNames?, item: StoredItem? = nil) {
            (self.name, self.age, self.place, self.names, self.item) = (name, age, place, names, item)
        }

        var isActivity: Bool { if case .activity = name { true } else { false } }
    }

    /// The name of a thing that was found.
    private enum Name: Equatable {
        case item(Int64)
        case activity(RecordIdentity)
    }

    /// A step ends once it has done this much work, in bytes.
    private static let stepBytes = 4 << 20
    /// The most records with words that are read to have fewer candidates, and so many times as many as there are of these:
    /// reading the number of a record takes a small part of the time in which its item is compared.
    private static let narrowingMost = 50_000
    private static let narrowingShare = 20
    /// The most facts that are read to find the records that have certain ones.
    private static let factsMost = 100_000
    /// So many times as many facts as there are candidates are read to have fewer of them.
    private static let factsShare = 2
    /// The items that are kept besides those wanted, in the place of those that are gone at the end.
    private static let reserve = 100
    /// The most bytes of the fields of an item that is kept until the end, and how many are kept.
    private static let keptBytes = 4 << 10
    private static let keptMost = 200
    /// The most scopes of which it is remembered whether their items may meet the query, and which are looked through
    /// to find them.
    private static let verdictsMost = 256
    /// So many times as many records in scopes are read as there are candidates, to have fewer of them.
    private static let scopesShare = 4
    /// The bytes of work that count like one question of SQLite.
    private static let bytesAtOnce = 256 << 10

    init(
        _ query: SearchQuery, in scope: SearchScope, most: Int, order: SearchOrder = .best,
        attributes: FetchedAttributes? = nil, at now: WallTime, _ reader: SearchReader
    ) {
        (self.query, self.scope, self.now) = (query, scope, now)
        (self.most, self.order, self.attributes) = (most, order, attributes)
        plan = QueryPlan(query, app: scope.filter.app)
        (saved, index) = (reader.saved, reader.index)
        (stop, limits) = (reader.stop, reader.limits)
    }

    /// Goes on with the things that may be shown now.
    func renew(_ scope: SearchScope, at now: WallTime) {
        (self.scope, self.now, hasChanged) = (scope, now, true)
        verdicts = [:]
    }

    /// The apps whose items are not searched.
    private var appsOff: Set<String> { scope.appsOff }
    private var filter: SearchFilter { scope.filter }

    private var candidates: CandidateTable { CandidateTable(rows: index.tables.rows) }

    // MARK: Steps

    /// Looks at further items; returns whether there may be more.
    func goOn() throws(StoreFailure) -> Bool {
        try demand(0)
        noteVersion()
        let isFilled = try index.tables.search.isFilled()
        let isMerging = try isMerging()
        if wasMerging == nil {
            wasMerging = isMerging
            source = filter.kind == .activity ? nil : try isFilled ? chosenSource() : widestSource
            let queryable = try saved.queryable(in: scope, at: now)
            (activities, mayJoin) = (queryable[...], !queryable.isEmpty)
        } else if case .words = source, !isFilled {
            // The full-text table was emptied in between, so it lacks items from now on.
            source = .items(after: .min)
        }
        if waiting.isEmpty, let source { (waiting, self.source) = try nextCandidates(of: source) }
        let start = total
        for _ in 0..<limits.stepItems where total - start < Self.stepBytes {
            guard let number = waiting.popFirst() else { break }
            guard mayBeWanted(number) else {
                // All further candidates are older.
                waiting = []
                break
            }
            try look(at: number)
        }
        if waiting.isEmpty, source == nil { try lookAtActivities() }
        return !waiting.isEmpty || source != nil || !(activities ?? []).isEmpty
    }

    /// Looks at further activities, which come after all items.
    private func lookAtActivities() throws(StoreFailure) {
        guard let rest = activities else { return }
        let step = rest.prefix(limits.stepActivities)
        var related = RelatedItems(index, at: now)
        for activity in try saved.queried(step, nil, in: scope, at: now) {
            try count(activity.item.attributes.entries.count * Self.attributeBytes * query.partCount)
            guard query.matches(activity.item), try related.have(activity.names) else { continue }
            add(found(activity))
        }
        activities = rest.dropFirst(step.count)
    }

    /// About how many bytes an attribute of an activity has.
    private static let attributeBytes = 64

    private func found(_ activity: QueriedActivity) -> Found {
        Found(
            name: .activity(activity.identity), age: ItemAge(activity.found),
            place: FactTable.place(of: activity.found.ended), names: activity.names)
    }

    /// Notes whether the writer has changed the data since the last step.
    private func noteVersion() {
        if let version, version != index.version { hasChanged = true }
        version = index.version
    }

    /// Whether some items are not merged now.
    private func isMerging() throws(StoreFailure) -> Bool {
        if let merging, merging.version == index.version { return merging.isMerging }
        let isMerging = try index.tables.batches.isMerging()
        merging = (index.version, isMerging)
        return isMerging
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
        let listed = try recordsWithFacts()
        guard case .expression(let text) = words else { return listed.map(Source.listed) ?? widestSource }
        if let listed {
            let most = min(max(listed.count * Self.narrowingShare, limits.wordsAtOnce), Self.narrowingMost)
            let first = try candidates.records(withWords: text, after: .min, most: most)
            guard first.count < most else { return .listed(listed) }
            let known = Set(first)
            return .listed(listed.filter { known.contains($0.number) })
        }
        guard plan.comparesDomains else { return .words(text, after: .min) }
        let first = try candidates.records(withWords: text, after: .min, most: Self.narrowingMost)
        guard first.count < Self.narrowingMost else { return widestSource }
        // Looking through the index of scopes is several times as fast as looking up the scope of each record.
        guard let admitted = try admittedRecords(most: first.count * Self.scopesShare) else {
            return .found(first)
        }
        return .found(first.common(with: admitted))
    }

    /// Returns the records in scopes that may have an item that meets the query, in order; nil if there are more than so
    /// many, or too many scopes.
    private func admittedRecords(most: Int) throws(StoreFailure) -> [Int64]? {
        var (numbers, count, place) = ([Int64](), 0, plan.outermost.encoded)
        let end = WriteTable.end(of: plan.outermost)
        /// Takes the records of a scope; returns whether there were not too many.
        func take(_ scope: [UInt8]) throws(StoreFailure) -> Bool {
            numbers += try candidates.records(in: scope, most: most - numbers.count + 1)
            return numbers.count <= most
        }
        while let found = try candidates.scope(from: place, before: end) {
            count += 1
            guard count <= Self.verdictsMost else { return nil }
            let scope = try index.tables.rows.scope(found)
            if let domains = plan.domains, let inner = scope.index {
                // No other scopes of this index need to be looked through.
                for admitted in [inner] + domains.map({ inner.within($0) }) where isOn(admitted) {
                    guard try take(admitted.encoded) else { return nil }
                }
                place = WriteTable.end(of: inner)
            } else {
                if plan.admits(scope), isOn(scope), try !take(found) { return nil }
                // No scope stands between one and the same with a byte of zero.
                place = found + [0]
            }
        }
        return numbers.sorted()
    }

    /// Whether scopes may rule records out, before more is read of them.
    private var looksAtScopes: Bool { plan.narrowsScopes || !appsOff.isEmpty }

    /// Whether the items of a scope are searched and may meet the query.
    private func isAdmitted(_ encoded: [UInt8]) throws(StoreFailure) -> Bool {
        if let verdict = verdicts[encoded] { return verdict }
        let scope = try index.tables.rows.scope(encoded)
        let verdict = plan.admits(scope) && isOn(scope)
        if verdicts.count >= Self.verdictsMost { verdicts = [:] }
        verdicts[encoded] = verdict
        return verdict
    }

    /// Returns the records that have the facts which the query demands; nil if too many have each of them.
    private func recordsWithFacts() throws(StoreFailure) -> [FactTable.Candidate]? {
        var found: [FactTable.Candidate]?
        for ranges in plan.facts {
            let most = found.map { min($0.count * Self.factsShare + 1000, Self.factsMost) } ?? Self.factsMost
            guard let records = try index.tables.facts.candidates(in: ranges, most: most) else { continue }
            found = found?.common(with: records) ?? records
        }
        return found?.sorted { ($0.place, $0.number) > ($1.place, $1.number) }
    }

    /// Whether a candidate may be among the items that are returned: those that were indexed later are not enough.
    private func mayBeWanted(_ number: Int64) -> Bool {
        guard order == .best, let place = places[number], found.count >= most + limits.spareItems else {
            return true
        }
        return place >= found[most + limits.spareItems - 1].place
    }

    /// Returns the next candidates, and where more of them come from; nil if there are no more.
    private func nextCandidates(
        of source: Source
    ) throws(StoreFailure) -> (numbers: ArraySlice<Int64>, next: Source?) {
        areScopesAdmitted = if case .scopes = source { true } else { false }
        switch source {
        case .words(let words, let last):
            let numbers = try candidates.records(withWords: words, after: last, most: limits.wordsAtOnce)
            let next = numbers.count < limits.wordsAtOnce ? nil : numbers.last
            return (numbers[...], next.map { .words(words, after: $0) })
        case .found(let numbers): return (numbers[...], nil)
        case .scopes(let place): return try nextInScopes(after: place)
        case .listed(let records):
            for record in records { places[record.number] = record.place }
            return (records.map(\.number)[...], nil)
        case .items(let last):
            let numbers = try index.tables.records.items(after: last, most: limits.stepItems)
            let next = numbers.count < limits.stepItems ? nil : numbers.last
            return (numbers[...], next.map { .items(after: $0) })
        }
    }

    /// Returns the next records in scopes that may have an item that meets the query.
    private func nextInScopes(
        after place: WriteTable.ScopePlace
    ) throws(StoreFailure) -> (numbers: ArraySlice<Int64>, next: Source?) {
        var (numbers, last, isAdmitted) = ([Int64](), WriteTable.ScopePlace?.none, false)
        try candidates.visitScopes(
            after: place, before: WriteTable.end(of: plan.outermost), most: limits.stepScopes
        ) { (scope, number) throws(StoreFailure) in
            if scope != last?.scope { isAdmitted = try self.isAdmitted(scope) }
            // The other records of a scope that is ruled out are passed over.
            last = (scope, isAdmitted ? number : .max)
            if isAdmitted { numbers.append(number) }
            return numbers.count < limits.stepItems
        }
        return (numbers[...], last.map { .scopes(after: $0) })
    }

    // MARK: Items

    /// Keeps the item of a record if it meets the query.
    private func look(at number: Int64) throws(StoreFailure) {
        if looksAtScopes, !areScopesAdmitted {
            guard let scope = try candidates.scope(of: number), try isAdmitted(scope) else { return }
        }
        guard let found = try match(number)?.found else { return }
        add(found)
    }

    /// Adds a thing in its place; of more things than are wanted, the last is dropped.
    private func add(_ thing: Found) {
        guard order == .best else {
            if case .item(let number) = thing.name, !seen.insert(number).inserted { return }
            return found.append(thing)
        }
        // The search comes to an item again if it has changed, or if the search begins anew.
        if hasChanged { found.removeAll { $0.name == thing.name } }
        let place = place(of: thing.age)
        if found.count >= most, found.count - most >= Self.reserve {
            guard place < found.count else { return }
            found.removeLast()
        }
        found.insert(thing, at: place)
    }

    /// Returns where a thing of this age stands among those that were found.
    private func place(of age: ItemAge) -> Int {
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if age.precedes(found[middle].age) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns an item that is there and meets the query.
    private func match(_ number: Int64) throws(StoreFailure) -> (found: Found, item: StoredItem)? {
        guard let item = try index.records.item(number: number), !item.hasExpired(at: now) else { return nil }
        let content = item.content
        guard content.scope.isWithin(plan.outermost), isOn(content.scope),
            filter.admitsItem(of: filter.app ?? "", content.fields),
            let candidate = query.candidate(item.name, content)
        else { return nil }
        try count(content.fields.encodedCount + candidate.byteCount * query.partCount)
        guard query.matches(candidate.item) else { return nil }
        // Large items, and those of long lists, are read again when they are taken.
        let isKept = self.found.count <= Self.keptMost && content.fields.encodedCount <= Self.keptBytes
        let found = Found(
            name: .item(number), age: ItemAge(item.name, indexed: candidate.item.indexed),
            place: FactTable.place(of: candidate.item.indexed),
            names: mayJoin ? ThingNames(item.name, content.fields) : nil, item: isKept ? item : nil)
        return (found, item)
    }

    /// Whether the app of a scope is searched.
    private func isOn(_ scope: Scope) -> Bool {
        appsOff.isEmpty || scope.parts.first.map { !appsOff.contains($0) } ?? true
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

    // MARK: The results

    /// The number of results that can be taken now, if nothing of it is gone meanwhile.
    var readyCount: Int { groups.count + found.count }

    /// Whether as many results were taken as are wanted.
    var isFull: Bool { taken >= most }

    /// The items that were searched so far.
    func coverage() throws(StoreFailure) -> SearchCoverage {
        if isCut { return .cut }
        return try isMerging() || wasMerging == true ? .merging : .whole
    }

    /// Takes the next results, at most so many and about so many bytes, as they are at this moment.
    ///
    /// The things that were found are read once more, unless nothing has changed.
    func take(_ wanted: Int, bytes: Int = .max) throws(StoreFailure) -> [SearchReader.Found] {
        groups += Self.grouped(found)
        found = []
        var (results, size) = ([SearchReader.Found](), 0)
        do {
            noteVersion()
            while results.count < min(wanted, most - taken), size < bytes, let group = groups.first {
                var present: [SearchReader.Found] = []
                for thing in group { if let result = try self.present(thing) { present.append(result) } }
                groups = groups.dropFirst()
                guard let result = SearchReader.Found(joining: present) else { continue }
                if bytes < .max { size += result.byteCount }
                results.append(result)
            }
        } catch {
            guard stop.hasEndedSearch else { throw error }
            isCut = true
        }
        taken += results.count
        return results
    }

    /// Returns a thing as it is now; nil if it does not meet the query any more.
    private func present(_ thing: Found) throws(StoreFailure) -> SearchReader.Found? {
        switch thing.name {
        case .item(let number):
            if !hasChanged, let item = thing.item { return result(of: item) }
            return try match(number).map { result(of: $0.item) }
        case .activity(let identity):
            var related = RelatedItems(index, at: now)
            guard let activity = try saved.queried([identity], query, in: scope, at: now).first,
                try related.have(activity.names)
            else { return nil }
            return result(of: activity)
        }
    }

    private func result(of item: StoredItem) -> SearchReader.Found {
        var result = SearchReader.Found(item)
        if let attributes { result.show(attributes, of: item.content.fields) }
        return result
    }

    private func result(of activity: QueriedActivity) -> SearchReader.Found {
        var result = SearchReader.Found(thing: .activity(activity.found))
        result.devices = [activity.device].compactMap(\.self)
        if let attributes { result.show(attributes, of: activity.item.attributes.fields) }
        return result
    }

    /// Returns what is about one thing each, in the order of the best.
    ///
    /// Activities join others and the item that they are about. Two items stay two, because an app asks for each.
    private static func grouped(_ found: [Found]) -> [[Found]] {
        guard found.contains(where: \.isActivity) else { return found.map { [$0] } }
        var groups: [(place: Int, members: [Int])] = []
        for group in ThingNames.groups(found.compactMap(\.names)) {
            let items = group.filter { !found[$0].isActivity }
            let joined = group.filter { found[$0].isActivity || $0 == items.first }
            groups.append((joined[0], joined))
            groups += items.dropFirst().map { ($0, [$0]) }
        }
        return groups.sorted { $0.place < $1.place }.map { $0.members.map { found[$0] } }
    }
}

extension [Int64] {
    /// Returns those that are in another list, too; both are in ascending order.
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
    /// The scope of the index of an app in which this one is; nil if it is in none.
    fileprivate var index: Scope? {
        guard count >= 3, let index = outward([3]).first, index.parts[1] == "items" else { return nil }
        return index
    }

    /// Returns the scope of a domain in this one, by the parts of the domain.
    fileprivate func within(_ domain: [String]) -> Scope { Scope(parts + domain) }
}
