import BatonCore

extension Benchmark {
    static let activityEncode = Benchmark(
        name: "activity-encode", what: "an activity of some 512 bytes, from the model to bytes"
    ) { try activities().encoding($0) }

    static let activityDecode = Benchmark(
        name: "activity-decode",
        what: "an activity of some 512 bytes, from bytes to the model, all of it checked"
    ) { try activities().decoding($0) }

    private static func activities() throws -> CodecComparison<SampleActivity> {
        let samples = SampleActivity.corpus()
        let activities = samples.map(\.activity)
        let encodings = activities.map(\.fields.encoded)
        guard try encodings.map(activity) == activities else {
            throw BenchmarkFailure("what was decoded is not what was encoded")
        }
        return CodecComparison(
            name: "activity", encodings: encodings, plain: samples,
            encode: { use(activities[$0].fields.encoded) },
            decode: { use(try activity(encodings[$0])) })
    }

    private static func activity(_ bytes: [UInt8]) throws(CBORError) -> Activity {
        try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in try Activity(from: &reader) }
    }
}
