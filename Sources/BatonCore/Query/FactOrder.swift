/// The facts by which a store reads items in the order of an attribute.
///
/// An item that has the attribute has a fact with the value by which it is sorted, and further facts if the value is a
/// list.
package struct FactOrder: Equatable, Sendable {
    /// The attribute with each type of value: numbers, dates and texts.
    package let subjects: [ItemFact.Subject]
    /// Whether the largest values come first.
    package let isDescending: Bool

    /// Creates the order by a field; nil if no facts are stored for the field.
    init?(_ field: FieldName, isDescending: Bool) {
        subjects = FactType.allCases.compactMap { ItemFact.Subject(field, $0) }
        self.isDescending = isDescending
        if subjects.isEmpty { return nil }
    }

    /// Returns the value of the fact of an item with this key; nil if the subject has no such fact.
    package func value(of key: SortKey, in subject: ItemFact.Subject) -> ItemFact.Value? {
        switch (key, subject.type) {
        case (.number(let number), .number): .real(number.real)
        case (.number(let seconds), .date): .real(ItemFact.second(seconds.real))
        case (.text(let folded, _), .text): .text(ItemFact.beginning(ofFolded: Array(folded.utf8)))
        default: nil
        }
    }
}
