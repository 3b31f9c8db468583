/// The value of an attribute as results are sorted by it.
package enum SortKey: Equatable, Sendable {
    /// A number, a boolean, or a date in seconds.
    case number(QueryNumber)
    /// A text without differences of case and accents, and the text itself.
    case text(folded: String, String)
    case missing

    /// Creates the key of a value; the first element of a list counts.
    package init(_ value: PropertyValue) {
        switch value {
        case .date(let seconds) where !seconds.isNaN: self = .number(.real(seconds))
        case .array(let values): self = values.first.map { SortKey($0) } ?? .missing
        case .real(let number) where number.isNaN: self = .missing
        default:
            if let number = QueryNumber(value) {
                self = .number(number)
            } else if let text = value.someText {
                self = .text(folded: Folding.search.fold(text), text)
            } else {
                self = .missing
            }
        }
    }

    /// Returns whether the thing with this key comes before a thing with another key; nil if the keys are equal.
    ///
    /// Things without a value come last, in both directions.
    package func precedes(_ other: SortKey, isDescending: Bool) -> Bool? {
        if self == other { return nil }
        if self == .missing { return false }
        if other == .missing { return true }
        return switch order(beside: other) {
        case .equal: nil
        case .less: !isDescending
        case .greater: isDescending
        }
    }

    /// Returns how this key compares with another that is not missing; numbers come before texts.
    func order(beside other: SortKey) -> QueryNumber.Order {
        switch (self, other) {
        case (.number(let left), .number(let right)): left.order(beside: right) ?? .equal
        case (.text(let left, let own), .text(let right, let others)):
            left == right ? Self.order(own, others) : Self.order(left, right)
        case (.number, .text): .less
        case (.text, .number): .greater
        case (.missing, _), (_, .missing): .equal
        }
    }

    /// Compares the bytes of two texts, so that the order is the same on all devices.
    private static func order(_ left: String, _ right: String) -> QueryNumber.Order {
        if left.utf8.elementsEqual(right.utf8) { return .equal }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
    }
}
