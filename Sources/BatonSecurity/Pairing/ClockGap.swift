/// How far apart the clocks of two machines are that are to belong to one account.
///
/// A machine whose clock is wrong must not join: where it is behind, its own certificate is not valid yet and it could
/// speak with nobody; where it is ahead, what it writes would count as the newest for as long as it was ahead.
struct ClockGap {
    /// What the clock here says, and what the one there says, in seconds since 1970.
    let here: Int64, there: Int64

    /// How far ahead a clock may be: as far as nodes bear with each other's.
    static let mostAhead: Int64 = 86_400

    /// Why it is too far, in words; nothing if it is not.
    func error(_ name: String) -> SecurityError? {
        // A clock that is absurd must not overflow the difference.
        let (gap, isAbsurd) = here.subtractingReportingOverflow(there)
        guard isAbsurd || gap < -Validity.backdating || gap > Self.mostAhead else { return nil }
        let isBehind = here < there
        let span = isAbsurd ? "ages" : Self.span(gap.magnitude)
        return SecurityError(
            .clocksDiffer,
            "The clock of this machine is \(span) \(isBehind ? "behind" : "ahead of") that of “\(name)”.")
    }

    /// A span of time, in its largest unit.
    private static func span(_ seconds: UInt64) -> String {
        let units: [(UInt64, String)] = [(31_556_952, "year"), (86_400, "day"), (3600, "hour")]
        for (unit, name) in units where seconds >= unit {
            let count = seconds / unit
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "an hour"
    }
}
