public import Foundation

/// A value of a detail of an intent: something of the app's, with a name.
open class INObject: NSObject, NSCopying, NSSecureCoding {
    /// The app's identifier of the thing.
    public let identifier: String?
    /// The name of the thing.
    public let displayString: String
    /// The name as it is spoken.
    public let pronunciationHint: String?
    /// A second line.
    open var subtitleString: String?
    /// A picture.
    open var displayImage: INImage?

    /// Creates an object with a name.
    public convenience init(identifier: String?, display displayString: String) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
    }

    /// Creates an object with a name, and how it is spoken.
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
    /// An object of a subclass returns itself: only the subclass can copy its properties, by overriding this.
    open func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INObject.self else { return self }
        let copy = INObject(
            identifier: identifier, display: displayString, pronunciationHint: pronunciationHint)
        (copy.subtitleString, copy.displayImage) = (subtitleString, displayImage)
        return copy
    }

    /// Whether objects can be read securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the texts to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier.map { $0 as NSString }, forKey: Key.identifier)
        coder.encode(displayString as NSString, forKey: Key.display)
        coder.encode(pronunciationHint.map { $0 as NSString }, forKey: Key.hint)
        coder.encode(subtitleString.map { $0 as NSString }, forKey: Key.subtitle)
    }

    /// Reads the texts from an archive.
    public required init?(coder: NSCoder) {
        let text = { (key: String) in
            coder.decodeObject(of: NSString.self, forKey: key).map { $0 as String }
        }
        guard let display = text(Key.display) else { return nil }
        (identifier, displayString) = (text(Key.identifier), display)
        (pronunciationHint, subtitleString) = (text(Key.hint), text(Key.subtitle))
        super.init()
    }

    /// The names in an archive.
    private enum Key {
        static let identifier = "identifier"
        static let display = "displayString"
        static let hint = "pronunciationHint"
        static let subtitle = "subtitleString"
    }
}

/// A picture of an object or a detail.
open class INImage: NSObject {
    /// The bytes of the picture; nil if it has an address.
    private let data: Data?
    /// The address of the picture; nil if it has bytes.
    private let url: URL?

    /// Creates a picture from the bytes of a file.
    public init(imageData: Data) {
        (data, url) = (imageData, nil)
        super.init()
    }

    /// Creates a picture that is at an address; nil for an address without a place.
    public init?(url: URL) {
        guard !url.absoluteString.isEmpty else { return nil }
        (data, self.url) = (nil, url)
        super.init()
    }

    /// Describes the picture by its size or address.
    open override var description: String {
        "<\(type(of: self)): \(url?.absoluteString ?? "\(data?.count ?? 0) bytes")>"
    }
}

/// The values that a person may choose among.
open class INObjectCollection<ObjectType: AnyObject>: NSObject {
    /// All values.
    public let allItems: [ObjectType]

    /// Creates a collection.
    public init(items: [ObjectType]) {
        allItems = items
        super.init()
    }
}
