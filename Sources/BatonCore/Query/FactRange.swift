/// A range of facts, by which a store finds the items that may meet a condition.
///
/// Every item that meets a condition has a fact in at least one of the condition's ranges.
package struct FactRange: Equatable, Sendable {
    package let subject: ItemFact.Subject
    /// The smallest and the largest value of the range; both belong to the range.
    package let low, high: ItemFact.Value

    private init(_ subject: ItemFact.Subject, _ low: ItemFact.Value, _ high: ItemFact.Value) {
        (self.subject, self.low, self.high) = (subject, low, high)
    }

    /// The range that contains the items that have too many facts to store.
    package static let others = FactRange(.others, .real(0), .real(0))

    /// Returns the ranges for numbers and for dates from `low` through `high`.
    ///
    /// If a bound is nil, the ranges have no bound on that side.
    fileprivate static func numbers(
        _ subject: SearchQuery.Subject, from low: SearchQuery.Operand?, through high: SearchQuery.Operand?
    ) -> [FactRange]? {
        guard let number = ItemFact.Subject(subject, .number), let date = ItemFact.Subject(subject, .date)
        else {
            return nil
        }
        // Rounding keeps the order. So if a value is between the bounds, the rounded value is between the rounded
        // bounds.
        let values = [low?.number?.real ?? -.infinity, high?.number?.real ?? .infinity]
        let seconds = [low?.seconds ?? -.infinity, high?.seconds ?? .infinity]
        guard !(values + seconds).contains(where: \.isNaN) else { return nil }
        return [
            FactRange(number, .real(values[0]), .real(values[1])),
            FactRange(date, .real(ItemFact.second(seconds[0])), .real(ItemFact.second(seconds[1]))),
        ]
    }

    /// Returns the range of the texts that begin with the first piece of a pattern, or that equal it if the pattern has
    /// no wildcard; nil if a matching text might lie outside such a range.
    ///
    /// With only the modifier `c`, the piece must be ASCII, as in `TextPattern.indexWords`. With `w` or `t` the result
    /// is nil.
    fileprivate static func texts(_ subject: SearchQuery.Subject, _ pattern: TextPattern) -> [FactRange]? {
        guard let subject = ItemFact.Subject(subject, .text), let piece = pattern.pieces.first,
            !piece.isEmpty,
            pattern.modifiers.isDisjoint(with: [.words, .tokens]),
            pattern.modifiers.folding != .letterCase || piece.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        // A text that equals the piece has the same beginning. The stored beginning of a longer text may be a few bytes
        // shorter than `textBytes`, because no scalar is cut.
        let bytes = pattern.hasWildcard ? ItemFact.textBytes - 4 : ItemFact.textBytes
        let beginning = ItemFact.beginning(of: piece, bytes: bytes)
        // In a value, combining marks may follow the last letter and turn it into another letter. So only an ASCII
        // beginning is used.
        guard !beginning.isEmpty, beginning.allSatisfy({ $0 < 0x80 }) else { return nil }
        let last = pattern.hasWildcard ? beginning + [0xff] : beginning
        return [FactRange(subject, .text(beginning), .text(last))]
    }
}

extension SearchQuery.Expression {
    /// Returns conditions that every matching item meets.
    ///
    /// Each condition is a list of ranges, and the item has a fact in at least one of them. The result is empty if no
    /// such condition is known.
    ///
    /// Even with such conditions, an item in the ranges may still not match.
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
                // If there are several conditions for one alternative, the first one is enough.
                guard let ranges = condition.factConditions(depth: depth + 1).first else { return [] }
                all += ranges
            }
            return all.count <= Self.rangesMost ? [all] : []
        case .all, .not: return []
        }
    }

    /// The largest number of ranges that are looked up for one condition.
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
