public import Foundation

/// A value for a detail of an intent: a thing in the app that has a name.
open class INObject: NSObject, NSCopying, NSSecureCoding {
    /// The app's identifier for the thing.
    public let identifier: String?
    /// The name of the thing.
    public let displayString: String
    /// A text that says how the name is pronounced.
    public let pronunciationHint: String?
    /// A second line of text, which is shown below the name.
    open var subtitleString: String?
    /// A picture.
    open var displayImage: INImage?

    /// Creates an object with a name.
    public convenience init(identifier: String?, display displayString: String) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
    }

    /// Creates an object with a name and its pronunciation.
    public init(identifier: String?, display displayString: String, pronunciationHint: String?) {
        (self.identifier, self.displayString, self.pronunciationHint) = (
            identifier, displayString, pronunciationHint
        )
        super.init()
    }

    /// Creates an object with a name, a second line and a picture.
    public convenience init(
        identifier: String?, display displayString: String, subtitle subtitleString: String?,
        image displayImage: INImage?
    ) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
        (self.subtitleString, self.displayImage) = (subtitleString, displayImage)
    }

    /// Returns an object with the same properties.
    ///
    /// For a subclass, this returns the same object. Only the subclass can copy its own properties, by overriding this
    /// method.
    open func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INObject.self else { return self }
        let copy = INObject(
            identifier: identifier, display: displayString, pronunciationHint: pronunciationHint)
        (copy.subtitleString, copy.displayImage) = (subtitleString, displayImage)
        return copy
    }

    /// Whether objects can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the texts and the picture to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(text: identifier, forKey: Key.identifier)
        coder.encode(text: displayString, forKey: Key.display)
        coder.encode(text: pronunciationHint, forKey: Key.hint)
        coder.encode(text: subtitleString, forKey: Key.subtitle)
        coder.encode(picture: displayImage, forKey: Key.image)
    }

    /// Reads the texts and the picture from an archive.
    public required init?(coder: NSCoder) {
        guard let display = coder.decodeText(forKey: Key.display) else { return nil }
        (identifier, displayString) = (coder.decodeText(forKey: Key.identifier), display)
        pronunciationHint = coder.decodeText(forKey: Key.hint)
        subtitleString = coder.decodeText(forKey: Key.subtitle)
        displayImage = coder.decodePicture(forKey: Key.image)
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let identifier = "identifier"
        static let display = "displayString"
        static let hint = "pronunciationHint"
        static let subtitle = "subtitleString"
        static let image = "displayImage"
    }
}

/// A collection of values that a person can choose from.
open class INObjectCollection<ObjectType: AnyObject>: NSObject {
    /// All values of the collection.
    public let allItems: [ObjectType]

    /// Creates a collection.
    public init(items: [ObjectType]) {
        allItems = items
        super.init()
    }
}
