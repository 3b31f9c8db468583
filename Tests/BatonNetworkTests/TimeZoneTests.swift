import BatonNetwork
import Foundation
import Support
import Testing

/// The time zone of the person.
@Suite struct `The offset of the time zone` {
    /// A time zone whose clock goes an hour ahead 1,000 seconds before 1970, in the format of `tzfile`.
    static var zone: Data {
        let big = { (number: Int32) in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        // The numbers of changes, of offsets, and of bytes of their names come last.
        let counts: [Int32] = [0, 0, 0, 1, 2, 8]
        let offsets = big(0) + [0, 0] + big(3600) + [0, 4]
        let head = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16) + counts.flatMap(big)
        return Data(head + big(-1000) + [1] + offsets + Array("AAA\u{0}BBB\u{0}".utf8))
    }

    @Test func `a change of the UTC offset before 1970 takes effect at its exact millisecond`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/zone"
            try Self.zone.write(to: URL(fileURLWithPath: path))
            setenv("TZ", ":" + path, 1)
            tzset()
            let moments: [Int64] = [-2_000_000, -1_000_001, -1_000_000, -999_999, -1, 0, 1]
            #expect(moments.map { timeZoneOffset(at: $0) } == [0, 0] + [Int](repeating: 3600, count: 5))
            #expect(timeZoneOffset(at: .min) == 0 && timeZoneOffset(at: .max) == 3600)
        }
    }
}
