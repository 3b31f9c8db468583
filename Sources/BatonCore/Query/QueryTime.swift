/// A date that a query specifies relative to the present, such as `$time.today(-7)`.
enum QueryTime: String, CaseIterable {
    case now
    case today
    case yesterday
    case thisWeek = "this_week"
    case lastWeek = "last_week"
    case thisMonth = "this_month"
    case thisYear = "this_year"

    /// The largest number that a query may add to the date or subtract from it; nil if it may do neither.
    ///
    /// With these limits, all dates are within a million years of the present, so no arithmetic overflows.
    var most: Int64? {
        switch self {
        case .now: 100_000_000_000
        case .today, .thisWeek, .thisMonth, .thisYear: 1_000_000
        case .yesterday, .lastWeek: nil
        }
    }

    /// Returns the date after adding a number of seconds, days, weeks, months or years to it.
    ///
    /// Except for `now`, the result is the first moment of a day.
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

    /// Returns the first day of the month that is `amount` months after that of `day`.
    private static func month(of day: CivilTime, adding amount: Int64) -> CivilTime {
        let months = day.year * 12 + day.month - 1 + amount
        let (year, month) = months.quotientAndRemainder(dividingBy: 12)
        return month < 0
            ? CivilTime(year: year - 1, month: month + 13, day: 1)
            : CivilTime(year: year, month: month + 1, day: 1)
    }
}
