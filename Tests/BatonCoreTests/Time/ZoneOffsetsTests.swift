import BatonCore
import Testing

@Suite struct `Offsets of a zone` {
    private static let now = WallTime(milliseconds: 1_795_208_645_123)

    /// Returns the offset of a zone with summer time: an hour more from 31 March to 27 October.
    private static func berlin(_ time: WallTime) -> Int {
        let civil = CivilTime(time)
        let (day, hour) = (civil.month * 100 + civil.day, civil.hour)
        let isSummer =
            (day > 331 || (day == 331 && hour >= 1)) && (day < 1027 || (day == 1027 && hour < 1))
        return isSummer ? 7200 : 3600
    }

    @Test func `are right from sixty years ago to ten years ahead`() throws {
        let zone = ZoneOffsets(around: Self.now, Self.berlin)
        #expect(zone.changes.count >= 140)
        for hours in stride(from: -6 * 87_600, through: 87_000, by: 31) {
            let time = Self.now.advanced(by: .seconds(hours * 3600))
            #expect(zone.offset(at: time) == Self.berlin(time), "\(time)")
        }
        for change in zone.changes {
            let before = WallTime(milliseconds: change.moment.milliseconds - 1)
            #expect(zone.offset(at: before) == Self.berlin(before))
            #expect(zone.offset(at: change.moment) == Self.berlin(change.moment))
        }
    }

    @Test func `are limited in number, however often a clock changes`() {
        let zone = ZoneOffsets(around: Self.now) { Int($0.milliseconds % 5_000_000) }
        #expect(zone.changes.count <= 200)
        // The changes that are left out are the earliest.
        #expect(zone.changes.last.map { $0.moment > Self.now } ?? false)
        #expect(zone == ZoneOffsets(first: zone.first, changes: zone.changes))
        for end in [Int64.min, .max] {
            #expect(ZoneOffsets(around: WallTime(milliseconds: end)) { _ in 60 }.changes.isEmpty)
        }
    }

    @Test func `are refused if out of order or out of range`() {
        let change = { (time: Int64, offset: Int) in
            ZoneOffsets.Change(WallTime(milliseconds: time), offset)
        }
        #expect(ZoneOffsets(first: 0, changes: [change(1, 60), change(2, 0)])?.offset(at: Self.now) == 0)
        #expect(ZoneOffsets(first: 0, changes: [change(2, 60), change(1, 0)]) == nil)
        #expect(ZoneOffsets(first: 86_401, changes: []) == nil)
        #expect(ZoneOffsets(first: 0, changes: [change(1, -86_401)]) == nil)
        #expect(ZoneOffsets(first: 0, changes: (0...200).map { change(Int64($0), 60) }) == nil)
    }
}
