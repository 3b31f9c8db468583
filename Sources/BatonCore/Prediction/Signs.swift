/// The signs that a thing is wanted next.
///
/// Each sign is a number. A larger number is a stronger sign.
///
/// All signs are logarithms to base 2, so that equal ratios have equal effects. `recency` is the logarithm of one
/// divided by a rank, `use` that of a weighted number of uses, and `pair` that of a ratio of shares. The other signs
/// are logarithms of shares.
struct Signs: Equatable, Sendable {
    /// One number for each sign; the eighth number is not used.
    var numbers: SIMD8<Double>

    enum Sign: Int, CaseIterable {
        /// The rank of the thing among all things by the time of the last use.
        case recency
        /// The number of uses of the thing; a use that is 14 days old counts half.
        case use
        /// The share of the thing's uses that were at about this time of day.
        case hour
        /// The share of the thing's uses that were on days of the week like this one.
        case day
        /// The share of the thing among the things that were used right after the thing that was used last.
        case after
        /// The same share after the last two things in a row, divided by the share after the last thing.
        case pair
        /// The share of all uses in which the thing came from the device on which this thing is.
        case device
    }

    subscript(sign: Sign) -> Double { numbers[sign.rawValue] }
}

/// The weights of the signs.
///
/// The probability that a thing is used next is proportional to e to the power of the weighted sum of its signs. After
/// each use, the weights change a little, in the direction that would have made this use more probable. In this way,
/// the weights adapt to the person.
struct SignWeights: Equatable, Sendable {
    private(set) var numbers: SIMD8<Double>

    /// The weights before the predictor has learnt anything.
    ///
    /// These weights were fitted to the folder visits of four persons. The visits had no devices, so the weight of
    /// `device` was not fitted and is small.
    static let initial = SignWeights(numbers: SIMD8(0.51, 0.09, 0.15, 0.30, 0.36, 0.11, 0.1, 0))

    /// The learning rate, which says how much one use changes the weights.
    private static let rate = 0.003
    /// The largest absolute value of a weight, even if the person is very regular.
    private static let bound = 4.0

    subscript(sign: Signs.Sign) -> Double { numbers[sign.rawValue] }

    /// Returns the weighted sum of the signs of a thing.
    func score(_ signs: Signs) -> Double { (numbers * signs.numbers).sum() }

    /// Changes the weights, so that the used thing would have been more probable among all things.
    ///
    /// `used` is the index of that thing.
    mutating func learn(_ used: Int, among things: [Signs]) {
        guard !things.isEmpty else { return }
        var expected = SIMD8<Double>.zero
        for (signs, chance) in zip(things, things.map(score).chances) { expected += signs.numbers * chance }
        numbers += Self.rate * (things[used].numbers - expected)
        numbers.clamp(lowerBound: SIMD8(repeating: -Self.bound), upperBound: SIMD8(repeating: Self.bound))
    }
}

/// The encoding in which weights are stored.
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
