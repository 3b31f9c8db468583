import BatonCore

/// An activity, as a query compares it and as a page of results shows it.
struct QueriedActivity {
    let identity: RecordIdentity
    let found: FoundActivity
    let device: DeviceIdentifier?
    let names: ThingNames
    /// The item with which the query is compared instead of the activity.
    let item: Item

    /// Reads an activity; returns nil if searches may not find the activity.
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

/// Reads the activities for a query.
///
/// They are read from the database instead of memory, because a query may compare any attribute.
struct ActivityQueries {
    let lane: LaneReader
    /// Decides which activities may be shown.
    let scope: SearchScope
    let now: WallTime

    /// Returns the activities that a query may find.
    ///
    /// First come the current activities of this device and the activities that only this device keeps, in any order.
    /// Then the other ended activities follow, with the latest change first.
    func identities() throws(StoreFailure) -> [RecordIdentity] {
        guard scope.filter.kind != .item else { return [] }
        var identities = Array(
            Set((Array(scope.current.activities.keys) + scope.kept.activities.keys).map(\.key.identity)))
        let here = Set(identities)
        try lane.reading { () throws(StoreFailure) in
            try lane.tables.activities.visit(.finished, at: now) { entry in
                if !here.contains(entry.identity) { identities.append(entry.identity) }
                return identities.count < Limits.finishedActivities
            }
        }
        return identities
    }

    /// Returns those of the given activities that a search may show and that meet the query.
    ///
    /// If `query` is nil, only the first condition counts.
    func activities(
        _ identities: some Collection<RecordIdentity>, meeting query: SearchQuery?
    ) throws(StoreFailure) -> [QueriedActivity] {
        let current = Dictionary(
            scope.current.activities.map { ($0.key.key.identity, ($0.key, $0.value)) }
        ) { first, _ in first }
        let kept = Dictionary(
            scope.kept.activities.map { ($0.key.key.identity, ($0.key, $0.value)) }
        ) { first, _ in first }
        return try lane.reading { () throws(StoreFailure) in
            var all: [QueriedActivity] = []
            for identity in identities {
                let stored = try lane.records.stored(identity)?.record.namedActivity
                var chosen = stored.map { (name: $0.name, activity: $0.activity, isHere: false) }
                // As in a search by words, an activity that is not searched must not hide another one with the same
                // name.
                if let found = chosen, !found.activity.eligibility.contains(.search) { chosen = nil }
                // If the activity is both replicated and kept by this device, the version that ended last is shown.
                if let (name, activity) = kept[identity],
                    chosen.map({ $0.activity.end.time <= activity.end.time }) ?? true
                {
                    chosen = (name, activity, true)
                }
                if let (name, activity) = current[identity] { chosen = (name, activity, activity.staysHere) }
                guard let chosen,
                    let queried = QueriedActivity(chosen.name, chosen.activity, isHere: chosen.isHere),
                    queried.isShown(chosen.activity, in: scope, at: now),
                    query?.matches(queried.item) ?? true
                else { continue }
                all.append(queried)
            }
            return all
        }
    }
}
