/// The time by which two nodes decide which records have expired, when they compare their states.
///
/// It is the beginning of a day. So two nodes usually choose the same time without a message, and a store's digest for
/// that time stays valid for a whole day. The time lies in the past. So a record that has expired by then is hidden on
/// every device whose clock is wrong by less than a day.
extension WallTime {
    /// The beginning of the day before this time's day, in UTC.
    package var compared: WallTime { WallTime(milliseconds: dayBegin).advanced(by: .zero - WallTime.day) }

    /// Whether two of these times are at most a day apart.
    ///
    /// In that case, states can be compared at either of them.
    package func isComparable(with other: WallTime) -> Bool {
        since(other) <= WallTime.day && other.since(self) <= WallTime.day
    }

    /// The length of a day, which is always 24 hours.
    package static let day = Duration.seconds(86_400)

    private var dayBegin: Int64 {
        let length: Int64 = 86_400_000
        let begun = milliseconds % length
        let (day, isBeforeAll) = milliseconds.subtractingReportingOverflow(begun < 0 ? begun + length : begun)
        return isBeforeAll ? .min : day
    }
}

extension AccountStore {
    /// Returns the store's summary for a session with the device `peer`.
    ///
    /// The summary includes the digest of the state at `now.compared`.
    package func summary(for peer: DeviceIdentifier, now: WallTime) throws(StoreFailure) -> StoreSummary {
        var summary = try summary(for: peer)
        summary.compared = now.compared
        summary.state = try check(at: now.compared)?.state
        return summary
    }

    /// Returns the check of the store's state at `time`.
    ///
    /// If the peer sent no time, it is the check at `now.compared`.
    ///
    /// Returns nil if the two times are too far apart, because then a clock is wrong. For a distant time, the store may
    /// already have swept records that would count. It could also be too expensive for the store to find the records
    /// that had expired by then.
    package func check(toldAt time: WallTime?, now: WallTime) throws(StoreFailure) -> StateCheck? {
        let compared = now.compared
        guard compared.isComparable(with: time ?? compared) else { return nil }
        return try check(at: time ?? compared)
    }
}
