import BatonCore
import Support
import Testing

struct StreamMultiplexerTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `bytes arrive whole and in order, and the end of a stream arrives after them`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var pair = StreamPair()
        try Self.play(&pair, &generator, steps: 1500, breaks: seed % 3 == 0)
        // Streams that have not finished do so now.
        try Self.finish(&pair)
        for (number, app) in pair.apps[0] {
            let other = pair.app(1, number)
            if pair.broken.contains(number) {
                #expect(app.breakage != nil || app.isDone)
                #expect(other.breakage != nil || other.isDone)
                // The received bytes are a prefix of the sent ones, and an end came only behind all of them.
                #expect(other.said.starts(with: app.heard) && app.said.starts(with: other.heard))
                #expect(!app.hasHeardEnd || app.heard == other.said)
            } else {
                #expect(app.isDone && other.isDone && app.breakage == nil && other.breakage == nil)
                #expect(app.heard == other.said && other.heard == app.said)
            }
        }
        // Both sides have forgotten all streams.
        #expect(pair.openCount == 0)
        let most = Limits.linkStreams * (Limits.streamWindowBytes + Limits.streamBacklogBytes + 4096)
        let wide = Limits.wideStreams * (Limits.streamWideWindowBytes - Limits.streamWindowBytes)
        #expect(pair.mostHeld <= 2 * (most + wide))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `the end of a link breaks all unfinished streams on both sides`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var pair = StreamPair()
        try Self.play(&pair, &generator, steps: generator.number(1...800), breaks: false)
        pair.cut()
        var isAnyBroken = false
        for side in 0...1 {
            for (number, app) in pair.apps[side] {
                // A stream that is done on this side has sent everything, and knows that it was taken; the other may
                // not have heard of that.
                #expect(app.isDone || app.breakage == .linkGone)
                if app.isDone { #expect(pair.app(1 - side, number).heard == app.said) }
                if app.hasTakenEnd { #expect(app.heard == pair.app(1 - side, number).said) }
                isAnyBroken = isAnyBroken || app.breakage != nil
            }
        }
        #expect(pair.openCount == 0)
        #expect(isAnyBroken || pair.apps[0].isEmpty || pair.apps[0].values.allSatisfy(\.isDone))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `when a side becomes private all unfinished streams break, and the link stays open`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var pair = StreamPair()
        try Self.play(&pair, &generator, steps: generator.number(1...800), breaks: false)
        pair.withhold(0)
        for app in pair.apps[0].values { #expect(app.isDone || app.breakage == .withheldHere) }
        // Bytes in transit by then are read to their end, and break no rule.
        try pair.settle()
        #expect(pair.openCount == 0)
        for (number, app) in pair.apps[1] {
            #expect(app.isDone || app.breakage == .withheldThere)
            if app.isDone { #expect(pair.app(0, number).heard == app.said) }
        }
        pair.withheld = nil
        for side in 0...1 { #expect(pair.open(side) != nil) }
        try pair.settle()
        #expect(pair.openCount == 4)
    }

    @Test func `a reader that reads nothing delays only its own stream`() throws {
        var pair = StreamPair()
        let (stalled, other): (UInt64, UInt64) = (1, 3)
        for _ in 0..<2 { pair.open(0) }
        try pair.settle()
        let piece = [UInt8](repeating: 7, count: 50_000)
        for _ in 0..<100 {
            for number in [stalled, other] { pair.say(0, number, piece) }
            try pair.settle()
            pair.take(1, other)
            try pair.settle()
        }
        #expect(pair.app(1, stalled).heard.count == Limits.streamWindowBytes)
        #expect(pair.app(1, other).heard.count == 100 * piece.count)
        #expect(pair.mostHeld <= 2 * (Limits.streamWindowBytes + Limits.streamBacklogBytes + piece.count))
        // Once it reads, all of it comes.
        for _ in 0..<20 {
            pair.take(1, stalled)
            try pair.settle()
        }
        #expect(pair.app(1, stalled).heard == pair.app(0, stalled).said)
    }

    @Test func `a limited number of streams with fast readers get the larger window`() throws {
        var pair = StreamPair()
        let numbers = (0..<Limits.wideStreams + 2).compactMap { _ in pair.open(0) }
        try pair.settle()
        for number in numbers { pair.say(0, number, [7]) }
        try pair.settle()
        for number in numbers { pair.take(1, number) }
        for number in numbers { pair.say(0, number, [UInt8](repeating: 8, count: 2 << 20)) }
        try pair.settle()
        let heard = numbers.map { pair.app(1, $0).heard.count }
        #expect(heard.prefix(Limits.wideStreams).allSatisfy { $0 == Limits.streamWideWindowBytes + 1 })
        #expect(heard.suffix(2) == [Limits.streamWindowBytes, Limits.streamWindowBytes])
    }

    @Test func `streams take turns sending`() throws {
        var pair = StreamPair()
        let numbers: [UInt64] = [1, 3, 5]
        for _ in numbers { pair.open(0) }
        try pair.settle()
        for number in numbers {
            for _ in 0..<2 { pair.say(0, number, [UInt8](repeating: 1, count: 40_000)) }
        }
        for _ in numbers {
            pair.pour(0)
            try pair.carry(to: 1)
        }
        #expect(numbers.allSatisfy { !pair.app(1, $0).heard.isEmpty })
    }

    @Test func `the number of streams in each direction is limited`() throws {
        var pair = StreamPair()
        for _ in 0..<Limits.linkStreams {
            pair.open(0)
            pair.open(1)
        }
        let (more, others) = (pair.open(0), pair.open(1))
        #expect(more == nil && others == nil)
        try pair.settle()
        #expect(pair.apps[0].count == 2 * Limits.linkStreams && pair.refusals.isEmpty)
        // A stream that is over makes room.
        pair.abort(0, 1)
        try pair.settle()
        let (again, other) = (pair.open(0), pair.open(1))
        #expect(again != nil && other == nil)
    }

    @Test func `a refused stream is forgotten on both sides`() throws {
        var pair = StreamPair()
        pair.refuses = [1]
        pair.open(0)
        try pair.settle()
        #expect(pair.refusals == [1: .gone] && pair.openCount == 0 && pair.apps[1].isEmpty)
    }

    // MARK: Playing

    /// All sent bytes are a part of this: no byte equals its neighbours.
    private static let pattern = (0..<100_256).map { UInt8(truncatingIfNeeded: $0) }

    /// Lets apps on both sides open, send, take, end and perhaps break streams at random, while the wire carries at
    /// random.
    private static func play(
        _ pair: inout StreamPair, _ generator: inout SeededGenerator, steps: Int, breaks: Bool
    ) throws {
        for _ in 0..<steps {
            let side = generator.number(0...1)
            let number = UInt64(generator.number(1...12))
            switch generator.number(0...19) {
            case 0 where pair.apps[0].count + pair.apps[1].count < 16: pair.open(side)
            case 1...5:
                let count = generator.chance(70) ? generator.number(0...3000) : generator.number(0...100_000)
                let first = generator.number(0...255)
                pair.say(side, number, Array(pattern[first..<first + count]))
            case 6...8: pair.take(side, number, most: generator.number(0...200_000))
            case 9 where generator.chance(20): pair.end(side, number)
            case 10 where breaks && generator.chance(5): pair.abort(side, number)
            case 11...14: pair.pour(side)
            default: try pair.carry(to: side)
            }
        }
    }

    /// Lets every app end its stream and take its bytes, until nothing moves.
    private static func finish(_ pair: inout StreamPair) throws {
        for _ in 0..<400 {
            for side in 0...1 {
                for number in pair.apps[side].keys.sorted() {
                    pair.end(side, number)
                    pair.take(side, number)
                }
            }
            try pair.settle()
        }
    }
}

extension StreamPair {
    /// Carries everything that may be carried.
    fileprivate mutating func settle() throws {
        repeat {
            for side in 0...1 {
                pour(side)
                pour(side)
                while !wires[side].isEmpty { try carry(to: side) }
            }
            for side in 0...1 { pour(side) }
        } while !wires[0].isEmpty || !wires[1].isEmpty
    }
}
