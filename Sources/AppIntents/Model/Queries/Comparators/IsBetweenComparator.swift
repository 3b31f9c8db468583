import Foundation

/// Fits if the property lies between two values, or equals one of them.
public final class IsBetweenComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
    // Unchecked for the reason of the superclass.
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType, InputType) -> ComparatorMappingType,
        _ specification: (any ResolverSpecification)?
    ) { super.init(.isBetween, specification) { mapping($0[0], $0[1]) } }
}

extension IsBetweenComparator
where PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType, InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType, InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}
