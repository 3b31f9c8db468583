import BatonClient
import BatonCore
import Testing

@Suite struct `Times in words` {
    /// 20 November 2026, 21:04:05, a Friday.
    private let now = Example.now

    @Test(
        arguments: [
            (0, "just now"), (4, "just now"), (-30, "just now"), (5, "5 seconds ago"), (59, "59 seconds ago"),
            (60, "1 minute ago"), (180, "3 minutes ago"), (3599, "59 minutes ago"), (3600, "1 hour ago"),
            (20 * 3600, "20 hours ago"), (22 * 3600, "yesterday at 23:04"), (86_400, "yesterday at 21:04"),
            (3 * 86_400, "Tuesday at 21:04"), (10 * 86_400, "10 November at 21:04"),
            (400 * 86_400, "16 October 2025"),
            (-600, "today at 21:14"), (-86_400, "21 November at 21:04"),
        ] as [(Int64, String)]) func `a time is printed as a person would say it`(
            secondsAgo: Int64, text: String
        )
    {
        #expect(HumanTime.text(now.advanced(by: .seconds(-secondsAgo)), now: now) { _ in 0 } == text)
    }

    @Test func `today and yesterday depend on the local day`() {
        let then = now.advanced(by: .seconds(-7200))
        // Two hours ahead of universal time it is 23:04; four hours ahead, the day began an hour ago.
        #expect(HumanTime.text(then, now: now) { _ in 7200 } == "2 hours ago")
        #expect(HumanTime.text(then, now: now) { _ in 14_400 } == "yesterday at 23:04")
    }

    @Test func `extreme times can be printed`() {
        for extreme in [Int64.min, .max] {
            #expect(!HumanTime.text(WallTime(milliseconds: extreme), now: now) { _ in 0 }.isEmpty)
        }
    }
}

@Suite struct `Expiry times` {
    private func parse(_ text: String) throws(LocalFailure) -> Int64 {
        try TimeParser.parse(text, now: WallTime(milliseconds: 1_000_000)) { _ in 3600 }.milliseconds
    }

    @Test(
        arguments: [
            ("90s", 1_090_000), ("10m", 1_600_000), ("2h", 8_200_000), ("3d", 260_200_000),
            ("2026-11-20", 1_795_129_200_000), ("2026-11-20T21:04", 1_795_205_040_000),
            ("2026-11-20 21:04", 1_795_205_040_000), ("2026-11-20T21:04:05Z", 1_795_208_645_000),
            ("2026-11-20T21:04:05.123Z", 1_795_208_645_123), ("2026-11-20T21:04:05+01:00", 1_795_205_045_000),
            ("2026-11-20T21:04:05-0130", 1_795_214_045_000),
        ] as [(String, Int64)]) func `an expiry is a time span or a date`(text: String, milliseconds: Int64)
        throws
    {
        #expect(try parse(text) == milliseconds)
    }

    @Test(arguments: [
        "", "s", "10", "10x", "-5m", "1.5h", "soon", "2026-13-01", "2026-02-29", "2026-00-10",
        "2026-11-20T24:00",
        "2026-11-20T21", "2026-11-20T21:04:05.1Z", "2026-11-20Tx", "2026-11-20Z", "26-11-20",
        "2026-11-20T21:04Zz",
        "99999999999999999999d", "10000001d", "0s", "1970-01-01",
    ]) func `a malformed or past expiry is refused`(text: String) {
        #expect(failure { () throws(LocalFailure) in try parse(text) }?.code == .usage)
    }
}
