/// A comparison of a property with values of a person.
open class EntityQueryComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
    // Unchecked: the closures of queries capture nothing that changes, which the compiler can't see in older code.
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
