import BatonCore
import Support
import Testing

@Suite struct `Version vectors` {
    @Test(arguments: Seeds.first(10))
    func `can be joined in any order and grouping, and repeatedly, with the same result`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let (a, b, c) = (generator.vector(), generator.vector(), generator.vector())
            #expect(a.joined(b) == b.joined(a))
            #expect(a.joined(b).joined(c) == a.joined(b.joined(c)))
            #expect(a.joined(a) == a && a.joined(VersionVector()) == a)
            #expect(a.isWithin(a.joined(b)) && b.isWithin(a.joined(b)))
            #expect(a.isWithin(b) == (a.joined(b) == b))
        }
    }

    @Test(arguments: Seeds.first(10))
    func `split into what another vector covers and the rest`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let (a, b) = (generator.vector(), generator.vector())
            #expect(b.joined(a.beyond(b)) == b.joined(a))
            #expect(a.beyond(b).isEmpty == a.isWithin(b))
            #expect(a.restricted(to: .activities).joined(a.restricted(to: .index)) == a)
        }
    }

    @Test(arguments: Seeds.first(10))
    func `survive encoding, and have equal digests only if they are equal`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (a, b) = (generator.vector(), generator.vector())
        let read = try CBORReader.whole(a.encoded[...]) { (reader) throws(CBORError) in
            try VersionVector(from: &reader)
        }
        #expect(read == a)
        #expect((a.digest == b.digest) == (a == b))
        #expect(a.sorted.map(\.origin) == a.sorted.map(\.origin).sorted())
    }

    @Test func `cover an origin's transactions up to its sequence, and no other origin`() {
        let origin = Origin(life: Life(high: 1, low: 1), lane: .index)
        let vector = VersionVector([5, 3].map { (origin, $0) })
        #expect(vector[origin] == 5 && vector.count == 1)
        #expect(vector.covers(Dot(origin: origin, sequence: 5, place: 99)))
        #expect(!vector.covers(Dot(origin: origin, sequence: 6)))
        #expect(!vector.covers(Dot(origin: Origin(life: origin.life, lane: .activities), sequence: 1)))
    }

    @Test(arguments: Seeds.first(5))
    func `join in one pass with the same result as entry by entry`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let pairs = (0..<2).map { _ in
                (0..<generator.number(0...60)).map { _ in
                    (
                        Origin(life: Life(high: 0, low: UInt64(generator.number(1...80))), lane: .index),
                        UInt64(generator.number(1...9))
                    )
                }
            }
            let joined = VersionVector(pairs[0]).joined(VersionVector(pairs[1]))
            #expect(joined == VersionVector(pairs[0] + pairs[1]))
            #expect(joined.sorted.map(\.origin) == Set(pairs.joined().map(\.0)).sorted())
        }
    }

    @Test func `claim new origins only up to a limit, and extend known origins without limit`() {
        func origin(_ number: UInt64) -> Origin { Origin(life: Life(high: 0, low: number), lane: .index) }
        var vector = VersionVector([(origin(5), 1 as UInt64)])
        vector.claim(VersionVector((1...9).map { (origin($0), 2 as UInt64) }), origins: 3)
        #expect(vector == VersionVector([1, 2, 5].map { (origin($0), 2) }))
    }

    @Test(arguments: [
        // Out of order, twice the same, a sequence of zero, a sequence and a lane out of range, two parts only.
        ("82 8350\(two)0001 8350\(one)0001", CBORError.Reason.keysOutOfOrder),
        ("82 8350\(one)0001 8350\(one)0002", .keysOutOfOrder),
        ("81 8350\(one)0000", .outOfRange),
        ("81 8350\(one)001b8000000000000000", .outOfRange),
        ("81 8350\(one)0201", .outOfRange),
        ("81 8250\(one)00", .outOfRange),
        ("998001", .outOfRange),
    ])
    func `are refused in any non-canonical encoding`(_ hex: String, _ reason: CBORError.Reason) {
        let error = CBORReader.refusal(of: [UInt8](hex: hex)[...]) { (reader) throws(CBORError) in
            _ = try VersionVector(from: &reader)
        }
        #expect(error?.reason == reason)
    }

    /// Two lives, in hexadecimal.
    private static let one = "00000000000000000000000000000001"
    private static let two = "00000000000000000000000000000002"
}

extension VersionVector {
    /// The encoding of this vector alone.
    fileprivate var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }
}
