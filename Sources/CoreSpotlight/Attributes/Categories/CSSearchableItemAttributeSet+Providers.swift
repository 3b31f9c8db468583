import BatonCore

// Attributes that say in which forms the app provides the content of an item.

extension CSSearchableItemAttributeSet {
    /// The types that the app provides as data.
    ///
    /// A type should be in only one of the three lists.
    public var providerDataTypeIdentifiers: [String]? {
        get { self[.providerDataTypeIdentifiers] }
        set { self[.providerDataTypeIdentifiers] = newValue }
    }

    /// The types that the app provides as a copy in a file.
    public var providerFileTypeIdentifiers: [String]? {
        get { self[.providerFileTypeIdentifiers] }
        set { self[.providerFileTypeIdentifiers] = newValue }
    }

    /// The types that the app provides by giving access to its own file.
    public var providerInPlaceFileTypeIdentifiers: [String]? {
        get { self[.providerInPlaceFileTypeIdentifiers] }
        set { self[.providerInPlaceFileTypeIdentifiers] = newValue }
    }
}
