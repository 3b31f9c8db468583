import BatonCore

// Attributes that say which forms of the item's content the app gives out.

extension CSSearchableItemAttributeSet {
    /// The types that the app gives out as data; a type belongs to one of the three lists only.
    public var providerDataTypeIdentifiers: [String]? {
        get { self[.providerDataTypeIdentifiers] }
        set { self[.providerDataTypeIdentifiers] = newValue }
    }

    /// The types that the app gives out as a copy in a file.
    public var providerFileTypeIdentifiers: [String]? {
        get { self[.providerFileTypeIdentifiers] }
        set { self[.providerFileTypeIdentifiers] = newValue }
    }

    /// The types that the app gives out in place, as the app's own file.
    public var providerInPlaceFileTypeIdentifiers: [String]? {
        get { self[.providerInPlaceFileTypeIdentifiers] }
        set { self[.providerInPlaceFileTypeIdentifiers] = newValue }
    }
}
