import BatonCore
public import Foundation
public import UniformTypeIdentifiers

// Attributes that say what a person can do with a search result.

extension CSSearchableItemAttributeSet {
    /// Whether the numbers in `phoneNumbers` can be called: 0 or 1.
    public var supportsPhoneCall: NSNumber? {
        get { self[.supportsPhoneCall] }
        set { self[.supportsPhoneCall] = newValue }
    }

    /// Whether a person can travel to the place at `latitude` and `longitude`: 0 or 1.
    public var supportsNavigation: NSNumber? {
        get { self[.supportsNavigation] }
        set { self[.supportsNavigation] = newValue }
    }

    /// The identifiers of the app's own actions that are possible with this item.
    public var actionIdentifiers: [String] {
        get { self[.actionIdentifiers] ?? [] }
        set { self[.actionIdentifiers] = newValue }
    }

    /// The type of the file that the app provides when a person shares the item.
    public var sharedItemContentType: UTType? {
        get { self[.sharedItemContentType] }
        set { self[.sharedItemContentType] = newValue }
    }
}
