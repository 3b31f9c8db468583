/// A comparator that the index answers, as the mapping type of an `EntityPropertyQuery`.
///
/// A query of indexed entities that has this mapping type needs no `entities(matching:mode:sortedBy:limit:)`. Its
/// comparators need no closures:
///
///     struct NoteQuery: EntityPropertyQuery {
///         typealias ComparatorMappingType = IndexedComparator
///         static let properties = QueryProperties {
///             Property(\Note.$title) {
///                 EqualToComparator()
///                 ContainsComparator()
///             }
///             Property(\Note.$created) { IsBetweenComparator() }
///         }
///         static let sortingOptions = SortingOptions { SortableBy(\Note.$created) }
///         func entities(for identifiers: [UUID]) async throws -> [Note] { … }
///     }
public struct IndexedComparator: Sendable {
    /// The kind of comparison.
    package let kind: EntityQueryComparisonKind
    /// The values of the person.
    package let inputs: [_IntentValueContent]
    /// The property of the query; nil until the query's list of properties has named it.
    private(set) var property: ComparedProperty?

    init(_ kind: EntityQueryComparisonKind, _ inputs: any _IntentValue...) {
        (self.kind, self.inputs) = (kind, inputs.map(\._content))
    }

    /// Returns the comparator of a property.
    func comparing(_ property: ComparedProperty) -> IndexedComparator {
        var comparator = self
        comparator.property = property
        return comparator
    }

    /// Returns the name of the compared property in the source; nil if the property belongs to another entity.
    func name(in sample: any AppEntity) -> String? {
        guard let property, property.isOwn, let found = property.property(sample) else { return nil }
        return EntityReflection.name(of: found, in: sample)
    }
}
