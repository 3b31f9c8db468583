/// The time at which two nodes judge what has expired when they compare what they hold.
///
/// It is coarse, so that two nodes mostly have the same one without a message, and the digest that a store keeps for it
/// serves a whole day. It is past, so that what has expired by it is hidden by every clock that is not wrong by a day.
extension WallTime {
    /// The beginning of the day before the one that contains this time, in UTC.
    package var compared: WallTime { WallTime(milliseconds: dayBegin).advanced(by: .zero - WallTime.day) }

    /// Whether two such times are close enough to compare at either of them: their clocks differ by about a day at
    /// most.
    package func isComparable(with other: WallTime) -> Bool {
        since(other) <= WallTime.day && other.since(self) <= WallTime.day
    }

    /// The length of a day as it is counted here.
    package static let day = Duration.seconds(86_400)

    private var dayBegin: Int64 {
        let length: Int64 = 86_400_000
        let begun = milliseconds % length
        let (day, isBeforeAll) = milliseconds.subtractingReportingOverflow(begun < 0 ? begun + length : begun)
        return isBeforeAll ? .min : day
    }
}

extension AccountStore {
    /// Returns what the store has, for a session with that device, compared at the time that follows from the present
    /// one.
    package func summary(for peer: DeviceIdentifier, now: WallTime) throws(StoreFailure) -> StoreSummary {
        var summary = try summary(for: peer)
        summary.compared = now.compared
        summary.state = try check(at: now.compared)?.state
        return summary
    }

    /// Returns what is compared at the time that a peer sent, or at the one that follows from the present time.
    ///
    /// Nil if a clock is wrong: for a time far from the present one the store may have swept too much, and to find out
    /// what has expired by it may cost more than a peer should be able to make this device pay.
    package func check(toldAt time: WallTime?, now: WallTime) throws(StoreFailure) -> StateCheck? {
        let compared = now.compared
        guard compared.isComparable(with: time ?? compared) else { return nil }
        return try check(at: time ?? compared)
    }
}
