import BatonCore

/// A search for the items and activities that meet a query, which runs in steps.
///
/// The search has five stages, and each stage has a type: the plan, the candidates that may meet the query, the matches
/// in the order of the results, the groups of matches about the same thing, and the results that are shown.
///
///     QueryPlan → QueryCandidates → QueryMatches → QueryGroup → ShownThing
///
/// Each step reads in one transaction of the index. If an item changes after a step has read it, the search may miss
/// the change. Results are checked again before they are shown.
final class QuerySearch {
    private let store: SearchedStore
    private var matcher: QueryMatcher
    private var candidates: QueryCandidates
    /// The activities that are still to be read; nil before the first step.
    private var activities: ArraySlice<RecordIdentity>?
    private var matches: QueryMatches
    /// The groups that are not shown yet, in the order of the results.
    private var groups: ArraySlice<QueryGroup> = []
    /// The number of results that were shown.
    private var shownCount = 0
    private var watch = IndexWatch()
    private var work: QueryWork
    /// Whether the search was ended because it took too long.
    private(set) var isCut = false

    init(_ request: QueryRequest, in store: SearchedStore) {
        self.store = store
        let plan = QueryPlan(request.query, app: request.scope.filter.app)
        matcher = QueryMatcher(request: request, plan: plan, store: store)
        candidates = QueryCandidates(plan, for: request, in: store)
        matches = QueryMatches(request, spare: store.limits.spareItems)
        work = QueryWork(stop: store.stop)
    }

    private var request: QueryRequest { matcher.request }

    /// Replaces the scope of the search and the present time.
    func renew(_ scope: SearchScope, at now: WallTime) {
        (matcher.request.scope, matcher.request.now) = (scope, now)
        watch.hasChanged = true
        candidates.renew(scope)
    }

    // MARK: Steps

    /// Runs all steps for which there is time, and returns what the closure `read` reads of the results.
    ///
    /// Before each step, it calls `demandWanted`, which throws once nobody waits for the results. The closure `read`
    /// runs in the same read transaction as the last step, unless the search ran out of time.
    func finish<Value: Sendable>(
        _ demandWanted: () throws(StoreFailure) -> Void, _ read: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        store.stop.beginSearch()
        do {
            while true {
                try demandWanted()
                let value = try store.step { () throws(StoreFailure) -> Value? in
                    if try goOn() { return nil }
                    // Reading the results has its own time limit. It takes little time, because it reads a limited
                    // number of items.
                    store.stop.beginSearch()
                    return try read()
                }
                if let value { return value }
            }
        } catch {
            try cut(error)
        }
        store.stop.beginSearch()
        return try store.step(read)
    }

    /// Runs steps until enough results are ready, or until other searches should run.
    ///
    /// Returns whether there are further steps.
    func goOn(
        until wanted: Int, _ demandWanted: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Bool {
        store.stop.beginSearch()
        var (isMore, steps) = (true, 0)
        do {
            while isMore, readyCount < wanted, steps < store.limits.pageSteps {
                try demandWanted()
                isMore = try store.step { () throws(StoreFailure) in try goOn() }
                steps += 1
            }
        } catch {
            try cut(error)
        }
        store.stop.beginSearch()
        return isMore
    }

    /// Notes that the search took too long, if this is the reason of the failure; rethrows any other failure.
    private func cut(_ failure: StoreFailure) throws(StoreFailure) {
        guard store.stop.hasEndedSearch else { throw failure }
        isCut = true
    }

    /// Runs one step; returns whether there are further steps.
    private func goOn() throws(StoreFailure) -> Bool {
        try work.demand(0)
        watch.readVersion(of: store.index)
        let isFilled = try store.index.tables.search.isFilled()
        let isFirst = try watch.readMerging(of: store.index)
        if isFirst {
            try candidates.begin(isFilled: isFilled)
            let queryable = try store.saved.queryable(in: request.scope, at: request.now)
            activities = queryable[...]
            matcher.mayJoin = !queryable.isEmpty
        } else if !isFilled {
            candidates.leaveEmptiedTable()
        }
        if watch.hasChanged { candidates.leaveWalk() }
        var (items, refills) = (store.limits.stepItems, Self.refillsMost)
        let bytes = work.bytes + QueryWork.stepBytes
        repeat {
            try candidates.refill()
            refills -= 1
            try look(atMost: &items, until: bytes)
            if let walk = candidates.finishedWalk, matches.areComplete(after: walk) { candidates.dropAll() }
        } while candidates.isWalking && refills > 0 && items > 0 && work.bytes < bytes
        if candidates.isAtEnd { try lookAtActivities() }
        return !candidates.isAtEnd || !(activities ?? []).isEmpty
    }

    /// The largest number of times that one step reads further rows of a walk.
    ///
    /// A walk reads few rows at first. So the first results are often found in one step.
    private static let refillsMost = 8

    /// Compares waiting candidates with the query, until `most` candidates were compared or `bytes` bytes were read in
    /// all; `most` is reduced by the number of these candidates.
    private func look(atMost most: inout Int, until bytes: Int) throws(StoreFailure) {
        while most > 0, work.bytes < bytes, let number = candidates.next() {
            most -= 1
            guard matches.maySurpass(candidates.place(of: number)) else {
                // All further candidates are older.
                return candidates.dropWaiting()
            }
            try look(at: number)
        }
    }

    /// Adds the item of a candidate if it meets the query.
    private func look(at number: Int64) throws(StoreFailure) {
        guard try candidates.isAdmitted(number),
            let (match, _) = try matcher.item(number, keepsSmall: matches.keepsSmall, &work)
        else { return }
        matches.add(match, hasChanged: watch.hasChanged)
    }

    /// Compares further activities with the query, after all items were compared.
    private func lookAtActivities() throws(StoreFailure) {
        guard let rest = activities else { return }
        let step = rest.prefix(store.limits.stepActivities)
        try matcher.visitActivities(step, &work) { matches.add($0, hasChanged: watch.hasChanged) }
        activities = rest.dropFirst(step.count)
    }

    // MARK: The results

    /// The largest number of results that can be shown now; some of them may have been deleted.
    var readyCount: Int { groups.count + matches.count }

    /// Whether the wanted number of results was shown.
    var isFull: Bool { shownCount >= request.most }

    /// Returns which items the search has covered so far.
    func coverage() throws(StoreFailure) -> SearchCoverage {
        if isCut { return .cut }
        return try watch.hasUnmerged(in: store.index) ? .merging : .whole
    }

    /// Returns the next results as they are at this moment.
    ///
    /// It returns at most `wanted` results, and stops when they have about `bytes` bytes.
    ///
    /// The matches are read once more, unless nothing has changed and they were kept in memory.
    func nextResults(_ wanted: Int, bytes: Int = .max) throws(StoreFailure) -> [ShownThing] {
        groups += QueryGroup.groups(of: matches.drain())
        var (results, size) = ([ShownThing](), 0)
        do {
            watch.readVersion(of: store.index)
            while results.count < min(wanted, request.most - shownCount), size < bytes,
                let group = groups.first
            {
                let parts = try group.shown(by: matcher, hasChanged: watch.hasChanged, &work)
                groups = groups.dropFirst()
                guard let result = ShownThing(joining: parts) else { continue }
                if bytes < .max { size += result.byteCount }
                results.append(result)
            }
        } catch {
            try cut(error)
        }
        shownCount += results.count
        return results
    }
}
