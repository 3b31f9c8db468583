import BatonCore
public import Foundation
public import UniformTypeIdentifiers

// Attributes for what a person can do with a search result.

extension CSSearchableItemAttributeSet {
    /// Whether the numbers in `phoneNumbers` can be called: 0 or 1.
    public var supportsPhoneCall: NSNumber? {
        get { self[.supportsPhoneCall] }
        set { self[.supportsPhoneCall] = newValue }
    }

    /// Whether `latitude` and `longitude` name a place to travel to: 0 or 1.
    public var supportsNavigation: NSNumber? {
        get { self[.supportsNavigation] }
        set { self[.supportsNavigation] = newValue }
    }

    /// The identifiers of the app's own actions for this item.
    public var actionIdentifiers: [String] {
        get { self[.actionIdentifiers] ?? [] }
        set { self[.actionIdentifiers] = newValue }
    }

    /// The type of the file that the app gives out when the item is shared.
    public var sharedItemContentType: UTType? {
        get { self[.sharedItemContentType] }
        set { self[.sharedItemContentType] = newValue }
    }
}
