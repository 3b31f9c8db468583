import BatonCommand
import BatonCore
import ClientSupport
import Testing

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
