/// A condition in the query language, for comparators.
///
/// Each entity that fits the comparators matches the condition. The reverse holds only if the condition is exact.
package struct IndexedCondition: Equatable, Sendable {
    /// The condition; nil if nothing in the query language holds for all entities that fit.
    package let text: String?
    /// Whether each entity that matches the condition also fits the comparators.
    package let isExact: Bool

    private init(text: String?, isExact: Bool) { (self.text, self.isExact) = (text, isExact) }

    /// A condition that exactly the entities match that fit.
    static func exactly(_ text: String) -> IndexedCondition { IndexedCondition(text: text, isExact: true) }

    /// A condition that further entities match, too.
    static func atLeast(_ text: String) -> IndexedCondition { IndexedCondition(text: text, isExact: false) }

    /// The condition of comparators about which the index knows nothing.
    package static let unknown = IndexedCondition(text: nil, isExact: false)

    /// The condition that every entity fits.
    static let always = exactly("*")

    /// The condition that no entity fits.
    static let never = exactly("!(*)")

    /// The opposite condition.
    var negated: IndexedCondition {
        guard isExact, let text else { return .unknown }
        return .exactly("!(\(text))")
    }

    /// Returns the condition for several comparators; without any, every entity fits.
    package static func joined(
        _ conditions: [IndexedCondition], by mode: EntityQueryComparatorMode
    ) -> IndexedCondition {
        guard !conditions.isEmpty else { return .always }
        let texts = conditions.compactMap(\.text)
        let isExact = conditions.allSatisfy(\.isExact)
        switch mode {
        case .and where texts.isEmpty: return .unknown
        // Leaving out a condition about which nothing is known only adds entities.
        case .and: return IndexedCondition(text: joined(texts, by: " && "), isExact: isExact)
        case .or where texts.count < conditions.count: return .unknown
        case .or: return IndexedCondition(text: joined(texts, by: " || "), isExact: isExact)
        }
    }

    private static func joined(_ texts: [String], by symbol: String) -> String {
        texts.count == 1 ? texts[0] : texts.map { "(\($0))" }.joined(separator: symbol)
    }
}
