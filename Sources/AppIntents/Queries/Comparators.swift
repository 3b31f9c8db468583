public import Foundation

// The comparators of a property. Each takes a closure from the value of a person to the app's own type.

/// Fits if the property equals the value.
public final class EqualToComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.equalTo, specification) { mapping($0[0]) } }
}

extension EqualToComparator where PropertyType: Equatable, InputType == PropertyType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the property does not equal the value.
public final class NotEqualToComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.notEqualTo, specification) { mapping($0[0]) } }
}

extension NotEqualToComparator where PropertyType: Equatable, InputType == PropertyType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the property is less than the value; a property without a value never fits.
public final class LessThanComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.lessThan, specification) { mapping($0[0]) } }
}

extension LessThanComparator where PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the property is at most the value; a property without a value never fits.
public final class LessThanOrEqualToComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.lessThanOrEqualTo, specification) { mapping($0[0]) } }
}

extension LessThanOrEqualToComparator where PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the property is greater than the value; a property without a value never fits.
public final class GreaterThanComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.greaterThan, specification) { mapping($0[0]) } }
}

extension GreaterThanComparator where PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the property is at least the value; a property without a value never fits.
public final class GreaterThanOrEqualToComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.greaterThanOrEqualTo, specification) { mapping($0[0]) } }
}

extension GreaterThanOrEqualToComparator where PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the property lies between two values, or equals one of them.
public final class IsBetweenComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType, InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.isBetween, specification) { mapping($0[0], $0[1]) } }
}

extension IsBetweenComparator where PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType {
    /// Creates a comparator.
    public convenience init(mappingTransform: @escaping (InputType, InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType, InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the property contains the value: a part of a text, or an element of a list.
public final class ContainsComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
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

    /// Creates a comparator whose value is found by resolvers for a text.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension ContainsComparator where PropertyType == String?, InputType == String {
    /// Creates a comparator for a text that may be missing.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers for a text that may be missing.
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

    /// Creates a comparator whose value is found by resolvers for a text with attributes.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension ContainsComparator where PropertyType == AttributedString?, InputType == AttributedString {
    /// Creates a comparator for a text with attributes that may be missing.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers for a text with attributes that may be missing.
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

    /// Creates a comparator whose value is found by resolvers for a list.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension ContainsComparator where PropertyType == [InputType]? {
    /// Creates a comparator for a list that may be missing.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers for a list that may be missing.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the text of the property begins with the value.
public final class HasPrefixComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
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

    /// Creates a comparator whose value is found by resolvers for a text.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension HasPrefixComparator where PropertyType == String?, InputType == String {
    /// Creates a comparator for a text that may be missing.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers for a text that may be missing.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

/// Fits if the text of the property ends with the value.
public final class HasSuffixComparator<
    Property, PropertyType: _IntentValue, InputType: _IntentValue, ComparatorMappingType
>: EntityQueryComparator<Property, PropertyType, InputType, ComparatorMappingType>, @unchecked Sendable {
    private init(
        mapping: @escaping (InputType) -> ComparatorMappingType, _ specification: (any ResolverSpecification)?
    ) { super.init(.hasSuffix, specification) { mapping($0[0]) } }
}

extension HasSuffixComparator where PropertyType == String, InputType == String {
    /// Creates a comparator for a text.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers for a text.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}

extension HasSuffixComparator where PropertyType == String?, InputType == String {
    /// Creates a comparator for a text that may be missing.
    public convenience init(mappingTransform: @escaping (InputType) -> ComparatorMappingType) {
        self.init(mapping: mappingTransform, nil)
    }

    /// Creates a comparator whose value is found by resolvers for a text that may be missing.
    public convenience init(
        @ResolverSpecificationBuilder withResolvers resolvers: () -> some ResolverSpecification,
        mappingTransform: @escaping (InputType) -> ComparatorMappingType
    ) { self.init(mapping: mappingTransform, resolvers()) }
}
