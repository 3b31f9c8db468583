/// Writes values in the query language.
package enum QueryLiteral {
    /// Returns a text in quotes; a wildcard may stand before the text, after the text, or in both places.
    ///
    /// The characters of the text itself are never wildcards.
    package static func text(_ text: String, startsOpen: Bool = false, endsOpen: Bool = false) -> String {
        var literal = startsOpen ? "\"*" : "\""
        for scalar in text.unicodeScalars {
            if ["\"", "\\", "*"].contains(scalar) { literal.unicodeScalars.append("\\") }
            literal.unicodeScalars.append(scalar)
        }
        return literal + (endsOpen ? "*\"" : "\"")
    }

    /// Returns a number that a query reads back without rounding; nil if the number is infinite or NaN.
    package static func number(_ number: Double) -> String? { number.isFinite ? String(number) : nil }
}
