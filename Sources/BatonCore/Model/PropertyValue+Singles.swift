// Indexing and queries use the same rules to split arrays, sets and dictionaries into single values. So the full-text
// index has every text that a query can find.

extension PropertyValue {
    /// The text of a string or an address, which a query compares with another text; nil for any other value.
    var comparedText: String? {
        switch self {
        case .string(let text), .url(let text): text
        default: nil
        }
    }

    /// Whether one of the single values in this value satisfies a condition.
    ///
    /// The single values of a person are the person's name and handles. The single values of any other dictionary, such
    /// as a text in several languages, are the values in it. Null is not a single value. `Limits.nestingDepth` limits
    /// the depth of the recursion.
    func hasSingle(_ condition: (PropertyValue) -> Bool) -> Bool {
        switch self {
        case .null: false
        case .array(let values): values.contains { $0.hasSingle(condition) }
        case .set(let values): values.contains { $0.hasSingle(condition) }
        case .dictionary(let pairs) where isPerson:
            PersonField.searched.contains { pairs[$0]?.hasSingle(condition) ?? false }
        case .dictionary(let pairs): pairs.values.contains { $0.hasSingle(condition) }
        default: condition(self)
        }
    }

    /// Visits the texts of the single values in this value.
    ///
    /// The order is the same in every process.
    func visitTexts(_ visit: (String) -> Void) {
        switch self {
        case .array(let values): for value in values { value.visitTexts(visit) }
        case .set(let values): values.forEachInOrder { $0.visitTexts(visit) }
        case .dictionary(let pairs) where isPerson:
            for field in PersonField.searched { pairs[field]?.visitTexts(visit) }
        case .dictionary(let pairs): pairs.forEachInOrder { $0.value.visitTexts(visit) }
        default: comparedText.map(visit)
        }
    }
}

extension PersonField {
    /// The fields whose texts are searched.
    fileprivate static let searched = [displayName, handles]
}
