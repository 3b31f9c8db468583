import BatonCore
public import Foundation

/// The key of an attribute that an app defines.
open class CSCustomAttributeKey: NSObject, NSCopying, NSSecureCoding {
    /// The name of the attribute, in the form that the index uses.
    let attribute: CustomAttribute
    /// Whether queries can use the attribute.
    public let isSearchable: Bool
    /// Whether a search that names no attributes also looks into this attribute.
    ///
    /// The index on Linux ignores this value.
    public let isSearchableByDefault: Bool
    /// Whether equal values are stored only once.
    ///
    /// The index on Linux ignores this value.
    public let isUnique: Bool
    /// Whether the attribute usually has a list of values.
    public let isMultiValued: Bool

    /// The name of the attribute.
    open var keyName: String { attribute.name }

    /// Creates the key of an attribute that queries can use; nil if the name is not allowed.
    ///
    /// A name may contain only ASCII letters, digits and `_`, and must not begin with `kMD`. Begin the name with the
    /// app's identifier, as in `com_example_app_colour`.
    public convenience init?(keyName: String) {
        self.init(
            keyName: keyName, searchable: true, searchableByDefault: false, unique: false, multiValued: false)
    }

    /// Creates the key of an attribute; nil if the name is not allowed.
    public init?(
        keyName: String, searchable: Bool, searchableByDefault: Bool, unique: Bool, multiValued: Bool
    ) {
        guard let attribute = CustomAttribute(name: keyName) else { return nil }
        self.attribute = attribute
        (isSearchable, isSearchableByDefault) = (searchable, searchableByDefault)
        (isUnique, isMultiValued) = (unique, multiValued)
        super.init()
    }

    // MARK: Copies and archives

    /// Returns the key itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether keys can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the key to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(keyName as NSString, forKey: Key.keyName)
        coder.encode(isSearchable, forKey: Key.searchable)
        coder.encode(isSearchableByDefault, forKey: Key.searchableByDefault)
        coder.encode(isUnique, forKey: Key.unique)
        coder.encode(isMultiValued, forKey: Key.multiValued)
    }

    /// Reads a key from an archive.
    public required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: Key.keyName),
            let attribute = CustomAttribute(name: name as String)
        else { return nil }
        self.attribute = attribute
        isSearchable = coder.decodeBool(forKey: Key.searchable)
        isSearchableByDefault = coder.decodeBool(forKey: Key.searchableByDefault)
        isUnique = coder.decodeBool(forKey: Key.unique)
        isMultiValued = coder.decodeBool(forKey: Key.multiValued)
        super.init()
    }

    /// The keys of the values in an archive.
    private enum Key {
        static let keyName = "keyName"
        static let searchable = "searchable"
        static let searchableByDefault = "searchableByDefault"
        static let unique = "unique"
        static let multiValued = "multiValued"
    }

    // MARK: Comparing and describing

    /// Whether the other object is a key with the same name and properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSCustomAttributeKey else { return false }
        return attribute == other.attribute
            && (isSearchable, isSearchableByDefault) == (other.isSearchable, other.isSearchableByDefault)
            && (isUnique, isMultiValued) == (other.isUnique, other.isMultiValued)
    }

    /// A hash value, which is the same for equal keys.
    open override var hash: Int { attribute.hashValue }

    /// The name of the attribute.
    open override var description: String { "<\(type(of: self)): \(keyName)>" }
}
