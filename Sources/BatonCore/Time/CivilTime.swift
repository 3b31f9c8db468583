/// A date and time of day in the Gregorian calendar, computed without a library.
package struct CivilTime: Equatable, Sendable {
    package var year: Int64
    package var month: Int64
    package var day: Int64
    package var hour: Int64
    package var minute: Int64
    package var second: Int64
    package var millisecond: Int64

    package init(
        year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0,
        millisecond: Int64 = 0
    ) {
        (self.year, self.month, self.day) = (year, month, day)
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// Creates the date and time that a clock shows at a moment, if the clock is `offset` seconds ahead of universal
    /// time.
    package init(_ time: WallTime, offset: Int = 0) {
        let (seconds, millisecond) = Self.divide(time.milliseconds, by: 1000)
        let (days, second) = Self.divide(seconds + Int64(offset), by: Self.daySeconds)
        self.init(
            days: days, hour: second / 3600, minute: second / 60 % 60, second: second % 60,
            millisecond: millisecond)
    }

    /// Creates a date from the number of days since 1 January 1970.
    ///
    /// In this computation, years begin in March, so that a leap day is the last day of its year. A period of 400 years
    /// has 146,097 days.
    private init(days: Int64, hour: Int64, minute: Int64, second: Int64, millisecond: Int64) {
        let (era, dayOfEra) = Self.divide(days + Self.epoch, by: Self.eraDays)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * march + 2) / 5 + 1, hour: hour, minute: minute, second: second,
            millisecond: millisecond)
    }

    /// The number of days since 1 January 1970.
    package var days: Int64 {
        let (era, yearOfEra) = Self.divide(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * Self.eraDays + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.epoch
    }

    /// The day of the week, from 0 for Sunday.
    package var weekday: Int64 { Self.divide(days + 4, by: 7).remainder }

    /// Returns the moment at which a clock shows this date and time, if the clock is `offset` seconds ahead of
    /// universal time.
    package func wallTime(offset: Int = 0) -> WallTime {
        let seconds = days * Self.daySeconds + hour * 3600 + minute * 60 + second - Int64(offset)
        return WallTime(milliseconds: seconds * 1000 + millisecond)
    }

    /// Returns the first moment at which a clock shows this date and time.
    ///
    /// The closure returns how many seconds the clock is ahead of universal time at a moment.
    ///
    /// When clocks are set back, some times occur twice, and the first occurrence is returned. When clocks are set
    /// forward, some times are skipped. For a skipped time, the moment of the change is returned. A zone is assumed to
    /// change at most once in two days.
    package func wallTime(at offset: (WallTime) -> Int) -> WallTime {
        let universal = wallTime()
        let (before, after) = (
            offset(universal.advanced(by: .seconds(-Self.daySeconds))),
            offset(universal.advanced(by: .seconds(Self.daySeconds)))
        )
        let (early, late) = (wallTime(offset: max(before, after)), wallTime(offset: min(before, after)))
        for moment in [early, late] where Self.isShown(self, at: moment, offset) { return moment }
        // The clock skips this time at a change between the two moments. The search finds the change.
        var (low, high) = (early.milliseconds, late.milliseconds)
        while high - low > 1 {
            let middle = WallTime(milliseconds: low + (high - low) / 2)
            if offset(middle) == before { low = middle.milliseconds } else { high = middle.milliseconds }
        }
        return WallTime(milliseconds: high)
    }

    private static func isShown(_ civil: CivilTime, at moment: WallTime, _ offset: (WallTime) -> Int) -> Bool
    {
        civil.wallTime(offset: offset(moment)) == moment
    }

    /// The time as universal time in ISO 8601, such as `2026-11-20T21:04:05.123Z`.
    package var text: String {
        date + "T" + timeOfDay + "." + Self.padded(millisecond, to: 3) + "Z"
    }

    /// The date in ISO 8601, such as `2026-11-20`.
    package var date: String {
        let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
        return sign + Self.padded(abs(year), to: 4) + "-" + Self.padded(month) + "-" + Self.padded(day)
    }

    /// The hours, minutes and seconds, such as `21:04:05`.
    package var timeOfDay: String { clock + ":" + Self.padded(second) }

    /// The hours and minutes, such as `21:04`.
    package var clock: String { Self.padded(hour) + ":" + Self.padded(minute) }

    /// Returns the number of days in a month.
    package static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        let next =
            month == 12
            ? CivilTime(year: year + 1, month: 1, day: 1) : CivilTime(year: year, month: month + 1, day: 1)
        return next.days - CivilTime(year: year, month: month, day: 1).days
    }

    /// Returns a number with leading zeros, so that it has at least `count` digits.
    private static func padded(_ number: Int64, to count: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// Divides two numbers and rounds down.
    ///
    /// So the remainder is not negative, even for a time before 1970.
    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static let daySeconds: Int64 = 86_400
    private static let eraDays: Int64 = 146_097
    /// The number of days from 1 March of the year 0 to 1 January 1970.
    private static let epoch: Int64 = 719_468
}
