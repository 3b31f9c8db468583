import Foundation

extension EntityQueryComparisonKind {
    /// Whether the value of a property fits the values of a person; a property without a value fits only `notEqualTo`
    /// a value, and `equalTo` none.
    ///
    /// Tests compare the answers of the index with these. Texts are compared as `==` and `contains` of the standard
    /// library do.
    package func fits(_ value: _IntentValueContent, _ inputs: [_IntentValueContent]) -> Bool {
        guard inputs.count == inputCount, let input = inputs.first else { return false }
        switch self {
        case .equalTo: return value.order(to: input) == .orderedSame || value == input
        case .notEqualTo: return !EntityQueryComparisonKind.equalTo.fits(value, inputs)
        case .lessThan: return value.order(to: input) == .orderedAscending
        case .lessThanOrEqualTo: return [.orderedAscending, .orderedSame].contains(value.order(to: input))
        case .greaterThan: return value.order(to: input) == .orderedDescending
        case .greaterThanOrEqualTo:
            return [.orderedDescending, .orderedSame].contains(value.order(to: input))
        case .isBetween:
            return EntityQueryComparisonKind.greaterThanOrEqualTo.fits(value, [inputs[0]])
                && EntityQueryComparisonKind.lessThanOrEqualTo.fits(value, [inputs[1]])
        case .contains:
            if case .list(let elements) = value { return elements.contains(input) }
            guard case .text(let text) = value, case .text(let part) = input else { return false }
            return part.isEmpty || text.contains(part)
        case .hasPrefix:
            guard case .text(let text) = value, case .text(let part) = input else { return false }
            return text.hasPrefix(part)
        case .hasSuffix:
            guard case .text(let text) = value, case .text(let part) = input else { return false }
            return text.hasSuffix(part)
        }
    }
}

extension _IntentValueContent {
    /// Returns the order of two values of one kind; nil if they can't be compared, as with a number that is NaN.
    package func order(to other: _IntentValueContent) -> ComparisonResult? {
        func order<Value: Comparable>(_ one: Value, _ other: Value) -> ComparisonResult? {
            if one < other { return .orderedAscending }
            if one > other { return .orderedDescending }
            return one == other ? .orderedSame : nil
        }
        return switch (self, other) {
        case (.text(let one), .text(let other)): order(one, other)
        case (.integer(let one), .integer(let other)): order(one, other)
        case (.real(let one), .real(let other)): order(one, other)
        case (.integer(let one), .real(let other)): order(Double(one), other)
        case (.real(let one), .integer(let other)): order(one, Double(other))
        case (.date(let one), .date(let other)): order(one, other)
        case (.flag(let one), .flag(let other)): order(one ? 1 : 0, other ? 1 : 0)
        case (.url(let one), .url(let other)): order(one.absoluteString, other.absoluteString)
        case (.measurement(let one, let unit), .measurement(let other, let otherUnit)) where unit == otherUnit:
            order(one, other)
        case (.money(let one, let currency), .money(let other, let otherCurrency))
        where currency == otherCurrency:
            order(one, other)
        default: nil
        }
    }
}
