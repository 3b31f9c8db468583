public import Foundation

/// A type of content as an object, for collections and archives that take objects only.
open class UTTypeReference: NSObject, NSCopying, NSSecureCoding {
    /// The type as a value.
    fileprivate let type: UTType

    /// The identifier of the type.
    open var identifier: String { type.identifier }
    /// The extension that files of the type should have.
    open var preferredFilenameExtension: String? { type.preferredFilenameExtension }
    /// The MIME type by which the type should be named.
    open var preferredMIMEType: String? { type.preferredMIMEType }
    /// A short description of the type.
    open var localizedDescription: String? { type.localizedDescription }
    /// The version of the declaration; declarations on Linux have none.
    open var version: NSNumber? { nil }
    /// The address of a page about the type; declarations on Linux have none.
    open var referenceURL: URL? { nil }
    /// The tags by the identifier of their class.
    open var tags: [String: [String]] {
        Dictionary(uniqueKeysWithValues: type.tags.map { ($0.key.rawValue, $0.value) })
    }
    /// Whether the type is made from a tag that no declared type has.
    open var isDynamic: Bool { type.isDynamic }
    /// Whether the system or the app declares the type.
    open var isDeclared: Bool { type.isDeclared }
    /// Whether the type belongs to no app or company.
    open var isPublic: Bool { type.isPublic }
    /// All types that this type conforms to, without itself.
    open var supertypes: Set<UTType> { type.supertypes }

    /// Creates the object for a type.
    fileprivate init(_ type: UTType) {
        self.type = type
        super.init()
    }

    /// Creates the object for the type with an identifier; nil if the type is neither declared nor dynamic.
    public convenience init?(_ identifier: String) {
        guard let type = UTType(identifier) else { return nil }
        self.init(type)
    }

    /// Creates the object for the type of files with an extension; nil if the text can't be an extension.
    public convenience init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(
            tag: filenameExtension, tagClass: UTTagClass.filenameExtension.rawValue, conformingTo: supertype)
    }

    /// Creates the object for the type with a MIME type; nil if the text can't be a MIME type.
    public convenience init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: UTTagClass.mimeType.rawValue, conformingTo: supertype)
    }

    /// Creates the object for the type with a tag; nil if the tag is not valid.
    public convenience init?(tag: String, tagClass: String, conformingTo supertype: UTType?) {
        let tagClass = UTTagClass(rawValue: tagClass)
        guard let type = UTType(tag: tag, tagClass: tagClass, conformingTo: supertype) else { return nil }
        self.init(type)
    }

    /// Declares a type of this app, and creates its object.
    public convenience init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(UTType(exportedAs: identifier, conformingTo: parentType))
    }

    /// Declares a type that this app uses, and creates its object.
    public convenience init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(UTType(importedAs: identifier, conformingTo: parentType))
    }

    /// Returns all types with a tag, the best first.
    open class func types(tag: String, tagClass: String, conformingTo supertype: UTType?) -> [UTType] {
        UTType.types(tag: tag, tagClass: UTTagClass(rawValue: tagClass), conformingTo: supertype)
    }

    // MARK: Conformance

    /// Whether content of this type is content of the other type, too.
    open func conforms(to type: UTType) -> Bool { self.type.conforms(to: type) }
    /// Whether this is another type, which conforms to the given type.
    open func isSubtype(of type: UTType) -> Bool { self.type.isSubtype(of: type) }
    /// Whether the given type is another type, which conforms to this type.
    open func isSupertype(of type: UTType) -> Bool { self.type.isSupertype(of: type) }

    // MARK: Copies and archives

    /// Returns the object itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether types can be read securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the identifier to an archive.
    open func encode(with coder: NSCoder) { coder.encode(identifier as NSString, forKey: Self.key) }

    /// Reads a type from an archive.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: Self.key) as String? else {
            return nil
        }
        type = UTType(identifier) ?? UTType(declared: identifier)
        super.init()
    }

    private static let key = "identifier"

    /// Whether the other object is the same type.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UTTypeReference)?.type == type }

    /// A number that equal types share.
    open override var hash: Int { type.hashValue }

    /// The identifier.
    open override var description: String { identifier }
}

extension UTType: _ObjectiveCBridgeable {
    /// The class of objects that stand for types.
    public typealias ReferenceType = UTTypeReference

    /// Returns the type as an object.
    public func _bridgeToObjectiveC() -> UTTypeReference { UTTypeReference(self) }

    /// Reads the type of an object.
    public static func _forceBridgeFromObjectiveC(_ source: UTTypeReference, result: inout UTType?) {
        result = source.type
    }

    /// Reads the type of an object.
    public static func _conditionallyBridgeFromObjectiveC(_ source: UTTypeReference, result: inout UTType?)
        -> Bool
    {
        result = source.type
        return true
    }

    /// Reads the type of an object.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: UTTypeReference?) -> UTType {
        source?.type ?? .item
    }
}
