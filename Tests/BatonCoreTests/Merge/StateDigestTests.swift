import BatonCore
import Support
import Testing

@Suite struct `The digest of a state` {
    @Test(arguments: Seeds.first(20))
    func `is a sum in any order, and parts can be subtracted`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var parts = try (0..<8).map { _ in try #require(StateDigest(bytes: generator.bytes(32...32))) }
        // All bits are set, so that the carry goes all the way.
        parts.append(try #require(StateDigest(bytes: [UInt8](repeating: 0xff, count: 32))))
        var (sum, again) = (StateDigest(), StateDigest())
        for part in parts { sum += part }
        for part in generator.shuffled(parts) { again += part }
        #expect(sum == again && sum.bytes == again.bytes)
        for part in generator.shuffled(parts) { sum -= part }
        #expect(sum == StateDigest() && sum.bytes == [UInt8](repeating: 0, count: 32))
    }

    @Test func `is summed as a number with the most significant byte first`() throws {
        var one = [UInt8](repeating: 0, count: 32)
        one[31] = 1
        var sum = try #require(StateDigest(bytes: [UInt8](repeating: 0xff, count: 32)))
        sum += try #require(StateDigest(bytes: one))
        #expect(sum == StateDigest())
        sum -= try #require(StateDigest(bytes: one))
        #expect(sum.bytes == [UInt8](repeating: 0xff, count: 32))
        #expect(StateDigest(bytes: one.dropLast()) == nil)
    }

    @Test func `ignores tombstones and clears, also beside a counter`() {
        let item = RecordKey.told()
        let count = Write.told(item, at: 9, .count(1, begun: 9))
        for writes in [[Write.told(item, at: 1, .deletion)], [.clear(.app("a"), at: 2)]] {
            #expect(Record(merging: writes).digest == StateDigest())
        }
        #expect(Record(.told(item, at: 2, .partial(of: 1, [1: 1]))).digest == StateDigest())
        let beside = Record(merging: [.told(item, at: 4, .deletion), count])
        #expect(beside.digest == Record(count).digest && beside.digest != StateDigest())
    }

    @Test func `distinguishes keys, kinds, fields and stamps`() {
        let writes: [Write] = [
            .told(.told(), at: 1, .full()), .told(.told(2), at: 1, .full()),
            .told(.told(kind: .unknown), at: 1, .full()), .told(.told(), at: 2, .full()),
            .told(.told(), at: 1, by: 2, .full()), .told(.told(), at: 1, .full([1: 2])),
            .told(.told(), at: 1, .full([:])),
        ]
        #expect(Set(writes.map { Record($0).digest.bytes }).count == writes.count)
    }
}

extension Write.Action {
    fileprivate static func full(_ fields: [UInt64: UInt64]) -> Self { .full(in: .none, fields) }
}
