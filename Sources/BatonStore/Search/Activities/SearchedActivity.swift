import BatonCore

/// An ended activity in memory, with all that a search by words needs of it.
struct SearchedActivity {
    let found: FoundActivity
    let device: DeviceIdentifier?
    let names: ThingNames
    let facts: RankFacts
    /// The types of its content, as its app says.
    let contentTypes: [PropertyValue]
    /// The words by which it is found.
    let text: IndexedText
    /// The time when it changed last.
    let changed: WallTime
    /// The time from which it has expired; nil if there is none.
    let expiration: WallTime?
    private let started: WallTime

    /// Reads an activity; nil if searches may not find it, or it has no words.
    init?(_ name: SavedActivityName, _ activity: Activity, isHere: Bool) {
        guard let text = activity.searchText else { return nil }
        found = FoundActivity(name, activity, isHere: isHere)
        (device, names) = (activity.origin?.device, ThingNames(name, activity))
        facts = RankFacts(activity.attributes.fields, since: activity.end.time)
        contentTypes = [Attribute.contentType, .contentTypeTree].compactMap(activity.attributes.value)
        self.text = IndexedText(text)
        (started, changed, expiration) = (activity.started, activity.changed, activity.expiration)
    }

    /// About how many bytes the activity takes in memory.
    var byteCount: Int {
        256 + text.byteCount + names.byteCount + (found.title?.utf8.count ?? 0)
            + (found.summary?.utf8.count ?? 0) + (found.url?.utf8.count ?? 0)
    }

    /// Whether a search may show the activity of this name, before the limits of the search are applied.
    func isShown(_ identity: RecordIdentity, in scope: SearchScope, at now: WallTime) -> Bool {
        expiration.map { $0 > now } ?? true && !scope.dismissals.hide(identity, startedAt: started)
            && !scope.appsOff.contains(found.app)
    }
}

extension Record {
    /// The saved activity with its name; nil if there is none.
    ///
    /// A name of a newer version can't be shown.
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
