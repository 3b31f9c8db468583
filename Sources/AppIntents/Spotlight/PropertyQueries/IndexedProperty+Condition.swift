import BatonCore
import Foundation

extension IndexedProperty {
    /// Returns the condition for a comparison of the property with the values of a person.
    ///
    /// `EntityQueryComparisonKind.fits` defines the meaning of each comparison. A property without a value has no
    /// attribute in the index.
    package func condition(
        _ kind: EntityQueryComparisonKind, _ inputs: [_IntentValueContent]
    ) -> IndexedCondition {
        guard inputs.count == kind.inputCount, let input = inputs.first else { return .never }
        return switch kind {
        case .equalTo: equality(input)
        case .notEqualTo: equality(input).negated
        case .lessThan: comparison(.less, input)
        case .lessThanOrEqualTo: comparison(.lessOrEqual, input)
        case .greaterThan: comparison(.greater, input)
        case .greaterThanOrEqualTo: comparison(.greaterOrEqual, input)
        case .isBetween: interval(from: inputs[0], through: inputs[1])
        case .contains: isList ? element(input) : part(input, startsOpen: true, endsOpen: true)
        case .hasPrefix: part(input, startsOpen: false, endsOpen: true)
        case .hasSuffix: part(input, startsOpen: true, endsOpen: false)
        }
    }

    // MARK: Equality

    private func equality(_ input: _IntentValueContent) -> IndexedCondition {
        switch input {
        case .none:
            // An empty list has no value in the index either.
            return isList ? .atLeast("\(attribute) != *") : .exactly("\(attribute) != *")
        case .list(let elements):
            // An equal list has the same elements, but so has a list in another order.
            guard isList, !elements.isEmpty else { return .unknown }
            let conditions = elements.prefix(Self.comparedElements).map { element($0) } + [.unknown]
            return .joined(conditions, by: .and)
        default: return isList ? .unknown : element(input)
        }
    }

    /// The largest number of elements of a list that a query looks for.
    private static let comparedElements = 8

    /// Returns the condition that the property, or an element of its list, equals a value.
    private func element(_ input: _IntentValueContent) -> IndexedCondition {
        switch (kind, input) {
        case (.text, .text(let text)): .exactly("\(attribute) == \(QueryLiteral.text(text))")
        case (.text, .entity(_, let identifier)):
            .exactly("\(attribute) == \(QueryLiteral.text(identifier))")
        case (.text, .url(let url)): .exactly("\(attribute) == \(QueryLiteral.text(url.absoluteString))")
        default: value(.equal, input)
        }
    }

    // MARK: Order

    private func comparison(
        _ relation: SearchQuery.Relation, _ input: _IntentValueContent
    ) -> IndexedCondition {
        // The query language does not order texts, and lists have no order.
        isList ? .unknown : value(relation, input)
    }

    private func interval(
        from low: _IntentValueContent, through high: _IntentValueContent
    ) -> IndexedCondition {
        // One interval is faster than two comparisons, because the index then reads only the values in it.
        if !isList, let low = bound(low), let high = bound(high) {
            let text = "InRange(\(attribute), \(low), \(high))"
            return kind == .date ? .atLeast(text) : .exactly(text)
        }
        return .joined([comparison(.greaterOrEqual, low), comparison(.lessOrEqual, high)], by: .and)
    }

    /// Returns the condition that a number or a date has a relation to a value.
    private func value(_ relation: SearchQuery.Relation, _ input: _IntentValueContent) -> IndexedCondition {
        guard let bound = bound(input) else {
            guard kind == .number, case .real(let number) = input else { return .unknown }
            return infinity(relation, number)
        }
        guard kind == .date else { return .exactly("\(attribute) \(relation.rawValue) \(bound)") }
        // The index counts time from 1970 and `Date` counts from 2001. Rounding keeps the order of two dates, but dates
        // that differ by less than a microsecond can become equal.
        return switch relation {
        case .less: .atLeast("\(attribute) <= \(bound)")
        case .greater: .atLeast("\(attribute) >= \(bound)")
        case .equal, .lessOrEqual, .greaterOrEqual: .atLeast("\(attribute) \(relation.rawValue) \(bound)")
        }
    }

    /// Returns a number or a date as a query has it; nil for other values, and for numbers that are not finite.
    private func bound(_ input: _IntentValueContent) -> String? {
        switch (kind, input) {
        case (.number, .integer(let number)): String(number)
        case (.number, .flag(let isOn)): isOn ? "1" : "0"
        case (.number, .real(let number)): QueryLiteral.number(number)
        // A number that is compared with a date counts seconds from 2001, as `Date` does.
        case (.date, .date(let date)): QueryLiteral.number(date.timeIntervalSinceReferenceDate)
        default: nil
        }
    }

    /// Returns the condition that a number has a relation to infinity or to NaN.
    ///
    /// The query language can write neither of them.
    private func infinity(_ relation: SearchQuery.Relation, _ number: Double) -> IndexedCondition {
        guard !number.isNaN, let most = QueryLiteral.number(.greatestFiniteMagnitude) else { return .never }
        // The relation is that of a value to positive infinity, or, with all signs changed, to negative infinity.
        let (within, beyond) =
            number > 0
            ? ("\(attribute) <= \(most)", "\(attribute) > \(most)")
            : ("\(attribute) >= -\(most)", "\(attribute) < -\(most)")
        let relation = number > 0 ? relation : relation.reversed
        return switch relation {
        case .equal, .greaterOrEqual: .exactly(beyond)
        case .less: .exactly(within)
        case .lessOrEqual: .exactly("\(within) || \(beyond)")
        case .greater: .never
        }
    }

    // MARK: Parts of texts

    /// Returns the condition that a text contains a value, or begins or ends with it.
    ///
    /// The condition ignores accents and is not exact. The operators of an app compare whole characters in ways that a
    /// query can't express: a text with “👨‍👩‍👧” contains “👨”, but does not begin with it.
    private func part(
        _ input: _IntentValueContent, startsOpen: Bool, endsOpen: Bool
    ) -> IndexedCondition {
        guard kind == .text, !isList, case .text(let text) = input else { return .unknown }
        if text.isEmpty { return .exactly("\(attribute) == *") }
        let literal = QueryLiteral.text(text, startsOpen: startsOpen, endsOpen: endsOpen)
        return .atLeast("\(attribute) == \(literal)d")
    }
}

extension SearchQuery.Relation {
    /// The relation after the signs of both numbers were changed.
    fileprivate var reversed: SearchQuery.Relation {
        switch self {
        case .equal: .equal
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
