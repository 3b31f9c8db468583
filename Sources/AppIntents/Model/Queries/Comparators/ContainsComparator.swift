public import Foundation

/// Fits if the property contains the value: a part of a text, or an element of a list.
public final class ContainsComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
    // Unchecked for the reason of the superclass.
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.contains, specification) { mapping($0[0]) } }
}

extension ContainsComparator where PropertyType == String, InputType == String {
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

extension ContainsComparator where PropertyType == String?, InputType == String {
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

extension ContainsComparator where PropertyType == AttributedString, InputType == AttributedString {
    /// Creates a comparator for a text with attributes.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator for a text with attributes, with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension ContainsComparator where PropertyType == AttributedString?, InputType == AttributedString {
    /// Creates a comparator for an optional text with attributes.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator for an optional text with attributes, with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension ContainsComparator where PropertyType == [InputType] {
    /// Creates a comparator for a list.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator for a list, with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension ContainsComparator where PropertyType == [InputType]? {
    /// Creates a comparator for an optional list.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator for an optional list, with resolvers for its value.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}
