/// The kinds of comparisons.
package enum EntityQueryComparisonKind: String, CaseIterable, Hashable, Sendable {
    case equalTo
    case notEqualTo
    case lessThan
    case lessThanOrEqualTo
    case greaterThan
    case greaterThanOrEqualTo
    case isBetween
    case contains
    case hasPrefix
    case hasSuffix

    /// How many values the comparison takes.
    package var inputCount: Int { self == .isBetween ? 2 : 1 }
}
