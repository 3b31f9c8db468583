package import BatonCore

/// Parses an expiry: `90s`, `10m`, `2h`, `3d`, or a date.
package enum TimeParser {
    /// Returns the time.
    ///
    /// The offset of the time zone is given for any time.
    package static func parse(
        _ text: String, now: WallTime, offset: (WallTime) -> Int
    ) throws(LocalFailure) -> WallTime {
        guard let time = span(text).map({ now.advanced(by: $0) }) ?? date(text, offset: offset) else {
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

    /// A number of seconds, minutes, hours or days.
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

    /// A larger number is a typing error, in any unit.
    private static let longest: Int64 = 10_000_000

    /// A date in ISO 8601: a day, or a day and a time, in local time if no zone is given.
    static func date(_ text: String, offset: (WallTime) -> Int) -> WallTime? {
        var rest = text[...].utf8
        guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest),
            (1...12).contains(month),
            take("-", &rest), let day = digits(2, &rest), day >= 1,
            day <= CivilTime.days(inMonth: month, of: year)
        else { return nil }
        var civil = CivilTime(year: year, month: month, day: day)
        if take("T", &rest) || take(" ", &rest) {
            guard let hour = digits(2, &rest), hour < 24, take(":", &rest), let minute = digits(2, &rest),
                minute < 60
            else { return nil }
            (civil.hour, civil.minute) = (hour, minute)
            if take(":", &rest) {
                guard let second = digits(2, &rest), second < 60 else { return nil }
                civil.second = second
                if take(".", &rest) {
                    guard let millisecond = digits(3, &rest) else { return nil }
                    civil.millisecond = millisecond
                }
            }
            if take("Z", &rest) { return rest.isEmpty ? civil.wallTime() : nil }
            if let sign = take("+", &rest) ? 1 : take("-", &rest) ? -1 : nil {
                guard let hours = digits(2, &rest), hours < 24, take(":", &rest) || !rest.isEmpty,
                    let minutes = digits(2, &rest), minutes < 60, rest.isEmpty
                else { return nil }
                return civil.wallTime(offset: sign * Int(hours * 3600 + minutes * 60))
            }
        }
        guard rest.isEmpty else { return nil }
        // The offset depends on the result; one guess suffices, except for an hour in a year.
        let guess = civil.wallTime(offset: offset(civil.wallTime()))
        return civil.wallTime(offset: offset(guess))
    }

    /// Takes a number of exactly this many digits.
    private static func digits(_ count: Int, _ rest: inout Substring.UTF8View) -> Int64? {
        let head = rest.prefix(count)
        guard head.count == count, head.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return head.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Takes one character, if it comes next.
    private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
