import BatonCore
public import Foundation

// Attributes of items that have a position in a container, such as a track of an album.

extension CSSearchableItemAttributeSet {
    /// The title of the container.
    public var containerTitle: String? {
        get { self[.containerTitle] }
        set { self[.containerTitle] = newValue }
    }

    /// The name of the container in the person's language, as the app shows it.
    public var containerDisplayName: String? {
        get { self[.containerDisplayName] }
        set { self[.containerDisplayName] = newValue }
    }

    /// The identifier of the container.
    public var containerIdentifier: String? {
        get { self[.containerIdentifier] }
        set { self[.containerIdentifier] = newValue }
    }

    /// The position of the item in its container.
    public var containerOrder: NSNumber? {
        get { self[.containerOrder] }
        set { self[.containerOrder] = newValue }
    }
}
