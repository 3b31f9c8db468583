import BatonClient
import BatonCore
import ClientSupport
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
        ] as [(Int64, String)]) func `a recent time is printed in words, and an older time as a date`(
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
