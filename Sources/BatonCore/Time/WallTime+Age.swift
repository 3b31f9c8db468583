extension WallTime {
    /// Returns the age of this time at the time `now` in a short form: `now`, `40s`, `2m`, `3h`, `5d`, `9w`, or `2y`.
    ///
    /// A time in the future is shown as `in 3h`, for example. Such a time may come from another machine's clock.
    package func shortAge(at now: WallTime) -> String {
        let seconds = now.since(self).components.seconds
        // The clocks of two machines may differ by a few seconds.
        guard !(-60..<5 ~= seconds) else { return "now" }
        return seconds < 0 ? "in " + Self.short(-seconds) : Self.short(seconds)
    }

    private static func short(_ seconds: Int64) -> String {
        let (minute, hour, day): (Int64, Int64, Int64) = (60, 3600, 86_400)
        return switch seconds {
        case ..<minute: "\(seconds)s"
        case ..<hour: "\(seconds / minute)m"
        case ..<day: "\(seconds / hour)h"
        case ..<(14 * day): "\(seconds / day)d"
        case ..<(365 * day): "\(seconds / (7 * day))w"
        default: "\(seconds / (365 * day))y"
        }
    }
}
