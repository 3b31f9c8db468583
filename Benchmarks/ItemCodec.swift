import BatonCore

extension Benchmark {
    static let itemEncode = Benchmark(
        name: "item-encode", what: "a searchable item of some 430 bytes, from the model to bytes"
    ) { try items().encoding($0) }

    static let itemDecode = Benchmark(
        name: "item-decode",
        what: "a searchable item of some 430 bytes, from bytes to the model, all of it checked"
    ) { try items().decoding($0) }

    private static func items() throws -> CodecComparison<SampleItem> {
        let samples = SampleItem.corpus()
        let items = samples.map(\.item)
        let encodings = items.map(\.fields.encoded)
        let decode = { (number: Int) throws(CBORError) in
            try CBORReader.whole(encodings[number][...]) { (reader) throws(CBORError) in
                try Item(domain: samples[number].domain, from: &reader)
            }
        }
        guard try items.indices.map(decode) == items else {
            throw BenchmarkFailure("what was decoded is not what was encoded")
        }
        return CodecComparison(
            name: "item", encodings: encodings, plain: samples,
            encode: { use(items[$0].fields.encoded) },
            decode: { use(try decode($0)) })
    }
}
