import BatonCore
public import Foundation

/// A person who has written a message or receives it.
open class CSPerson: NSObject, NSSecureCoding, NSCopying {
    /// The name that people see.
    public let displayName: String?
    /// The addresses by which the person can be reached.
    public let handles: [String]
    /// The kind of the handles: the key of a property of a contact, such as the key for email addresses.
    public let handleIdentifier: String
    /// The identifier of the contact that describes the person.
    open var contactIdentifier: String?

    /// Creates a person with handles of one kind.
    public init(displayName: String?, handles: [String], handleIdentifier: String) {
        (self.displayName, self.handles, self.handleIdentifier) = (displayName, handles, handleIdentifier)
        super.init()
    }

    /// Creates a person from a value in the index; nil if the value is not a person.
    convenience init?(_ value: PropertyValue) {
        guard value.isPerson, let pairs = value.pairs else { return nil }
        self.init(
            displayName: pairs[PersonField.displayName]?.string,
            handles: pairs[PersonField.handles]?.elements?.compactMap(\.string) ?? [],
            handleIdentifier: pairs[PersonField.handleIdentifier]?.string ?? "")
        contactIdentifier = pairs[PersonField.contactIdentifier]?.string
    }

    /// The person in the form in which the index stores it.
    var value: PropertyValue {
        var pairs = [
            PersonField.handles: PropertyValue.array(handles.map { .string($0) }),
            PersonField.handleIdentifier: .string(handleIdentifier),
        ]
        pairs[PersonField.displayName] = displayName.map { .string($0) }
        pairs[PersonField.contactIdentifier] = contactIdentifier.map { .string($0) }
        return .dictionary(pairs)
    }

    // MARK: Copies and archives

    /// Returns a copy; later changes to one object don't affect the other.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSPerson(displayName: displayName, handles: handles, handleIdentifier: handleIdentifier)
        copy.contactIdentifier = contactIdentifier
        return copy
    }

    /// Whether people can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the person to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(displayName.map { $0 as NSString }, forKey: Key.displayName)
        coder.encode(handles.map { $0 as NSString } as NSArray, forKey: Key.handles)
        coder.encode(handleIdentifier as NSString, forKey: Key.handleIdentifier)
        coder.encode(contactIdentifier.map { $0 as NSString }, forKey: Key.contactIdentifier)
    }

    /// Reads a person from an archive.
    public required init?(coder: NSCoder) {
        guard
            let handles = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: Key.handles)
                as? [String],
            let kind = coder.decodeObject(of: NSString.self, forKey: Key.handleIdentifier)
        else { return nil }
        (self.handles, handleIdentifier) = (handles, kind as String)
        displayName = coder.decodeObject(of: NSString.self, forKey: Key.displayName).map { $0 as String }
        contactIdentifier =
            coder.decodeObject(of: NSString.self, forKey: Key.contactIdentifier).map { $0 as String }
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let displayName = "displayName"
        static let handles = "handles"
        static let handleIdentifier = "handleIdentifier"
        static let contactIdentifier = "contactIdentifier"
    }

    // MARK: Comparing and describing

    /// Whether the other object is a person with the same properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSPerson else { return false }
        return value == other.value
    }

    /// A hash value, which is the same for equal people.
    open override var hash: Int { handles.hashValue }

    /// The name and the handles of the person.
    open override var description: String {
        let handles = handles.joined(separator: ", ")
        return "<\(type(of: self)): \(displayName.map { "\($0), " } ?? "")\(handles)>"
    }
}
