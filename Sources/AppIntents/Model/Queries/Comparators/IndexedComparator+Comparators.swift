// Comparators without closures, for queries that the index answers.

public import Foundation

extension EqualToComparator
where PropertyType: Equatable, InputType == PropertyType, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.equalTo, $0) })
    }
}

extension NotEqualToComparator
where PropertyType: Equatable, InputType == PropertyType, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.notEqualTo, $0) })
    }
}

extension LessThanComparator
where
    PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType,
    ComparatorMappingType == IndexedComparator
{
    /// Creates a comparator that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.lessThan, $0) })
    }
}

extension LessThanOrEqualToComparator
where
    PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType,
    ComparatorMappingType == IndexedComparator
{
    /// Creates a comparator that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.lessThanOrEqualTo, $0) })
    }
}

extension GreaterThanComparator
where
    PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType,
    ComparatorMappingType == IndexedComparator
{
    /// Creates a comparator that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.greaterThan, $0) })
    }
}

extension GreaterThanOrEqualToComparator
where
    PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType,
    ComparatorMappingType == IndexedComparator
{
    /// Creates a comparator that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.greaterThanOrEqualTo, $0) })
    }
}

extension IsBetweenComparator
where
    PropertyType.UnwrappedType: Comparable, InputType == PropertyType.UnwrappedType,
    ComparatorMappingType == IndexedComparator
{
    /// Creates a comparator that the index answers.
    public convenience init() {
        self.init(mappingTransform: { low, high in IndexedComparator(.isBetween, low, high) })
    }
}

extension ContainsComparator
where PropertyType == String, InputType == String, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for a text that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.contains, $0) })
    }
}

extension ContainsComparator
where PropertyType == String?, InputType == String, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for an optional text that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.contains, $0) })
    }
}

extension ContainsComparator
where
    PropertyType == AttributedString, InputType == AttributedString,
    ComparatorMappingType == IndexedComparator
{
    /// Creates a comparator for a text with attributes that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.contains, $0) })
    }
}

extension ContainsComparator
where
    PropertyType == AttributedString?, InputType == AttributedString,
    ComparatorMappingType == IndexedComparator
{
    /// Creates a comparator for an optional text with attributes that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.contains, $0) })
    }
}

extension ContainsComparator where PropertyType == [InputType], ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for a list that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.contains, $0) })
    }
}

extension ContainsComparator where PropertyType == [InputType]?, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for an optional list that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.contains, $0) })
    }
}

extension HasPrefixComparator
where PropertyType == String, InputType == String, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for a text that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.hasPrefix, $0) })
    }
}

extension HasPrefixComparator
where PropertyType == String?, InputType == String, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for an optional text that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.hasPrefix, $0) })
    }
}

extension HasSuffixComparator
where PropertyType == String, InputType == String, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for a text that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.hasSuffix, $0) })
    }
}

extension HasSuffixComparator
where PropertyType == String?, InputType == String, ComparatorMappingType == IndexedComparator {
    /// Creates a comparator for an optional text that the index answers.
    public convenience init() {
        self.init(mappingTransform: { IndexedComparator(.hasSuffix, $0) })
    }
}
