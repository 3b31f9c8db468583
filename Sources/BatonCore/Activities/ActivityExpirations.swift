/// The expiration dates of the activities that a watcher may have in its list.
///
/// Nothing is written when an activity expires. Without these dates, a watcher would not learn that it has expired.
package struct ActivityExpirations: Sendable {
    private var dates: [RecordIdentity: WallTime] = [:]

    package init() {}

    // MARK: Commands

    /// Notes when an activity expires; nil means that it does not expire.
    ///
    /// At most `ActivityChangeLog.most` activities are remembered. If there are more, the ones that expire last are
    /// forgotten.
    package mutating func recordExpiration(_ identity: RecordIdentity, at date: WallTime?) {
        dates[identity] = date
        guard dates.count > ActivityChangeLog.most,
            let last = dates.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        else { return }
        dates[last.key] = nil
    }

    /// Removes the activities that have expired, and returns them.
    package mutating func removeExpired(at now: WallTime) -> [RecordIdentity] {
        let expired = dates.filter { $0.value <= now }.keys.sorted()
        for identity in expired { dates[identity] = nil }
        return expired
    }

    // MARK: Queries

    /// The date at which the next activity expires; nil if none does.
    package var nearest: WallTime? { dates.values.min() }
}
