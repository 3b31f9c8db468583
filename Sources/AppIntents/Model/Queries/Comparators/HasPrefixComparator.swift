import Foundation

/// Fits if the text of the property begins with the value.
public final class HasPrefixComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
    // Unchecked for the reason of the superclass.
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.hasPrefix, specification) { mapping($0[0]) } }
}

extension HasPrefixComparator where PropertyType == String, InputType == String {
    /// Creates a comparator for a text.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator for a text, with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension HasPrefixComparator where PropertyType == String?, InputType == String {
    /// Creates a comparator for an optional text.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator for an optional text, with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}
