import BatonCore
import Support
import Testing

/// Tests of the records that a range of a snapshot takes.
@Suite struct `A range of a snapshot that is being gathered` {
    private static let ends = (UInt64(1)...4).map { RecordKey.told($0).identity }.sorted()

    /// Returns this many writes of one record, with this many bytes each.
    private static func record(_ count: Int, bytes: Int = 0) -> [Write] {
        (1...UInt64(count)).map { number in
            var fields = Fields()
            fields.set(1) { $0.data([UInt8](repeating: 0, count: bytes)) }
            return .told(.told(), at: number, .full(Write.Content(fields: fields)))
        }
    }

    private static func add(_ record: [Write], _ place: Int, to assembly: inout RangeAssembly) -> Bool {
        assembly.add(record, of: ends[place])
    }

    @Test func `never exceeds a batch's number of writes, also with the smallest writes`() {
        // The smallest possible writes, until the range has room for only one more record.
        let smallest = Write.told(.told(), at: 1, .partial(of: 1, [:]))
        var assembly = RangeAssembly(bytes: Limits.largestBatchBytes)
        let most = (Limits.largestBatchBytes - 1) / smallest.byteCount
        #expect(Self.add(Array(repeating: smallest, count: most), 0, to: &assembly))
        let last = Array(repeating: smallest, count: Limits.largestRangeRecordBytes / smallest.byteCount)
        #expect(Self.add(last, 1, to: &assembly))
        #expect(!Self.add([smallest], 2, to: &assembly))
        #expect(assembly.ahead.isEmpty && assembly.writes.count == most + last.count)
        #expect(assembly.writes.count < Limits.batchWrites)
    }

    @Test func `sends a too large record ahead, as the range's only record`() {
        let large = Self.record(2, bytes: Limits.largestRangeRecordBytes / 2)
        var first = RangeAssembly(bytes: 1)
        #expect(Self.add(large, 0, to: &first))
        #expect(first.ahead == large && first.writes.isEmpty && first.last == Self.ends[0])
        #expect(!Self.add(Self.record(1), 1, to: &first), "nothing follows it in its range")
        var second = RangeAssembly(bytes: .max)
        #expect(Self.add(Self.record(1), 0, to: &second))
        #expect(!Self.add(large, 1, to: &second), "it stays for a range of its own")
        #expect(second.ahead.isEmpty && second.last == Self.ends[0])
    }

    @Test func `accepts one record of any size, and ends when the range's size is reached`() {
        var assembly = RangeAssembly(bytes: 1000)
        #expect(Self.add(Self.record(1, bytes: Limits.largestRangeRecordBytes + 1), 0, to: &assembly))
        #expect(assembly.ahead.isEmpty && assembly.writes.count == 1)
        #expect(!Self.add(Self.record(1), 1, to: &assembly))
        var small = RangeAssembly(bytes: 1000)
        #expect(Self.add(Self.record(1, bytes: 500), 0, to: &small))
        #expect(Self.add(Self.record(1, bytes: 500), 1, to: &small), "one may go beyond")
        #expect(!Self.add(Self.record(1), 2, to: &small))
    }
}
