import BatonCore

/// The ended activities that are eligible for search, and the current activities of this device, kept in memory.
///
/// Activities are in another database than items. Each search first reads what has changed in that database since the
/// last search. So a write of an activity doesn't have to update a table of words.
final class SavedActivities {
    let lane: LaneReader
    private var replicated: ReplicatedActivities
    private var local = LocalActivities()
    /// The activities that this device keeps for itself and that the store has with a later end.
    ///
    /// `revision` is that of the replicated activities when they were compared. This is nil if they must be compared
    /// again.
    private var outdated: (identities: Set<RecordIdentity>, revision: Int)?
    /// The number of activities that have each word, and the revision of the replicated activities when they were
    /// counted.
    ///
    /// This is nil if the words must be counted again.
    private var counts: (words: [[UInt8]: Int], revision: Int)?
    /// The activities that have changed and were not checked for a vector since.
    private var unlooked: UnlookedActivities

    init(_ lane: LaneReader, _ limits: SearchLimits = SearchLimits()) {
        self.lane = lane
        replicated = ReplicatedActivities(
            lane, countMost: limits.activities, bytesMost: limits.activityBytes)
        unlooked = UnlookedActivities(most: 2 * limits.activities)
    }

    // MARK: Keeping up

    /// Reads the changes of the store since the last search, and replaces the activities that this device keeps for
    /// itself.
    func update(_ kept: KeptActivities) throws(StoreFailure) {
        try catchUp { storeKept(kept) }
    }

    /// Reads the changes of the store since the last search, and replaces the kept and the current activities of this
    /// device.
    func update(_ scope: SearchScope) throws(StoreFailure) {
        try catchUp { storeLocal(scope) }
    }

