/// The expiration dates of the activities that a watcher may have in its list.
///
/// Nothing is written when an activity expires, so without these dates a watcher would not learn of it.
package struct ActivityExpirations: Sendable {
    private var dates: [RecordIdentity: WallTime] = [:]

    package init() {}

    // MARK: Commands

    /// Notes when an activity expires; with nil, it does not.
    ///
    /// At most `ActivityChangeLog.most` activities are remembered: those that expire first.
    package mutating func recordExpiration(_ identity: RecordIdentity, at date: WallTime?) {
        dates[identity] = date
        guard dates.count > ActivityChangeLog.most,
            let last = dates.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        else { return }
        dates[last.key] = nil
    }

    /// Removes and returns the activities that have expired.
    package mutating func removeExpired(at now: WallTime) -> [RecordIdentity] {
        let expired = dates.filter { $0.value <= now }.keys.sorted()
        for identity in expired { dates[identity] = nil }
        return expired
    }

    // MARK: Queries

    /// The date at which the next activity expires; nil if none does.
    package var nearest: WallTime? { dates.values.min() }
}
