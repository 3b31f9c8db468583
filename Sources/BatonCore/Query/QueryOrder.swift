/// An order of items by attributes, and then by the time when they were indexed.
package struct QueryOrder: Equatable, Sendable {
    private let parts: [Part]

    /// An attribute in the order.
    private struct Part: Equatable, Sendable {
        let field: FieldName
        let isDescending: Bool
    }

    /// The order by the time of indexing alone.
    package static let indexed = QueryOrder()

    private init() { parts = [] }

    /// Creates an order; nil if a name is not the name of an attribute, or if there are too many names.
    package init?(_ sorts: [QuerySort]) {
        guard sorts.count <= QuerySort.most else { return nil }
        var parts: [Part] = []
        for sort in sorts {
            guard let field = FieldName(queryName: sort.attribute) else { return nil }
            parts.append(Part(field: field, isDescending: sort.isDescending))
        }
        self.parts = parts
    }

    /// The facts by which items can be read in the order of the first attribute; nil if there are none.
    package var facts: FactOrder? {
        parts.first.flatMap { FactOrder($0.field, isDescending: $0.isDescending) }
    }

    /// Whether only the time of indexing orders the items.
    package var isEmpty: Bool { parts.isEmpty }

    /// Returns the values by which an item with these fields is sorted, one for each attribute.
    package func keys(of fields: Fields) -> [SortKey] {
        if parts.isEmpty { return [] }
        return parts.map { part in
            let encoded: ArraySlice<UInt8>? =
                if case .number(let number) = part.field {
                    fields.encoded(number)
                } else {
                    fields[part.field].map { $0[...] }
                }
            return encoded.flatMap { Fields.plain($0) }.map { SortKey($0) } ?? .missing
        }
    }

    /// Returns the values by which a thing with these attributes is sorted, one for each attribute.
    package func keys(of attributes: AttributeSet) -> [SortKey] {
        parts.map { part in
            guard AttributeSet.holds(part.field), case .plain(let value)? = attributes[part.field] else {
                return .missing
            }
            return SortKey(value)
        }
    }

    /// Returns whether one item comes before another by their keys; nil if the keys are equal.
    ///
    /// Items without a value come last, in both directions.
    package func precedes(_ left: [SortKey], _ right: [SortKey]) -> Bool? {
        for (place, part) in parts.enumerated() {
            let isBefore = left[place].precedes(right[place], isDescending: part.isDescending)
            if let isBefore { return isBefore }
        }
        return nil
    }
}