    /// Runs a closure in one read transaction of the activities.
    func reading<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        try lane.reading(body)
    }

    /// Reads the changes of the store in one read transaction, and runs a closure that replaces the activities of this
    /// device.
    private func catchUp(_ storeKept: () -> Void) throws(StoreFailure) {
        defer { for identity in replicated.drainRead() { unlooked.record(identity) } }
        try reading { () throws(StoreFailure) in
            try replicated.catchUp()
            storeKept()
            try compareKept()
        }
    }

    private func storeLocal(_ scope: SearchScope) {
        storeKept(scope.kept)
        if local.storeCurrent(scope.current) { counts = nil }
    }

    private func storeKept(_ given: KeptActivities) {
        guard local.storeKept(given) else { return }
        (counts, outdated) = (nil, nil)
        for identity in local.kept.keys { unlooked.record(identity) }
    }

    /// Finds the kept activities that ended later on another device.
    ///
    /// An activity for which there is no room in memory is read from the store.
    private func compareKept() throws(StoreFailure) {
        guard outdated?.revision != replicated.revision else { return }
        let (kept, entries) = (local.kept, replicated.entries)
        var later: Set<RecordIdentity> = []
        for (identity, activity) in kept {
            let inMemory = entries[identity]
            let stored = inMemory == nil && replicated.isCut ? try replicated.stored(identity) : inMemory
            if let stored, stored.found.ended > activity.found.ended { later.insert(identity) }
        }
        outdated = (later, replicated.revision)
    }

    /// Whether an activity that this device keeps ended later on another device.
    private func isOutdated(_ identity: RecordIdentity) -> Bool {
        outdated?.identities.contains(identity) ?? false
    }

    /// Returns how the person used an activity that only this device keeps; nil if the person never opened the
    /// activity.
    func use(of identity: RecordIdentity) -> Engagement? { local.use(of: identity) }

    // MARK: Searching by words

    /// Returns the activities that have all phrases, and the activities in `others`.
    ///
    /// Only activities that the search may show are returned.
    func matches(
        _ phrases: [Phrase], or others: [RecordIdentity: Double] = [:], in scope: SearchScope,
        at now: WallTime
    ) -> ActivityMatches {
        let sought = phrases.map { IndexedText.Sought($0) }
        var matches = ActivityMatches(phraseCount: phrases.count)
        var places: [TextRank.Place] = []
        visitShown(in: scope, at: now) { identity, activity in
            matches.all += 1
            places.removeAll(keepingCapacity: true)
            let found = activity.text.find(sought, &places)
            for phrase in phrases.indices where found & 1 << UInt64(phrase) != 0 {
                matches.counts[phrase] += 1
            }
            let hasAll = found == IndexedText.all(of: sought)
            if hasAll || others[identity] != nil,
                scope.filter.admits(activity.found, activity.contentTypes, activity.facts.date)
            {
                let match = ActivityMatches.Match(
                    identity: identity, activity: activity, places: hasAll ? places : [])
                matches.found.append(match)
            }
        }
        return matches
    }

    /// Removes the matches that don't meet the condition of a search.
    func limit(_ matches: inout ActivityMatches, by scope: SearchScope, at now: WallTime)
        throws(StoreFailure)
    {
        guard scope.condition != nil else { return }
        let met = Set(try queried(matches.found.map(\.identity), nil, in: scope, at: now).map(\.identity))
        matches.found.removeAll { !met.contains($0.identity) }
    }

    /// Returns those of the texts that find no activity at this time.
    ///
    /// Activities that only this device keeps are searched, too.
    func finding(none texts: [String], at now: WallTime) throws(StoreFailure) -> [String] {
        let notes = try reading { () throws(StoreFailure) in
            try lane.tables.notes.notes(in: .keptActivity)
        }
        let scope = SearchScope(kept: KeptActivities(notes))
        try update(scope)
        return texts.filter { matches(Phrase.all(of: $0), in: scope, at: now).found.isEmpty }
    }

    /// Visits the activities that a search may show.
    private func visitShown(
        in scope: SearchScope, at now: WallTime, _ body: (RecordIdentity, SearchedActivity) -> Void
    ) {
        let (current, kept) = (local.current, local.kept)
        for (identity, entry) in current where entry.isShown(identity, in: scope, at: now) {
            body(identity, entry)
        }
        for (identity, entry) in replicated.entries where entry.isShown(identity, in: scope, at: now) {
            if current[identity] != nil { continue }
            // If the activity is both replicated and kept by this device, the version that ended last is shown.
            if kept[identity] != nil, !isOutdated(identity) { continue }
            body(identity, entry)
        }
        for (identity, entry) in kept where entry.isShown(identity, in: scope, at: now) {
            if current[identity] != nil || isOutdated(identity) { continue }
            body(identity, entry)
        }
    }

    /// Returns which of these activities are still in the store.
    func present(_ identities: [RecordIdentity]) throws(StoreFailure) -> Set<RecordIdentity> {
        guard !identities.isEmpty else { return [] }
        return try reading { () throws(StoreFailure) in
            var present: Set<RecordIdentity> = []
            for identity in identities {
                // An activity that is in memory may have been removed since the search began.
                let isPresent = local.has(identity) ? true : try replicated.stored(identity) != nil
                if isPresent { present.insert(identity) }
            }
            return present
        }
    }

    /// The number of activities that have each word.
    ///
    /// Activities that may not be shown are counted, too. This does no harm, because a correction is used only if it
    /// finds something.
    var wordCounts: [[UInt8]: Int] {
        if let counts, counts.revision == replicated.revision { return counts.words }
        var words: [[UInt8]: Int] = [:]
        for activities in [replicated.entries, local.kept, local.current] {
            for activity in activities.values {
                for word in Set(activity.text.words) { words[word, default: 0] += 1 }
            }
        }
        counts = (words, replicated.revision)
        return words
    }

    // MARK: Queries

    /// Returns the activities that a query may find (`ActivityQueries.identities()`).
    func queryable(in scope: SearchScope, at now: WallTime) throws(StoreFailure) -> [RecordIdentity] {
        if scope.filter.kind != .item { storeLocal(scope) }
        return try ActivityQueries(lane: lane, scope: scope, now: now).identities()
    }

    /// Returns those of the given activities that a search may show now and that meet the query.
    ///
    /// If `query` is nil, only the first condition counts.
    func queried(
        _ identities: some Collection<RecordIdentity>, _ query: SearchQuery?, in scope: SearchScope,
        at now: WallTime
    ) throws(StoreFailure) -> [QueriedActivity] {
        guard !identities.isEmpty else { return [] }
        storeLocal(scope)
        return try ActivityQueries(lane: lane, scope: scope, now: now)
            .activities(identities, meeting: query)
    }

    // MARK: Vectors

    /// Makes the check for missing vectors begin again with all activities.
    func forgetMeanings() { unlooked.restart() }

    /// Begins to check all activities for missing vectors, unless the check has already begun.
    func beginLooking() {
        unlooked.begin(with: Array(replicated.entries.keys) + Array(local.kept.keys))
    }

    /// Returns the next activity to be checked for a vector; nil if there is none.
    func nextUnlooked() -> RecordIdentity? { unlooked.next() }

    /// The activities that this device keeps for itself and that are eligible for search.
    var keptIdentities: [RecordIdentity] { Array(local.kept.keys) }

    // MARK: Explaining

    /// Explains the activity whose identifier begins with a text; returns nil if the store knows no such activity.
    func explain(
        _ call: ExplainActivity, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> ActivityExplanation? {
        guard let range = KeyHash.range(ofPrefix: call.identifier.lowercased()) else { return nil }
        try update(scope)
        for (given, entries) in [(scope.current, local.current), (scope.kept, local.kept)] {
            let meant = given.activities.first { range.contains($0.key.key.identity.hash) }
            guard let (name, activity) = meant else { continue }
            let isReplaced = local.current[name.key.identity] == nil && isOutdated(name.key.identity)
            if isReplaced { continue }
            return ActivityExplanation(
                name, activity, entries[name.key.identity], words: call.words, at: now, in: scope)
        }
        return try reading { () throws(StoreFailure) in
            var identity: RecordIdentity?
            try lane.tables.activities.visit(.finishedCalled(range), at: .never) { entry in
                identity = entry.identity
                return false
            }
            // A deleted activity is not in the table of activities. It is found if `range` has its whole identifier.
            identity = identity ?? RecordIdentity(kind: .savedActivity, hash: range.lowerBound)
            guard let identity, let record = try lane.records.stored(identity)?.record else { return nil }
            guard record.key != nil, record.savedActivity != nil else {
                return ActivityExplanation(deleted: identity)
            }
            guard let (name, activity) = record.namedActivity else { return nil }
            return ActivityExplanation(
                name, activity, replicated.entries[identity], words: call.words, at: now, in: scope)
        }
    }
}
