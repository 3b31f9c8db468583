/// A date that a query gives relative to the present, such as `$time.today(-7)`.
enum QueryTime: String, CaseIterable {
    case now
    case today
    case yesterday
    case thisWeek = "this_week"
    case lastWeek = "last_week"
    case thisMonth = "this_month"
    case thisYear = "this_year"

    /// The largest number that may be added or subtracted; nil if no number may be.
    ///
    /// With these limits all dates are within a million years, so no arithmetic overflows.
    var most: Int64? {
        switch self {
        case .now: 100_000_000_000
        case .today, .thisWeek, .thisMonth, .thisYear: 1_000_000
        case .yesterday, .lastWeek: nil
        }
    }

    /// Returns the date with a number of seconds, days, weeks, months or years added.
    ///
    /// All but `now` are the first moment of a day.
    func moment(adding amount: Int64, at present: PresentTime) -> WallTime {
        let today = present.civil
        var day = CivilTime(year: today.year, month: today.month, day: today.day)
        let sinceWeekBegan = (day.weekday + 7 - present.firstWeekday) % 7
        switch self {
        case .now: return present.now.advanced(by: .seconds(amount))
        case .today: day.day += amount
        case .yesterday: day.day -= 1
        case .thisWeek: day.day += 7 * amount - sinceWeekBegan
        case .lastWeek: day.day -= 7 + sinceWeekBegan
        case .thisMonth: day = Self.month(of: day, adding: amount)
        case .thisYear: day = CivilTime(year: day.year + amount, month: 1, day: 1)
        }
        return day.wallTime(at: present.offset)
    }

    /// Returns the first day of a month.
    private static func month(of day: CivilTime, adding amount: Int64) -> CivilTime {
        let months = day.year * 12 + day.month - 1 + amount
        let (year, month) = months.quotientAndRemainder(dividingBy: 12)
        return month < 0
            ? CivilTime(year: year - 1, month: month + 13, day: 1)
            : CivilTime(year: year, month: month + 1, day: 1)
    }
}
