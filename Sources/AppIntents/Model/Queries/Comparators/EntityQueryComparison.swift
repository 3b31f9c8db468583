/// A comparison of a property without the types of its values.
///
/// Unchecked for the same reason as `EntityQueryComparator`.
public struct EntityQueryComparison<ComparatorMappingType>: @unchecked Sendable {
    /// The kind of comparison.
    package let kind: EntityQueryComparisonKind
    /// The kind of value that the person gives.
    package let form: _IntentValueForm
    /// The resolvers of that value.
    package let specification: (any ResolverSpecification)?
    /// Returns the app's value for the person's values.
    package let map: ([_IntentValueContent]) async throws -> ComparatorMappingType
}
