import Foundation

/// Fits if the property is at least the value; a property without a value never fits.
public final class GreaterThanOrEqualToComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
    // Unchecked for the reason of the superclass.
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.greaterThanOrEqualTo, specification) { mapping($0[0]) } }
}

extension GreaterThanOrEqualToComparator
where PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}
