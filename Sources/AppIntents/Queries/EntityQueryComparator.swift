/// A comparison of a property with values of a person.
///
/// Unchecked because the closures of queries capture nothing that changes, which the compiler can't see in older code.
open class EntityQueryComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: @unchecked Sendable {
    /// The comparison without the types of the values.
    package let comparison: EntityQueryComparison<ComparatorMappingType>

    init(
        _ kind: EntityQueryComparisonKind, _ specification: (any ResolverSpecification)? = nil,
        map: @escaping ([InputType]) -> ComparatorMappingType
    ) {
        comparison = EntityQueryComparison(kind: kind, form: InputType._form, specification: specification) {
            contents in
            var inputs: [InputType] = []
            for content in contents { inputs.append(try await InputType._value(of: content)) }
            return map(inputs)
        }
    }
}

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
    /// Returns the app's value for those of the person.
    package let map: ([_IntentValueContent]) async throws -> ComparatorMappingType
}

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

/// Collects the comparators of a property.
@resultBuilder public struct EntityQueryComparatorsBuilder<Value: _IntentValue, ComparatorMappingType> {
    /// A comparison.
    public typealias Comparison = EntityQueryComparison<ComparatorMappingType>

    /// Takes a comparator.
    public static func buildExpression<InputType>(
        _ comparator: EntityQueryComparator<EntityProperty<Value>, Value, InputType, ComparatorMappingType>
    ) -> Comparison { comparator.comparison }
    /// Joins comparators.
    public static func buildBlock(_ comparisons: Comparison...) -> [Comparison] { comparisons }
}
