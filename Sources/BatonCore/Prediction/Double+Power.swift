extension Double {
    /// The number 2 to the power of this number.
    var powerOfTwo: Double {
        guard self > -1000 else { return 0 }
        guard self < 1000 else { return .infinity }
        let whole = rounded()
        let rest = (self - whole) * 0.693_147_180_559_945_3
        // The absolute value of the rest is at most 0.35. So twelve terms of the series are exact enough.
        var (sum, term) = (1.0, 1.0)
        for number in 1...12 {
            term *= rest / Double(number)
            sum += term
        }
        return Double(sign: .plus, exponent: Int(whole), significand: sum)
    }
}

extension [Double] {
    /// The probabilities that things with these scores are used next (softmax).
    ///
    /// Exactly one of the things is used next, so the sum of the probabilities is 1.
    package var chances: [Double] {
        guard let most = self.max() else { return [] }
        // The factor is the logarithm of e to base 2.
        let parts = map { (($0 - most) * 1.442_695_040_888_963_4).powerOfTwo }
        let sum = parts.reduce(0, +)
        return parts.map { $0 / sum }
    }
}
