import BatonCore

/// The activities that ended and are eligible for search, kept in memory, and those that go on here.
///
/// They lie in another database than the items. A search takes up what has changed there since the last one, so no
/// write of an activity has to fill a table of words.
final class SavedActivities {
    let lane: LaneReader
    private let countMost: Int
    private let bytesMost: Int

    /// The replicated activities.
    private var replicated: [RecordIdentity: Entry] = [:]
    private var byteCount = 0
    /// Whether some activities are left out, because there are too many.
    private var isCut = false
    /// How far the changes of the store are known, and the state of the store then; nil if all activities are to be read.
    private var known: (order: ArrivalOrder, head: Arrival, version: Int64?)?
    /// The activities that this device keeps for itself, as they were given last.
    private var given = KeptActivities()
    private var kept: [RecordIdentity: Entry] = [:]
    /// The activities that go on here, as they were given last; each stands for what was kept under its name before.
    private var givenCurrent = KeptActivities()
    private var current: [RecordIdentity: Entry] = [:]
    private var keptUses: [RecordIdentity: Engagement] = [:]
    /// Activities that have changed since they were looked at for a vector; nil if all are to be looked at.
    private var unlooked: [RecordIdentity]?
    /// The number of activities with each word; nil until it is needed.
    private var counts: [[UInt8]: Int]?

    /// An activity, with all that a search needs of it.
    struct Entry {
        let found: FoundActivity
        let device: DeviceIdentifier?
        let names: ThingNames
        let facts: RankFacts
        /// The types of its content, as its app says.
        let contentTypes: [PropertyValue]
        /// The number of words in each column of its texts.
        var sizes: [Int] { text.sizes }
        fileprivate let text: IndexedText
        fileprivate let started: WallTime
        fileprivate let changed: WallTime
        /// The time from which it has expired; nil if there is none.
        let expiration: WallTime?

        fileprivate var byteCount: Int {
            256 + text.byteCount + names.byteCount + (found.title?.utf8.count ?? 0)
                + (found.summary?.utf8.count ?? 0) + (found.url?.utf8.count ?? 0)
        }
    }

    init(
        _ lane: LaneReader, countMost: Int = Limits.finishedActivities, bytesMost: Int = 8 << 20
    ) {
        (self.lane, self.countMost, self.bytesMost) = (lane, countMost, bytesMost)
    }

    // MARK: Keeping up

    /// If more records than this have changed since the last search, all activities are read.
    private static let changesMost = 4096

    /// Takes up what the store has taken since the last search, and what this device keeps for itself by now.
    func update(_ given: KeptActivities) throws(StoreFailure) {
        try reading { () throws(StoreFailure) in try takeUp() }
        keep(given)
    }

    /// Takes up the same for a search, and what goes on here.
    func update(_ scope: SearchScope) throws(StoreFailure) {
        try reading { () throws(StoreFailure) in try takeUp() }
        keepScope(scope)
    }

    private func keepScope(_ scope: SearchScope) {
        keep(scope.kept)
        guard scope.current != givenCurrent else { return }
        (givenCurrent, current, counts) = (scope.current, [:], nil)
        for (name, activity) in givenCurrent.activities {
            current[name.key.identity] = Entry(name, activity, isHere: activity.staysHere)
        }
    }

    /// Takes up what this device keeps for itself.
    private func keep(_ given: KeptActivities) {
        guard given != self.given else { return }
        (self.given, kept, counts) = (given, [:], nil)
        keptUses = Dictionary(given.uses.map { ($0.key.key.identity, $0.value) }) { first, _ in first }
        for (name, activity) in given.activities {
            kept[name.key.identity] = Entry(name, activity, isHere: true)
        }
        for identity in kept.keys { noteUnlooked(identity) }
    }

