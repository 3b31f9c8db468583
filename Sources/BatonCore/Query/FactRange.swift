/// A range of facts: every item that meets a condition has a fact in one of the ranges of the condition.
package struct FactRange: Equatable, Sendable {
    package let subject: ItemFact.Subject
    /// The least and the greatest value, both of them in the range.
    package let low, high: ItemFact.Value

    private init(_ subject: ItemFact.Subject, _ low: ItemFact.Value, _ high: ItemFact.Value) {
        (self.subject, self.low, self.high) = (subject, low, high)
    }

    /// The range that finds the items with more facts than are stored.
    package static let others = FactRange(.others, .real(0), .real(0))

    /// Returns the ranges for the numbers and dates from `low` through `high`; a bound may be nil.
    fileprivate static func numbers(
        _ subject: SearchQuery.Subject, from low: SearchQuery.Operand?, through high: SearchQuery.Operand?
    ) -> [FactRange]? {
        guard let number = ItemFact.Subject(subject, .number), let date = ItemFact.Subject(subject, .date)
        else {
            return nil
        }
        // Rounding keeps the order, so a value between the bounds is, once rounded, between the rounded bounds.
        let values = [low?.number?.real ?? -.infinity, high?.number?.real ?? .infinity]
        let seconds = [low?.seconds ?? -.infinity, high?.seconds ?? .infinity]
        guard !(values + seconds).contains(where: \.isNaN) else { return nil }
        return [
            FactRange(number, .real(values[0]), .real(values[1])),
            FactRange(date, .real(ItemFact.period(seconds[0])), .real(ItemFact.period(seconds[1]))),
        ]
    }

    /// Returns the range of the texts that begin with the first piece of a pattern; nil if that is not certain.
    ///
    /// With `c` alone only ASCII is certain, as in `TextPattern.indexWords`. With `w` or `t` no text is certain.
    fileprivate static func texts(_ subject: SearchQuery.Subject, _ pattern: TextPattern) -> [FactRange]? {
        guard let subject = ItemFact.Subject(subject, .text), let piece = pattern.pieces.first,
            !piece.isEmpty,
            pattern.modifiers.isDisjoint(with: [.words, .tokens]),
            pattern.modifiers.folding != .letterCase || piece.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        // A stored text may be a few bytes shorter than `textBytes`, because no scalar is cut.
        let beginning = ItemFact.beginning(of: piece, bytes: ItemFact.textBytes - 4)
        // In a value, marks after the last letter may turn it into another letter.
        guard !beginning.isEmpty, beginning.allSatisfy({ $0 < 0x80 }) else { return nil }
        return [FactRange(subject, .text(beginning), .text(beginning + [0xff]))]
    }
}

extension SearchQuery.Expression {
    /// Returns conditions that every matching item meets, each as ranges: the item has a fact in at least one of them.
    ///
    /// Empty if no condition is certain.
    package func factConditions(depth: Int = 0) -> [[FactRange]] {
        guard depth < 16 else { return [] }
        switch self {
        case .comparison(let comparison): return comparison.ranges.map { [$0] } ?? []
        case .range(let interval):
            let ranges = FactRange.numbers(interval.subject, from: interval.low, through: interval.high)
            return ranges.map { [$0] } ?? []
        case .and(let conditions): return conditions.flatMap { $0.factConditions(depth: depth + 1) }
        case .or(let conditions):
            var all: [FactRange] = []
            for condition in conditions {
                // The first of several conditions is enough.
                guard let ranges = condition.factConditions(depth: depth + 1).first else { return [] }
                all += ranges
            }
            return all.count <= Self.rangesMost ? [all] : []
        case .all, .not: return []
        }
    }

    /// The most ranges of a condition that are looked up.
    private static let rangesMost = 64
}

extension SearchQuery.Comparison {
    fileprivate var ranges: [FactRange]? {
        switch (relation, operand) {
        case (.equal, .text(let pattern)): FactRange.texts(subject, pattern)
        case (_, .text), (_, .anything): nil
        case (.equal, _): FactRange.numbers(subject, from: operand, through: operand)
        case (.less, _), (.lessOrEqual, _): FactRange.numbers(subject, from: nil, through: operand)
        case (.greater, _), (.greaterOrEqual, _): FactRange.numbers(subject, from: operand, through: nil)
        }
    }
}
