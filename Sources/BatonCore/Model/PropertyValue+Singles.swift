// Indexing and queries split arrays, sets and dictionaries into single values in the same way, so that the full-text
// index has every text that a query can find.

extension PropertyValue {
    /// The text of a single value that is compared with a text: a string or an address.
    var comparedText: String? {
        switch self {
        case .string(let text), .url(let text): text
        default: nil
        }
    }

    /// Whether one of the single values in this value satisfies a condition.
    ///
    /// The single values of a person are its name and handles; those of another dictionary, such as a text in several
    /// languages, are its values. Null is not a single value. The recursion is as deep as the value, which
    /// `Limits.nestingDepth` bounds.
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

    /// Visits the texts of the single values in this value, in an order that is the same in every process.
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
