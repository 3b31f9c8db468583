import BatonCore
import Testing

@Suite struct `Civil time` {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"), (1_795_208_645_123, "2026-11-20T21:04:05.123Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"), (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+10000-01-01T00:00:00.000Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"), (.max, "+292278994-08-17T07:12:55.807Z"),
            (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)]) func `is written in ISO 8601`(milliseconds: Int64, text: String)
    {
        #expect(CivilTime(WallTime(milliseconds: milliseconds)).text == text)
    }

    @Test func `equals a calendar that counts day by day over eight centuries`() {
        var (year, month, day, weekday) = (Int64(1700), Int64(1), Int64(1), Int64(5))
        var days = CivilTime(year: 1700, month: 1, day: 1).days
        while year < 2500 {
            let civil = CivilTime(WallTime(milliseconds: days * 86_400_000 + 3_600_000))
            #expect(civil == CivilTime(year: year, month: month, day: day, hour: 1))
            #expect(civil.days == days && civil.weekday == weekday)
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            (day, days, weekday) = (day + 1, days + 1, (weekday + 1) % 7)
            if day > lengths[Int(month) - 1] { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
    }
}
