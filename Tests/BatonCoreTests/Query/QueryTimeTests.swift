import BatonCore
import Testing

/// Dates relative to the present, on calendars that have changes of the clock.
@Suite struct `A date in a query` {
    /// Central Europe in 2026: summer time from 29 March, 01:00, to 25 October, 01:00, in universal time.
    private static let berlin: @Sendable (WallTime) -> Int = { time in
        let summer = utc("2026-03-29T01:00Z")..<utc("2026-10-25T01:00Z")
        return summer.contains(time) ? 7200 : 3600
    }

    /// A zone whose clock goes from midnight to one o'clock on 20 November 2026.
    private static let skippingMidnight: @Sendable (WallTime) -> Int = {
        $0 < utc("2026-11-20T03:00Z") ? -10_800 : -7200
    }

    /// A zone whose clock goes from half past midnight on 20 November 2026 back to half past eleven.
    private static let repeatingMidnight: @Sendable (WallTime) -> Int = {
        $0 < utc("2026-11-20T02:30Z") ? -7200 : -10_800
    }

    private static func utc(_ text: String) -> WallTime { WallTime(iso: text) { _ in 0 }! }

    @Test(
        arguments: [
            ("$time.now", "2026-10-26T11:00Z"), ("$time.now(-90)", "2026-10-26T10:58:30Z"),
            ("$time.now(+3600)", "2026-10-26T12:00Z"),
            ("$time.today", "2026-10-25T23:00Z"), ("$time.today(0)", "2026-10-25T23:00Z"),
            ("$time.today(-1)", "2026-10-24T22:00Z"),
            ("$time.yesterday", "2026-10-24T22:00Z"), ("$time.today(1)", "2026-10-26T23:00Z"),
            ("$time.this_week", "2026-10-25T23:00Z"),
            ("$time.this_week(-1)", "2026-10-18T22:00Z"), ("$time.last_week", "2026-10-18T22:00Z"),
            ("$time.this_week(1)", "2026-11-01T23:00Z"),
            ("$time.this_month", "2026-09-30T22:00Z"), ("$time.this_month(1)", "2026-10-31T23:00Z"),
            ("$time.this_month(-10)", "2025-11-30T23:00Z"),
            ("$time.this_month(3)", "2026-12-31T23:00Z"), ("$time.this_year", "2025-12-31T23:00Z"),
            ("$time.this_year(-1)", "2024-12-31T23:00Z"),
            ("$time.iso(2026-10-25)", "2026-10-24T22:00Z"),
            ("$time.iso(2026-10-26T08:00)", "2026-10-26T07:00Z"),
            // The clock shows this twice, and the first counts.
            ("$time.iso(2026-10-25T02:30)", "2026-10-25T00:30Z"),
            // The clock never shows this.
            ("$time.iso(2026-03-29T02:30)", "2026-03-29T01:00Z"),
        ]) func `follows the person's clock and time zone`(date: String, expected: String) throws
    {
        let present = PresentTime(Self.utc("2026-10-26T11:00Z"), offset: Self.berlin)
        try Self.check(date, is: expected, present)
    }

    @Test(
        arguments: [
            ("2026-01-31T12:00Z", "$time.this_month(1)", "2026-02-01"),
            ("2026-03-31T12:00Z", "$time.this_month(-1)", "2026-02-01"),
            ("2026-03-01T12:00Z", "$time.today(-1)", "2026-02-28"),
            ("2028-03-01T12:00Z", "$time.yesterday", "2028-02-29"),
            ("2026-12-31T23:59:59Z", "$time.today(1)", "2027-01-01"),
            ("2026-01-01T00:00Z", "$time.this_month(-1)", "2025-12-01"),
            ("2026-01-01T00:00Z", "$time.this_week", "2025-12-29"),
            ("2026-11-22T12:00Z", "$time.this_week", "2026-11-16"),
            ("2026-11-23T00:00Z", "$time.this_week", "2026-11-23"),
            ("2028-02-29T12:00Z", "$time.this_year(1)", "2029-01-01"),
            ("2026-05-15T12:00Z", "$time.this_month(-17)", "2024-12-01"),
            ("2026-05-15T12:00Z", "$time.this_month(-16)", "2025-01-01"),
            ("0001-01-01T00:00Z", "$time.this_month(-13)", "-0001-12-01"),
        ]) func `counts correctly across the ends of months and years`(
            now: String, date: String, expected: String
        )
        throws
    {
        let present = PresentTime(Self.utc(now)) { _ in 0 }
        let moment = try Self.seconds(date, present)
        #expect(CivilTime(WallTime(milliseconds: Int64(moment * 1000))).date == expected)
    }

    @Test func `begins weeks on the person's first weekday`() throws {
        for (first, expected) in [(0, "2026-11-15"), (1, "2026-11-16"), (5, "2026-11-20"), (6, "2026-11-14")]
        {
            let present = PresentTime(Self.utc("2026-11-20T12:00Z"), firstWeekday: Int64(first)) { _ in 0 }
            try Self.check("$time.this_week", is: expected, present)
        }
    }

    @Test func `begins a day at the first moment of that day, even if midnight is skipped or repeated`()
        throws
    {
        let skipping = PresentTime(Self.utc("2026-11-20T12:00Z"), offset: Self.skippingMidnight)
        try Self.check("$time.today", is: "2026-11-20T03:00Z", skipping)
        try Self.check("$time.yesterday", is: "2026-11-19T03:00Z", skipping)
        let repeating = PresentTime(Self.utc("2026-11-20T12:00Z"), offset: Self.repeatingMidnight)
        try Self.check("$time.today", is: "2026-11-20T02:00Z", repeating)
        try Self.check("$time.today(1)", is: "2026-11-21T03:00Z", repeating)
    }

    @Test func `is exact for every date that apps store`() throws {
        // An app's library adds the same constant to its reference date.
        for seconds in [817_400_862.123, 0.1, -3.7, 1e-9] {
            let item = Item([.dueDate: .date(seconds + 978_307_200)])
            #expect(try SearchQuery("dueDate == \(seconds)", at: QueryCase.noon).matches(item), "\(seconds)")
        }
    }

    private static func check(_ date: String, is expected: String, _ present: PresentTime) throws {
        #expect(try seconds(date, present) == Double(utc(expected).milliseconds) / 1000)
    }

    /// Returns the seconds since 1970 that a date in a query stands for.
    private static func seconds(_ date: String, _ present: PresentTime) throws -> Double {
        let expression = try SearchQuery("dueDate == \(date)", at: present).expression
        guard case .comparison(let comparison) = expression else { throw DeadEnd() }
        return try #require(comparison.operand.seconds)
    }

    private struct DeadEnd: Error {}
}
