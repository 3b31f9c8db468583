package import BatonCore

/// Parses a time that a person typed: a time span such as `90s`, `10m`, `2h` or `3d`, or a date.
package enum TimeParser {
    /// Parses a time in the future.
    ///
    /// A time span begins now. The closure `offset` returns the offset of the local time zone at a time.
    package static func parse(
        _ text: String, now: WallTime, offset: (WallTime) -> Int
    ) throws(LocalFailure) -> WallTime {
        guard let time = span(text).map({ now.advanced(by: $0) }) ?? WallTime(iso: text, offset: offset)
        else {
            throw LocalFailure(
                .usage,
                "\(text) is not a time. Use 90s, 10m, 2h or 3d, or a date such as 2026-11-20 or 2026-11-20T21:04Z."
            )
        }
        guard time > now else {
            throw LocalFailure(.usage, "\(text) is in the past. Use a time in the future.")
        }
        return time
    }

    /// Parses a time in the past.
    ///
    /// For example, `3d` is three days ago. The closure `offset` returns the offset of the local time zone at a time.
    package static func parsePast(
        _ text: String, now: WallTime, offset: (WallTime) -> Int
    ) throws(LocalFailure) -> WallTime {
        guard
            let time = span(text).map({ now.advanced(by: .zero - $0) }) ?? WallTime(iso: text, offset: offset)
        else {
            throw LocalFailure(
                .usage,
                "\(text) is not a time. Use 90s, 10m, 2h or 3d ago, or a date such as 2026-11-20 or 2026-11-20T21:04Z."
            )
        }
        guard time <= now else {
            throw LocalFailure(.usage, "\(text) is in the future. Use a time in the past.")
        }
        return time
    }

    /// Parses a number of seconds, minutes, hours or days.
    private static func span(_ text: String) -> Duration? {
        guard let number = Int64(text.dropLast()), (0...longest).contains(number) else { return nil }
        switch text.last {
        case "s": return .seconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3600)
        case "d": return .seconds(number * 86_400)
        default: return nil
        }
    }

    /// The largest number that is accepted with any unit.
    ///
    /// A larger number is probably a typing error.
    private static let longest: Int64 = 10_000_000
}
