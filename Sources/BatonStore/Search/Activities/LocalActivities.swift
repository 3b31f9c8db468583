import BatonCore

/// The activities that were passed with the last search: those that this device keeps for itself, and those that go on
/// here.
struct LocalActivities {
    private var givenKept = KeptActivities()
    private(set) var kept: [RecordIdentity: SearchedActivity] = [:]
    private var keptUses: [RecordIdentity: Engagement] = [:]
    private var givenCurrent = KeptActivities()
    /// The activities that go on here; each hides what was kept under its name before.
    private(set) var current: [RecordIdentity: SearchedActivity] = [:]

    /// Stores the activities that this device keeps for itself; returns whether they have changed.
    mutating func storeKept(_ given: KeptActivities) -> Bool {
        guard given != givenKept else { return false }
        (givenKept, kept) = (given, [:])
        keptUses = Dictionary(given.uses.map { ($0.key.key.identity, $0.value) }) { first, _ in first }
        for (name, activity) in given.activities {
            kept[name.key.identity] = SearchedActivity(name, activity, isHere: true)
        }
        return true
    }

    /// Stores the activities that go on here; returns whether they have changed.
    mutating func storeCurrent(_ given: KeptActivities) -> Bool {
        guard given != givenCurrent else { return false }
        (givenCurrent, current) = (given, [:])
        for (name, activity) in given.activities {
            current[name.key.identity] = SearchedActivity(name, activity, isHere: activity.staysHere)
        }
        return true
    }

    /// Whether an activity is kept or goes on here.
    func has(_ identity: RecordIdentity) -> Bool { current[identity] != nil || kept[identity] != nil }

    /// Returns how the person used an activity that only this device keeps; nil if the person never did.
    func use(of identity: RecordIdentity) -> Engagement? { keptUses[identity] }
}
