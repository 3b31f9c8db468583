import BatonCore

/// The parts of an activity that a search by words needs, kept in memory.
struct SearchedActivity {
    let found: FoundActivity
    let device: DeviceIdentifier?
    let names: ThingNames
    let facts: RankFacts
    /// The types of the activity's content, which the app has given.
    let contentTypes: [PropertyValue]
    /// The words by which the activity is found.
    let text: IndexedText
    /// The time when the activity changed last.
    let changed: WallTime
    /// The time at which the activity expires; nil if it never expires.
    let expiration: WallTime?
    private let started: WallTime

    /// Reads an activity; returns nil if searches may not find the activity, or if it has no words.
    init?(_ name: SavedActivityName, _ activity: Activity, isHere: Bool) {
        guard let text = activity.searchText else { return nil }
        found = FoundActivity(name, activity, isHere: isHere)
        (device, names) = (activity.origin?.device, ThingNames(name, activity))
        facts = RankFacts(activity.attributes.fields, since: activity.end.time)
        contentTypes = [Attribute.contentType, .contentTypeTree].compactMap(activity.attributes.value)
        self.text = IndexedText(text)
        (started, changed, expiration) = (activity.started, activity.changed, activity.expiration)
    }

    /// The approximate number of bytes that the activity takes in memory.
    var byteCount: Int {
        256 + text.byteCount + names.byteCount + (found.title?.utf8.count ?? 0)
            + (found.summary?.utf8.count ?? 0) + (found.url?.utf8.count ?? 0)
    }

    /// Whether a search may show the activity, apart from the filter and the condition of the search.
    func isShown(_ identity: RecordIdentity, in scope: SearchScope, at now: WallTime) -> Bool {
        expiration.map { $0 > now } ?? true && !scope.dismissals.hide(identity, startedAt: started)
            && !scope.appsOff.contains(found.app)
    }
}

extension Record {
    /// The saved activity in this record, and its name; nil if there is none.
    ///
    /// This is also nil if a newer version of Baton wrote the name, which can't be shown.
    var namedActivity: (name: SavedActivityName, activity: Activity)? {
        guard let key, let activity = savedActivity else { return nil }
        do throws(CBORError) {
            return (try SavedActivityName(key), activity)
        } catch {
            return nil
        }
    }
}

extension Activity {
    /// Whether no other device may have the activity.
    var staysHere: Bool { !eligibility.contains(.handoff) }
}
