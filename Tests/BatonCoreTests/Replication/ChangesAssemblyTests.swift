import BatonCore
import Support
import Testing

/// Tests of the writes that are gathered for one batch, and of the positions that are sent with it.
@Suite struct `A batch of changes that is being gathered` {
    private static let complete = VersionVector([(SessionScript.origin(1, .index), 9 as UInt64)])

    private static func write(_ sequence: UInt64) -> Write { SessionScript.write(sequence, .index) }

    private static func clear(_ sequence: UInt64) -> Write {
        .clear(.items(app: "a", index: "\(sequence)", domain: nil), at: sequence)
    }

    private static func assembly(
        after: UInt64 = 0, clearsAfter: UInt64? = nil, covered: VersionVector = VersionVector(),
        bytes: Int = .max
    ) -> ChangesAssembly {
        ChangesAssembly(
            ChangesRequest(
                lane: .index, after: Arrival(value: after),
                clearsAfter: clearsAfter.map(Arrival.init(value:)),
                covered: covered, bytes: bytes))
    }

    private static func wants(_ assembly: inout ChangesAssembly, _ write: Write, at place: UInt64) -> Bool {
        assembly.wants((write.dot.origin, write.dot.sequence), at: Arrival(value: place))
    }

    /// Offers a write as a store does; returns whether it was taken.
    private static func offer(_ assembly: inout ChangesAssembly, _ write: Write, at place: UInt64) -> Bool {
        wants(&assembly, write, at: place) && add(&assembly, write, at: place)
    }

    private static func add(_ assembly: inout ChangesAssembly, _ write: Write, at place: UInt64) -> Bool {
        assembly.add(write, at: Arrival(value: place))
    }

    private static func offer(_ assembly: inout ChangesAssembly, clear: Write, at place: UInt64) -> Bool {
        assembly.add(clear: clear, at: Arrival(value: place))
    }

    /// Returns the gathered writes, as numbers of places.
    private static func told(_ assembly: ChangesAssembly, head: UInt64) -> (next: UInt64, clears: UInt64) {
        let changes = assembly.changes(upTo: Arrival(value: head), claiming: complete)
        return (changes.next.value, changes.clears.value)
    }

    @Test func `ends at the head with a claim if everything was read`() {
        var assembly = Self.assembly()
        #expect(Self.offer(&assembly, clear: Self.clear(3), at: 3))
        #expect(Self.offer(&assembly, Self.write(1), at: 1))
        #expect(!assembly.isAtEnd)
        let changes = assembly.changes(upTo: Arrival(value: 7), claiming: Self.complete)
        #expect(changes.writes == [Self.clear(3), Self.write(1)], "clears first")
        #expect(changes.next.value == 7 && changes.clears.value == 7 && changes.complete == Self.complete)
    }

    @Test func `stops at a clear that does not fit, and moves no position past the clear`() {
        var assembly = Self.assembly(after: 1, clearsAfter: 2, covered: Self.complete, bytes: 1)
        #expect(Self.offer(&assembly, clear: Self.clear(3), at: 3))
        #expect(!assembly.isAtEnd)
        #expect(!Self.offer(&assembly, clear: Self.clear(4), at: 4))
        #expect(assembly.isAtEnd)
        // Writes behind the clear are neither skipped nor taken, whether the peer has them or not.
        #expect(!Self.wants(&assembly, Self.write(9), at: 5))
        #expect(!Self.add(&assembly, Self.write(10), at: 6))
        let changes = assembly.changes(upTo: Arrival(value: 7), claiming: Self.complete)
        #expect(changes.writes == [Self.clear(3)] && changes.complete == nil)
        #expect(changes.next.value == 1, "no write was told")
        #expect(changes.clears.value == 3, "the clear behind it was not told")
    }

    @Test
    func `stops at a write that does not fit, and leaves the clears' position unchanged`() {
        var assembly = Self.assembly(after: 1, clearsAfter: 2, bytes: Self.clear(4).byteCount + 1)
        #expect(Self.offer(&assembly, clear: Self.clear(4), at: 4))
        #expect(Self.offer(&assembly, Self.write(2), at: 2))
        #expect(!Self.offer(&assembly, Self.write(3), at: 3))
        #expect(assembly.isAtEnd && Self.told(assembly, head: 7) == (2, 4))
        // A write that the peer has by then also stays for the next read.
        var covered = Self.assembly(covered: Self.complete, bytes: 1)
        #expect(Self.offer(&covered, Self.write(10), at: 2))
        #expect(!Self.offer(&covered, Self.write(11), at: 3))
        #expect(!Self.offer(&covered, Self.write(9), at: 4))
        #expect(Self.told(covered, head: 7) == (2, 0))
        #expect(covered.changes(upTo: Arrival(value: 7), claiming: Self.complete).complete == nil)
    }

    @Test func `skips writes that the peer has, and the next read begins after them`() {
        var assembly = Self.assembly(after: 1, covered: Self.complete, bytes: Self.write(10).byteCount)
        #expect(!Self.wants(&assembly, Self.write(9), at: 3))
        #expect(!assembly.isAtEnd)
        #expect(Self.offer(&assembly, Self.write(10), at: 4))
        #expect(!Self.wants(&assembly, Self.write(8), at: 5))
        #expect(!Self.offer(&assembly, Self.write(11), at: 6))
        let changes = assembly.changes(upTo: Arrival(value: 7), claiming: Self.complete)
        #expect(changes.writes == [Self.write(10)])
        #expect(Self.told(assembly, head: 7) == (5, 1))
    }

    @Test func `without clears does not move the position of clears back`() {
        let request = ChangesRequest(
            lane: .index, after: Arrival(value: 4), covered: VersionVector(), bytes: 1)
        #expect(request.clearsAfter == request.after)
        var assembly = Self.assembly(after: 4, clearsAfter: 20, bytes: 1)
        // A head behind them would belong to another order; no position goes back to it.
        #expect(Self.told(assembly, head: 7) == (7, 20) && Self.told(assembly, head: 30) == (30, 30))
        #expect(Self.offer(&assembly, Self.write(1), at: 5) && !Self.offer(&assembly, Self.write(2), at: 6))
        #expect(Self.told(assembly, head: 30) == (5, 20))
    }

    @Test func `ends when its size is reached, and one write may exceed the size`() {
        let most = 3 * Self.write(1).byteCount
        for (bytes, count) in [(most, 3), (most + 1, 4), (most - 1, 3), (1, 1)] {
            var assembly = Self.assembly(bytes: bytes)
            let taken = (UInt64(1)...9).prefix { Self.offer(&assembly, Self.write($0), at: $0) }
            #expect(taken.count == count)
        }
    }
}
