/// The signs that a thing is wanted next, each a number: the larger, the stronger the sign.
///
/// All are logarithms to base 2, so that equal ratios count alike: `recency` of one over a rank, `use` of a weighted
/// number of uses, `pair` of a ratio of shares, and the others of shares.
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
        /// The share of its uses on days of the week like this one.
        case day
        /// How often it was used after the thing that was used last.
        case after
        /// How often it was used after the last two things, more than after the last one.
        case pair
        /// The share of all uses that came from the device where it is.
        case device
    }

    subscript(sign: Sign) -> Double { numbers[sign.rawValue] }
}

/// How much each sign counts.
///
/// The probability that a thing is used next is proportional to e to the power of the weighted sum of its signs. Each
/// use moves the weights a little, so that this use would have been more probable: the weights adapt to the person.
struct SignWeights: Equatable, Sendable {
    private(set) var numbers: SIMD8<Double>

    /// The weights before anything was learnt.
    ///
    /// They were fitted to the folder visits of four persons. These visits had no devices, so the weight of `device`
    /// was not fitted; it is small.
    static let initial = SignWeights(numbers: SIMD8(0.51, 0.09, 0.15, 0.30, 0.36, 0.11, 0.1, 0))

    /// The learning rate: how far one use moves the weights.
    private static let rate = 0.003
    /// The largest absolute value of a weight, however regular a person is.
    private static let bound = 4.0

    subscript(sign: Signs.Sign) -> Double { numbers[sign.rawValue] }

    /// Returns the weighted sum of signs.
    func score(_ signs: Signs) -> Double { (numbers * signs.numbers).sum() }

    /// Moves the weights so that the thing that was used would have been more probable among all things.
    mutating func learn(_ used: Int, among things: [Signs]) {
        guard !things.isEmpty else { return }
        var expected = SIMD8<Double>.zero
        for (signs, chance) in zip(things, things.map(score).chances) { expected += signs.numbers * chance }
        numbers += Self.rate * (things[used].numbers - expected)
        numbers.clamp(lowerBound: SIMD8(repeating: -Self.bound), upperBound: SIMD8(repeating: Self.bound))
    }
}

/// The form in which weights are stored.
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
