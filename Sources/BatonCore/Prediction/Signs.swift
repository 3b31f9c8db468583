/// The signs that a thing is wanted next, each a number; the larger it is, the more speaks for the thing.
///
/// All but `recency` and `device` are logarithms to base 2 of a share, so that equal ratios count alike.
struct Signs: Equatable, Sendable {
    /// One number for each sign; the last is not used.
    var numbers: SIMD8<Double>

    enum Sign: Int, CaseIterable {
        /// The place among the things by their last use.
        case recency
        /// How often the thing was used; a use counts half after 14 days.
        case use
        /// The share of its uses at this time of day.
        case hour
        /// The share of its uses on such a day of the week.
        case day
        /// How often it was used after the thing that was used last.
        case after
        /// How often it was used after the last two things, more than after the last one.
        case pair
        /// How often things came from the device where it is.
        case device
    }

    subscript(sign: Sign) -> Double { numbers[sign.rawValue] }
}

/// How much each sign counts.
///
/// A thing's chance to be the next one grows with e to the power of the weighted sum of its signs. Each use moves the
/// weights a little towards those under which it would have been more probable, so that they follow the person.
struct SignWeights: Equatable, Sendable {
    private(set) var numbers: SIMD8<Double>

    /// The weights before anything was learnt.
    ///
    /// They were fitted to the folder visits of four persons; the weight of
    /// `device`, of which those visits know nothing, was chosen small.
    static let initial = SignWeights(numbers: SIMD8(0.51, 0.09, 0.15, 0.30, 0.36, 0.11, 0.1, 0))

    /// How far one use moves the weights.
    private static let rate = 0.003
    /// No weight becomes larger, however regular a person is.
    private static let bound = 4.0

    subscript(sign: Signs.Sign) -> Double { numbers[sign.rawValue] }

    /// Returns the weighted sum of signs.
    func score(_ signs: Signs) -> Double { (numbers * signs.numbers).sum() }

    /// Moves the weights towards those under which one thing would have been more probable among others.
    mutating func learn(_ used: Int, among things: [Signs]) {
        guard !things.isEmpty else { return }
        var expected = SIMD8<Double>.zero
        for (signs, chance) in zip(things, things.map(score).chances) { expected += signs.numbers * chance }
        numbers += Self.rate * (things[used].numbers - expected)
        numbers.clamp(lowerBound: SIMD8(repeating: -Self.bound), upperBound: SIMD8(repeating: Self.bound))
    }
}

/// The form in which weights are kept.
extension SignWeights {
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: Signs.Sign.allCases.count)
        for sign in Signs.Sign.allCases { writer.real(self[sign]) }
        return writer.bytes
    }

    init(encoded: [UInt8]) throws(CBORError) {
        let numbers = try CBORReader.whole(encoded[...]) { (reader) throws(CBORError) in
            try reader.array(count: Signs.Sign.allCases.count)
            var numbers = SIMD8<Double>.zero
            for sign in Signs.Sign.allCases {
                let start = reader.offset
                numbers[sign.rawValue] = try reader.real()
                guard abs(numbers[sign.rawValue]) <= Self.bound else {
                    throw CBORError(.outOfRange, at: start)
                }
            }
            return numbers
        }
        self.init(numbers: numbers)
    }
}
