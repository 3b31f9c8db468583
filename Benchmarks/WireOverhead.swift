import BatonCore
import Support

extension Benchmark {
    static let wireOverhead = Benchmark(
        name: "wire-overhead", what: "what a batch of 1,000 items takes beyond their identifiers and fields"
    ) { settings in
        var writer = ItemWriter(seed: 4)
        var (overheads, sizes): ([Double], [Double]) = ([], [])
        for number in 0..<settings.pick(100, quick: 5) {
            let count = ItemWriter.transactionItems
            let transaction = try writer.transaction(number * count..<(number + 1) * count)
            let batch = Batch(
                number: UInt64(number), lane: .index, writes: transaction.writes,
                complete: transaction.completing)
            let message = PeerMessage.batch(batch).frame.encoded
            let own = try transaction.writes.reduce(0) { try $0 + ownBytes($1) }
            overheads.append(Double(message.count - own) / Double(count))
            sizes.append(Double(own) / Double(count))
        }
        return [
            Figure("wire-overhead", overheads.median, "bytes a record", reach: .atMost(24)),
            Figure("wire-overhead record", sizes.median, "bytes"),
        ]
    }

    /// How many bytes the text of an item's identifier and its fields have.
    private static func ownBytes(_ write: Write) throws -> Int {
        guard case .full(let content) = write.action, let key = write.key else {
            throw BenchmarkFailure("an item is written in full")
        }
        let identifier = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in
            try reader.array(upTo: 3) { (reader) throws(CBORError) in try reader.text() }
        }
        return content.fields.encoded.count + (identifier.last?.utf8.count ?? 0)
    }
}
