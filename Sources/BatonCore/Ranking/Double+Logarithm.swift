extension Double {
    /// The logarithm to base 2 of a positive number.
    ///
    /// It uses only operations that every processor rounds alike, so that all devices rank alike.
    var binaryLogarithm: Double {
        var (whole, rest) = (Double(exponent), significand)
        if rest > 2.squareRoot() { (whole, rest) = (whole + 1, rest / 2) }
        // The logarithm of (1 + part) / (1 - part) is twice the sum of the odd powers, each divided by its exponent.
        let part = (rest - 1) / (rest + 1)
        var (sum, power) = (0.0, part)
        for exponent in stride(from: 1.0, through: 19, by: 2) {
            sum += power / exponent
            power *= part * part
        }
        return whole + 2 * sum / 0.693_147_180_559_945_3
    }
}