    /// Runs a closure on one moment of the activities.
    func reading<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        try lane.reading(body)
    }

    private func takeUp() throws(StoreFailure) {
        let version = lane.version
        if let known, let version, known.version == version { return }
        guard let progress = try lane.tables.progress.content() else {
            throw lane.tables.rows.damaged(.outOfRange)
        }
        let known = self.known.take()
        guard let known, known.order == progress.order, known.head <= progress.head,
            let changed = try lane.tables.records.changed(after: known.head, most: Self.changesMost),
            !changed.contains(where: { $0.identity.kind == .activitiesClear })
        else {
            try readAll()
            self.known = (progress.order, progress.head, version)
            return
        }
        var isGone = false
        for (_, identity) in changed where identity.kind == .savedActivity {
            let entry = try entry(of: identity)
            isGone = isGone || entry == nil
            set(identity, to: entry)
        }
        makeRoom()
        // Where one is gone, one that was left out may have room.
        if isGone, isCut { try readAll() }
        self.known = (progress.order, progress.head, version)
    }

    /// Reads all activities, those that changed last first.
    private func readAll() throws(StoreFailure) {
        (replicated, byteCount, isCut, counts) = ([:], 0, false, nil)
        var identities: [RecordIdentity] = []
        // Expiry is asked when a search is made.
        try lane.tables.activities.visit(.finished, at: .never) { entry in
            identities.append(entry.identity)
            return true
        }
        for identity in identities {
            guard !isCut, let entry = try entry(of: identity) else { continue }
            set(identity, to: entry)
            makeRoom()
        }
    }

    private func entry(of identity: RecordIdentity) throws(StoreFailure) -> Entry? {
        try stored(identity).flatMap { Entry($0, $1, isHere: false) }
    }

    private func set(_ identity: RecordIdentity, to entry: Entry?) {
        let old = replicated[identity]
        guard old != nil || entry != nil else { return }
        byteCount += (entry?.byteCount ?? 0) - (old?.byteCount ?? 0)
        (replicated[identity], counts) = (entry, nil)
        if entry != nil { noteUnlooked(identity) }
    }

    /// Drops the activities that changed first, as many as there is no room for.
    private func makeRoom() {
        guard replicated.count > countMost || byteCount > bytesMost else { return }
        isCut = true
        var order = replicated.keys.sorted { left, right in
            guard let first = replicated[left]?.changed, let second = replicated[right]?.changed,
                first != second
            else { return left < right }
            return first > second
        }
        while replicated.count > countMost || byteCount > bytesMost, let last = order.popLast() {
            set(last, to: nil)
        }
    }

    /// Returns how the person used an activity that only this device keeps; nil if the person never did.
    func use(of identity: RecordIdentity) -> Engagement? { keptUses[identity] }

    // MARK: Looking for those without a vector

    /// If more than this are to be looked at, all are.
    private var unlookedMost: Int { 2 * countMost }

    private func noteUnlooked(_ identity: RecordIdentity) {
        unlooked?.append(identity)
        if let unlooked, unlooked.count > unlookedMost { self.unlooked = nil }
    }

    /// Looks at all activities anew.
    func forgetMeanings() { unlooked = nil }

    /// Begins to look at all activities, unless it has begun.
    func beginLooking() { if unlooked == nil { unlooked = Array(replicated.keys) + Array(kept.keys) } }

    /// Returns an activity that is to be looked at.
    func nextUnlooked() -> RecordIdentity? { unlooked?.popLast() }

    /// The activities that this device keeps for itself and that are searched.
    var keptIdentities: [RecordIdentity] { Array(kept.keys) }

    // MARK: Searching

    /// The activities that a search may show, and which of them have its phrases.
    struct Matches {
        /// The number of all activities that the search may show.
        var all = 0
        /// The number of activities with each phrase.
        var counts: [Int]
        /// The activities with all phrases, and where these stand; nowhere, if only their meaning is near.
        var found: [(identity: RecordIdentity, entry: Entry, places: [TextRank.Place])] = []
    }

    /// Returns the activities that a search may show, with those that have all phrases, and with these others.
    func matches(
        _ phrases: [Phrase], or others: [RecordIdentity: Double] = [:], in scope: SearchScope,
        at now: WallTime
    ) -> Matches {
        let sought = phrases.map { IndexedText.Sought($0) }
        var matches = Matches(counts: [Int](repeating: 0, count: phrases.count))
        var places: [TextRank.Place] = []
        visitShown(in: scope, at: now) { identity, entry in
            matches.all += 1
            places.removeAll(keepingCapacity: true)
            let found = entry.text.find(sought, &places)
            for phrase in phrases.indices where found & 1 << UInt64(phrase) != 0 {
                matches.counts[phrase] += 1
            }
            let hasAll = found == IndexedText.all(of: sought)
            if hasAll || others[identity] != nil,
                scope.filter.admits(entry.found, entry.contentTypes, entry.facts.date)
            {
                matches.found.append((identity, entry, hasAll ? places : []))
            }
        }
        return matches
    }

    /// Returns those of some searches that find no activity at this time, also none that only this device keeps.
    func finding(none texts: [String], at now: WallTime) throws(StoreFailure) -> [String] {
        let notes = try reading { () throws(StoreFailure) in
            try lane.tables.notes.notes(in: .keptActivity)
        }
        let scope = SearchScope(kept: KeptActivities(notes))
        try update(scope)
        return texts.filter { matches(Phrase.all(of: $0), in: scope, at: now).found.isEmpty }
    }

    /// Drops those of the matches that do not meet the condition of a search.
    func limit(_ matches: inout Matches, by scope: SearchScope, at now: WallTime) throws(StoreFailure) {
        guard scope.condition != nil else { return }
        let met = Set(try queried(matches.found.map(\.identity), nil, in: scope, at: now).map(\.identity))
        matches.found.removeAll { !met.contains($0.identity) }
    }

    /// Visits the activities that a search may show.
    private func visitShown(
        in scope: SearchScope, at now: WallTime, _ body: (RecordIdentity, Entry) -> Void
    ) {
        for (identity, entry) in current where entry.isShown(identity, in: scope, at: now) {
            body(identity, entry)
        }
        for (identity, entry) in replicated where entry.isShown(identity, in: scope, at: now) {
            if current[identity] != nil { continue }
            // The one that ended last stands for both.
            if let kept = kept[identity], kept.found.ended >= entry.found.ended { continue }
            body(identity, entry)
        }
        for (identity, entry) in kept where entry.isShown(identity, in: scope, at: now) {
            if current[identity] != nil { continue }
            if let other = replicated[identity], other.found.ended > entry.found.ended { continue }
            body(identity, entry)
        }
    }

    /// Returns those of these activities that are still there.
    ///
    /// A deletion that was collected leaves nothing that says so.
    func present(_ identities: [RecordIdentity]) throws(StoreFailure) -> Set<RecordIdentity> {
        guard !identities.isEmpty else { return [] }
        return try reading { () throws(StoreFailure) in
            var present: Set<RecordIdentity> = []
            for identity in identities {
                if current[identity] != nil || kept[identity] != nil {
                    present.insert(identity)
                } else if try entry(of: identity) != nil {
                    present.insert(identity)
                } else {
                    set(identity, to: nil)
                }
            }
            return present
        }
    }

    /// The number of activities with each word.
    ///
    /// A word that is only in activities that may not be shown corrects nothing, because nothing is found with it then.
    var wordCounts: [[UInt8]: Int] {
        if let counts { return counts }
        var counts: [[UInt8]: Int] = [:]
        for entry in Array(replicated.values) + Array(kept.values) + Array(current.values) {
            for word in Set(entry.text.words) { counts[word, default: 0] += 1 }
        }
        self.counts = counts
        return counts
    }
}

