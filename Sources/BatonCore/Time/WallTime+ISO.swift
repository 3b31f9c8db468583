extension WallTime {
    /// Parses a date in ISO 8601, with or without a time of day; returns nil if the text has another form.
    ///
    /// If the text has no zone, it is read as local time. The closure returns the number of seconds by which local time
    /// is ahead of universal time at a moment.
    package init?(iso text: String, offset: (WallTime) -> Int) {
        guard let time = Self.parse(text, offset) else { return nil }
        self = time
    }

    private static func parse(_ text: String, _ offset: (WallTime) -> Int) -> WallTime? {
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
        return rest.isEmpty ? civil.wallTime(at: offset) : nil
    }

    /// Reads a number that has exactly this number of digits, and removes it from the text.
    private static func digits(_ count: Int, _ rest: inout Substring.UTF8View) -> Int64? {
        let head = rest.prefix(count)
        guard head.count == count, head.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return head.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Removes one character from the text if the text begins with it; returns whether it did.
    private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
