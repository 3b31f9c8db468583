import BatonCore

/// The activities of this device that the node passed with the last search.
///
/// These are the activities that the device keeps for itself, and its current activities.
struct LocalActivities {
    private var givenKept = KeptActivities()
    private(set) var kept: [RecordIdentity: SearchedActivity] = [:]
    private var keptUses: [RecordIdentity: Engagement] = [:]
    private var givenCurrent = KeptActivities()
    /// The current activities of this device.
    ///
    /// Each hides an earlier activity that was kept under the same name.
    private(set) var current: [RecordIdentity: SearchedActivity] = [:]

    /// Stores the activities that this device keeps for itself; returns whether these activities have changed.
    mutating func storeKept(_ given: KeptActivities) -> Bool {
        guard given != givenKept else { return false }
        (givenKept, kept) = (given, [:])
        keptUses = Dictionary(given.uses.map { ($0.key.key.identity, $0.value) }) { first, _ in first }
        for (name, activity) in given.activities {
            kept[name.key.identity] = SearchedActivity(name, activity, isHere: true)
        }
        return true
    }

    /// Stores the current activities of this device; returns whether these activities have changed.
    mutating func storeCurrent(_ given: KeptActivities) -> Bool {
        guard given != givenCurrent else { return false }
        (givenCurrent, current) = (given, [:])
        for (name, activity) in given.activities {
            current[name.key.identity] = SearchedActivity(name, activity, isHere: activity.staysHere)
        }
        return true
    }

    /// Whether an activity is kept by this device, or is current on this device.
    func has(_ identity: RecordIdentity) -> Bool { current[identity] != nil || kept[identity] != nil }

    /// Returns how the person used an activity that only this device keeps; nil if the person never opened the
    /// activity.
    func use(of identity: RecordIdentity) -> Engagement? { keptUses[identity] }
}
