extension Double {
    /// The logarithm to base 2 of a positive number.
    ///
    /// Only operations are used that every processor rounds in the same way, so that all devices rank in the same way.
    var binaryLogarithm: Double {
        var (whole, rest) = (Double(exponent), significand)
        if rest > 2.squareRoot() { (whole, rest) = (whole + 1, rest / 2) }
        // The natural logarithm of (1 + part) / (1 - part) is twice a sum. The terms of the sum are the odd powers of
        // `part`, each divided by its exponent.
        let part = (rest - 1) / (rest + 1)
        var (sum, power) = (0.0, part)
        for exponent in stride(from: 1.0, through: 19, by: 2) {
            sum += power / exponent
            power *= part * part
        }
        return whole + 2 * sum / 0.693_147_180_559_945_3
    }
}
