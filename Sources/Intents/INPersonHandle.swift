public import Foundation

/// An address, a number or a name by which an app identifies a person.
open class INPersonHandle: NSObject, NSCopying, NSSecureCoding {
    /// The address, number or name.
    public let value: String?
    /// The kind of the value.
    public let type: INPersonHandleType
    /// The place or device that the value is for, such as home or work.
    public let label: INPersonHandleLabel?

    /// Creates a handle.
    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }

    /// Creates a handle with a label.
    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        (self.value, self.type, self.label) = (value, type, label)
        super.init()
    }

    /// Returns the handle itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the values, the kinds and the labels.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPersonHandle else { return false }
        return value == other.value && type == other.type && label == other.label
    }

    /// A hash value, which is the same for equal handles.
    open override var hash: Int { value.hashValue }

    /// Whether handles can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the handle to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(text: value, forKey: Key.value)
        coder.encode(kind: type, forKey: Key.type)
        coder.encode(text: label?.rawValue, forKey: Key.label)
    }

    /// Reads a handle from an archive.
    public required init?(coder: NSCoder) {
        value = coder.decodeText(forKey: Key.value)
        type = coder.decodeKind(forKey: Key.type) ?? .unknown
        label = coder.decodeText(forKey: Key.label).map { INPersonHandleLabel(rawValue: $0) }
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let value = "value"
        static let type = "type"
        static let label = "label"
    }
}

/// The kind of value that a handle has.
public enum INPersonHandleType: Int, Sendable {
    /// Any other kind of value, such as an identifier of the app.
    case unknown = 0
    /// An email address.
    case emailAddress = 1
    /// A telephone number.
    case phoneNumber = 2
}

/// The place or device that an address or a number is for.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    /// The text of the label.
    public let rawValue: String

    /// Creates a label with this text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a label with this text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// At home.
    public static let home = INPersonHandleLabel("home")
    /// At work.
    public static let work = INPersonHandleLabel("work")
    /// At school.
    public static let school = INPersonHandleLabel("school")
    /// On an iPhone.
    public static let iPhone = INPersonHandleLabel("iPhone")
    /// On a mobile telephone.
    public static let mobile = INPersonHandleLabel("mobile")
    /// The main address or number.
    public static let main = INPersonHandleLabel("main")
    /// A fax machine at home.
    public static let homeFax = INPersonHandleLabel("homeFax")
    /// A fax machine at work.
    public static let workFax = INPersonHandleLabel("workFax")
    /// A pager.
    public static let pager = INPersonHandleLabel("pager")
    /// Any other place or device.
    public static let other = INPersonHandleLabel("other")
}

/// The relationship of a person to the user of the app.
public struct INPersonRelationship: RawRepresentable, Hashable, Sendable {
    /// The text for the relationship.
    public let rawValue: String

    /// Creates a relationship with this text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a relationship with this text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The father.
    public static let father = INPersonRelationship("father")
    /// The mother.
    public static let mother = INPersonRelationship("mother")
    /// A parent.
    public static let parent = INPersonRelationship("parent")
    /// A brother.
    public static let brother = INPersonRelationship("brother")
    /// A sister.
    public static let sister = INPersonRelationship("sister")
    /// A child.
    public static let child = INPersonRelationship("child")
    /// A son.
    public static let son = INPersonRelationship("son")
    /// A daughter.
    public static let daughter = INPersonRelationship("daughter")
    /// A friend.
    public static let friend = INPersonRelationship("friend")
    /// The wife or husband.
    public static let spouse = INPersonRelationship("spouse")
    /// The partner.
    public static let partner = INPersonRelationship("partner")
    /// An assistant.
    public static let assistant = INPersonRelationship("assistant")
    /// A manager.
    public static let manager = INPersonRelationship("manager")
}

/// The kind of address under which a person may be suggested.
public enum INPersonSuggestionType: Int, Sendable {
    /// The person is not suggested.
    case none = 0
    /// A profile in a social network.
    case socialProfile = 1
    /// An address for instant messages.
    case instantMessageAddress = 2
}
