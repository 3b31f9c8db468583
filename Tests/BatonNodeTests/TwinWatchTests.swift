import BatonCore
import BatonNetwork
import Testing

@testable import BatonNode

/// What shows that another machine uses a device's identity, and what does not.
@Suite struct `A machine with a twin` {
    private let device = DeviceIdentifier(high: 7 << 40, low: 1)
    private let peer = DeviceIdentifier(high: 9 << 40, low: 2)
    private let started = WallTime(milliseconds: 1_000_000)

    private func life(_ random: UInt64, of device: DeviceIdentifier? = nil) -> Life {
        Life(after: .zero, of: device ?? self.device, random: random)
    }

    private func write(in life: Life, at milliseconds: Int64) -> [Write] {
        var journal = Journal(life: life, latest: .zero)
        let drafts = [Journal.Draft(.full(Write.Content(fields: Fields())), Device.key(device))]
        return journal.transaction(.activities, drafts, now: WallTime(milliseconds: milliseconds))?.writes
            ?? []
    }

    private func watch() -> TwinWatch { TwinWatch(of: device, in: life(1), since: started) }

    @Test func `has one if another life of its name goes on after it has started`() {
        var watch = watch()
        watch.noteToldAll(by: peer)
        #expect(watch.isShown(by: write(in: life(2), at: 1_000_001), from: peer))
    }

    @Test func `has none by what it wrote itself, before it started or since`() {
        var watch = watch()
        watch.noteToldAll(by: peer)
        // As after a home was put back.
        #expect(!watch.isShown(by: write(in: life(2), at: 999_999), from: peer))
        #expect(!watch.isShown(by: write(in: life(1), at: 1_000_001), from: peer))
        watch.begin(life(3))
        #expect(!watch.isShown(by: write(in: life(3), at: 1_000_001), from: peer))
        #expect(!watch.isShown(by: write(in: life(4, of: peer), at: 1_000_001), from: peer))
    }

    @Test func `has none by what a peer tells when the two meet, whatever clock it is dated by`() {
        #expect(!watch().isShown(by: write(in: life(2), at: 2_000_000), from: peer))
    }

    @Test func `is told of until no sign of it was seen for a while`() {
        var watch = watch()
        let start = MonotonicTime.now
        #expect(watch.trouble(at: start) == nil)
        let isFirstNews = watch.note("first", at: start)
        #expect(isFirstNews)
        let (later, end) = (start + TwinWatch.signTime / 2, start + TwinWatch.signTime * 2)
        let isSecondNews = watch.note("second", at: later)
        #expect(!isSecondNews)
        #expect(watch.trouble(at: start + TwinWatch.signTime) == "first")
        #expect(watch.trouble(at: end) == nil)
        let isThirdNews = watch.note("third", at: end)
        #expect(isThirdNews && watch.trouble(at: end) == "third")
    }

    @Test func `lacks changes if a peer has some that it made before it started`() {
        var watch = watch()
        #expect(watch.isSetBack(by: write(in: life(2), at: 999_999), from: peer))
        #expect(!watch.isSetBack(by: write(in: life(1), at: 999_999), from: peer))
        #expect(!watch.isSetBack(by: write(in: life(2, of: peer), at: 999_999), from: peer))
        #expect(!watch.isSetBack(by: write(in: life(2), at: 1_000_002), from: peer))
        let dot = write(in: life(2), at: 999_999)[0].dot
        let knowing = TwinWatch(
            of: device, in: life(1), since: started, knowing: VersionVector([(dot.origin, dot.sequence)]))
        #expect(!knowing.isSetBack(by: write(in: life(2), at: 999_999), from: peer), "it has that")
        watch.noteToldAll(by: peer)
        #expect(!watch.isSetBack(by: write(in: life(2), at: 999_999), from: peer))
    }

    @Test func `has one if a peer again and again has a newer connection with it elsewhere`() {
        var watch = watch()
        let other = DeviceIdentifier(high: 11 << 40, low: 3)
        let answers = [
            watch.noteEnd(with: peer, isReplacedElsewhere: true),
            watch.noteEnd(with: other, isReplacedElsewhere: true),
            watch.noteEnd(with: peer, isReplacedElsewhere: true),
            watch.noteEnd(with: other, isReplacedElsewhere: true),
            watch.noteEnd(with: other, isReplacedElsewhere: false),
            watch.noteEnd(with: other, isReplacedElsewhere: true),
            watch.noteEnd(with: peer, isReplacedElsewhere: true),
        ]
        #expect(answers == [false, false, false, false, false, false, true])
    }
}