/// Activities for queries, which are read where they lie: a query may compare any value.
extension SavedActivities {
    /// An activity that meets a query, or that a page of results shows.
    struct Queried {
        let identity: RecordIdentity
        let found: FoundActivity
        let device: DeviceIdentifier?
        let names: ThingNames
        /// The item as which queries see it.
        let item: Item
    }

    /// Returns the activities that queries may find, those that changed last first.
    func queryable(in scope: SearchScope, at now: WallTime) throws(StoreFailure) -> [RecordIdentity] {
        guard scope.filter.kind != .item else { return [] }
        keepScope(scope)
        var identities = Array(
            Set((Array(scope.current.activities.keys) + scope.kept.activities.keys).map(\.key.identity)))
        let here = Set(identities)
        try reading { () throws(StoreFailure) in
            try lane.tables.activities.visit(.finished, at: now) { entry in
                if !here.contains(entry.identity) { identities.append(entry.identity) }
                return identities.count < Limits.finishedActivities
            }
        }
        return identities
    }

    /// Returns those of these activities that a search may show now and that meet a query, if there is one.
    func queried(
        _ identities: some Collection<RecordIdentity>, _ query: SearchQuery?, in scope: SearchScope,
        at now: WallTime
    ) throws(StoreFailure) -> [Queried] {
        guard !identities.isEmpty else { return [] }
        keepScope(scope)
        let current = Dictionary(
            scope.current.activities.map { ($0.key.key.identity, ($0.key, $0.value)) }
        ) { first, _ in first }
        let kept = Dictionary(
            scope.kept.activities.map { ($0.key.key.identity, ($0.key, $0.value)) }
        ) { first, _ in first }
        return try reading { () throws(StoreFailure) in
            var all: [Queried] = []
            for identity in identities {
                var chosen = try stored(identity).map { (name: $0.0, activity: $0.1, isHere: false) }
                // One that is not searched hides none that is, as in a search for words.
                if let found = chosen, !found.activity.eligibility.contains(.search) { chosen = nil }
                // The one that ended last stands for both.
                if let (name, activity) = kept[identity],
                    chosen.map({ $0.activity.end.time <= activity.end.time }) ?? true
                {
                    chosen = (name, activity, true)
                }
                if let (name, activity) = current[identity] { chosen = (name, activity, activity.staysHere) }
                guard let chosen, let queried = Queried(chosen.name, chosen.activity, isHere: chosen.isHere),
                    queried.isShown(chosen.activity, in: scope, at: now),
                    query?.matches(queried.item) ?? true
                else { continue }
                all.append(queried)
            }
            return all
        }
    }

    private func stored(
        _ identity: RecordIdentity
    ) throws(StoreFailure) -> (SavedActivityName, Activity)? {
        guard let record = try lane.records.stored(identity)?.record, let key = record.key,
            let activity = record.savedActivity
        else { return nil }
        do throws(CBORError) {
            return (try SavedActivityName(key), activity)
        } catch {
            // A name of a newer version can't be shown.
            return nil
        }
    }
}

