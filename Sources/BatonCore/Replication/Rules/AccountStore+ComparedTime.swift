/// The time at which two nodes judge expiry when they compare their states.
///
/// It is the beginning of a day, so that two nodes usually choose the same time without a message, and a store's digest
/// for that time is good for a whole day. It lies in the past, so that a record that has expired by then is hidden on
/// every device whose clock is off by less than a day.
extension WallTime {
    /// The beginning, in UTC, of the day before the day that contains this time.
    package var compared: WallTime { WallTime(milliseconds: dayBegin).advanced(by: .zero - WallTime.day) }

    /// Whether two of these times are at most a day apart; then states can be compared at either of them.
    package func isComparable(with other: WallTime) -> Bool {
        since(other) <= WallTime.day && other.since(self) <= WallTime.day
    }

    /// The length of a day, always 24 hours.
    package static let day = Duration.seconds(86_400)

    private var dayBegin: Int64 {
        let length: Int64 = 86_400_000
        let begun = milliseconds % length
        let (day, isBeforeAll) = milliseconds.subtractingReportingOverflow(begun < 0 ? begun + length : begun)
        return isBeforeAll ? .min : day
    }
}

extension AccountStore {
    /// Returns the store's summary for a session with a device, with the digest of the state at `now.compared`.
    package func summary(for peer: DeviceIdentifier, now: WallTime) throws(StoreFailure) -> StoreSummary {
        var summary = try summary(for: peer)
        summary.compared = now.compared
        summary.state = try check(at: now.compared)?.state
        return summary
    }

    /// Returns the check of the store's state at `time`, or at `now.compared` if the peer sent no time.
    ///
    /// Returns nil if the times are too far apart, which means that a clock is wrong. For a distant time, the store may
    /// have swept too much, and finding the records that had expired by then may cost more than a peer may demand.
    package func check(toldAt time: WallTime?, now: WallTime) throws(StoreFailure) -> StateCheck? {
        let compared = now.compared
        guard compared.isComparable(with: time ?? compared) else { return nil }
        return try check(at: time ?? compared)
    }
}
