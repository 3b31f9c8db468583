import Foundation

/// Values that the product encodes and decodes, against cbor2 and Foundation's binary property lists.
struct CodecComparison<Plain: Codable> {
    let name: String
    /// The values as the product encodes them.
    let encodings: [[UInt8]]
    /// The same values as `Codable` structs.
    let plain: [Plain]
    /// Encodes the value of that number; closures that know the type, so that nothing is copied for their sake.
    let encode: (Int) -> Void
    /// Decodes the value of that number.
    let decode: (Int) throws -> Void

    /// How much faster than each of the others encoding should be.
    func encoding(_ settings: Settings) throws -> [Figure] {
        let child = try CBOR2(encodings)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let ours = { (number: Int) in encode(number % encodings.count) }
        let measurement = try Measurement(
            [
                .init("baton", each: ours),
                child.contender("cbor2", "encode-canonical"),
                child.contender("cbor2-plain", "encode"),
                .init("foundation") { number in use(try encoder.encode(plain[number % plain.count])) },
            ], settings)
        return figures("\(name)-encode", measurement, Allocations.each(of: 1000, ours), least: 5)
    }

    /// How much faster than each of the others decoding should be, down to model values and with every check.
    func decoding(_ settings: Settings) throws -> [Figure] {
        let child = try CBOR2(encodings)
        let (encoder, decoder) = (PropertyListEncoder(), PropertyListDecoder())
        encoder.outputFormat = .binary
        let lists = try plain.map(encoder.encode)
        let ours = { (number: Int) in try decode(number % encodings.count) }
        let measurement = try Measurement(
            [
                .init("baton", each: ours),
                child.contender("cbor2", "decode"),
                .init("foundation") { number in
                    use(try decoder.decode(Plain.self, from: lists[number % lists.count]))
                },
            ], settings)
        return figures("\(name)-decode", measurement, try Allocations.each(of: 1000, ours), least: 3)
    }

    private func figures(
        _ name: String, _ measurement: Measurement, _ allocations: Double, least: Double
    ) -> [Figure] {
        let bytes = encodings.map { Double($0.count) }.median
        var figures = [
            Figure("\(name) size", bytes, "bytes"),
            Figure("\(name)", measurement.nanoseconds("baton"), "ns"),
            Figure("\(name) allocations", allocations, "an operation"),
        ]
        for (other, reach) in [("cbor2", least), ("cbor2-plain", nil), ("foundation", 5)] {
            let nanoseconds = measurement.nanoseconds(other)
            guard !nanoseconds.isNaN else { continue }
            let ratio = measurement.ratio(other, over: "baton")
            figures.append(Figure("\(name) \(other)", nanoseconds, "ns"))
            figures.append(
                Figure("\(name) \(other)/baton", ratio, "times", reach: reach.map { .atLeast($0) }))
        }
        return figures
    }
}