extension SavedActivities.Queried {
    /// Reads an activity; nil if searches may not find it.
    fileprivate init?(_ name: SavedActivityName, _ activity: Activity, isHere: Bool) {
        guard activity.eligibility.contains(.search) else { return nil }
        identity = name.key.identity
        found = FoundActivity(name, activity, isHere: isHere)
        (device, names) = (activity.origin?.device, ThingNames(name, activity))
        item = Item(seeing: activity)
    }

    fileprivate func isShown(_ activity: Activity, in scope: SearchScope, at now: WallTime) -> Bool {
        let types = [Attribute.contentType, .contentTypeTree].compactMap(activity.attributes.value)
        let facts = RankFacts(activity.attributes.fields, since: activity.end.time)
        return !activity.isExpired(at: now) && !scope.dismissals.hide(identity, activity)
            && !scope.appsOff.contains(found.app) && scope.filter.admits(found, types, facts.date)
            && scope.condition?.matches(item) ?? true
    }
}

extension SavedActivities {
    /// Returns the explanation of the activity whose identifier begins with a text, its identifier, and its names unless it
    /// was deleted; nil if nothing of it is here.
    func explain(
        _ call: ExplainActivity, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> (identifier: String, SearchExplanation, ThingNames?)? {
        guard let range = KeyHash.range(ofPrefix: call.identifier.lowercased()) else { return nil }
        try update(scope)
        for (given, entries) in [(scope.current, current), (scope.kept, kept)] {
            guard
                let (name, activity) = given.activities.first(where: {
                    range.contains($0.key.key.identity.hash)
                })
            else { continue }
            return explanation(of: name, activity, entries[name.key.identity], call, at: now, in: scope)
        }
        return try reading { () throws(StoreFailure) in
            var identity: RecordIdentity?
            try lane.tables.activities.visit(.finishedCalled(range), at: .never) { entry in
                identity = entry.identity
                return false
            }
            // A deletion is not in that table.
            identity = identity ?? RecordIdentity(kind: .savedActivity, hash: range.lowerBound)
            guard let identity, let record = try lane.records.stored(identity)?.record else { return nil }
            guard let key = record.key, let activity = record.savedActivity else {
                return (identity.hash.description, SearchExplanation(.deleted), nil)
            }
            do throws(CBORError) {
                return explanation(
                    of: try SavedActivityName(key), activity, replicated[identity], call, at: now, in: scope)
            } catch {
                return nil
            }
        }
    }

    private func explanation(
        of name: SavedActivityName, _ activity: Activity, _ entry: Entry?, _ call: ExplainActivity,
        at now: WallTime, in scope: SearchScope
    ) -> (identifier: String, SearchExplanation, ThingNames?) {
        let identity = name.key.identity
        var explanation = SearchExplanation(.shown, title: activity.title, app: name.app)
        if activity.isExpired(at: now) {
            explanation.outcome = .expired
        } else if !activity.eligibility.contains(.search) {
            explanation.outcome = .ineligible
        } else if scope.dismissals.hide(identity, activity) {
            explanation.outcome = .hidden
        } else if scope.appsOff.contains(name.app) {
            explanation.outcome = .appOff
        } else if SearchText(activity) == nil {
            explanation.outcome = .wordless
        } else if let entry {
            if let words = call.words { explanation.note(words, in: entry.text) }
        } else {
            explanation.outcome = .leftOut
        }
        return (identity.hash.description, explanation, ThingNames(name, activity))
    }
}

extension SavedActivities.Entry {
    /// Reads an activity; nil if searches may not find it, or it has no words.
    fileprivate init?(_ name: SavedActivityName, _ activity: Activity, isHere: Bool) {
        guard let text = activity.searchText else { return nil }
        found = FoundActivity(name, activity, isHere: isHere)
        (device, names) = (activity.origin?.device, ThingNames(name, activity))
        facts = RankFacts(activity.attributes.fields, since: activity.end.time)
        contentTypes = [Attribute.contentType, .contentTypeTree].compactMap(activity.attributes.value)
        self.text = IndexedText(text)
        (started, changed, expiration) = (activity.started, activity.changed, activity.expiration)
    }

    fileprivate func isShown(
        _ identity: RecordIdentity, in scope: SearchScope, at now: WallTime
    ) -> Bool {
        expiration.map { $0 > now } ?? true && !scope.dismissals.hide(identity, startedAt: started)
            && !scope.appsOff.contains(found.app)
    }
}

extension Activity {
    /// Whether no other device may have the activity.
    fileprivate var staysHere: Bool { !eligibility.contains(.handoff) }
}
