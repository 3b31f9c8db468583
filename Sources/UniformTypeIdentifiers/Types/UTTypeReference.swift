public import Foundation

/// A type of content as an object, for collections and archives that can only contain objects.
open class UTTypeReference: NSObject, NSCopying, NSSecureCoding {
    /// The type as a value.
    fileprivate let type: UTType

    /// The identifier of the type.
    open var identifier: String { type.identifier }
    /// The extension that files of the type should have.
    open var preferredFilenameExtension: String? { type.preferredFilenameExtension }
    /// The preferred MIME type of the type.
    open var preferredMIMEType: String? { type.preferredMIMEType }
    /// A short description of the type.
    open var localizedDescription: String? { type.localizedDescription }
    /// The version of the declaration; always nil on Linux.
    open var version: NSNumber? { nil }
    /// The address of a page about the type; always nil on Linux.
    open var referenceURL: URL? { nil }
    /// The tags, keyed by the identifier of their tag class.
    open var tags: [String: [String]] {
        Dictionary(uniqueKeysWithValues: type.tags.map { ($0.key.rawValue, $0.value) })
    }
    /// Whether the type is dynamic, because it was made from a tag that no declared type has.
    open var isDynamic: Bool { type.isDynamic }
    /// Whether the system or the app declares the type.
    open var isDeclared: Bool { type.isDeclared }
    /// Whether the type belongs to no app or company.
    open var isPublic: Bool { type.isPublic }
    /// All types that this type conforms to, without the type itself.
    open var supertypes: Set<UTType> { type.supertypes }

    /// Creates the object for a type.
    fileprivate init(_ type: UTType) {
        self.type = type
        super.init()
    }

    /// Creates the object for the type with this identifier; nil if the type is neither declared nor dynamic.
    public convenience init?(_ identifier: String) {
        guard let type = UTType(identifier) else { return nil }
        self.init(type)
    }

    /// Creates the object for the type of files with this extension; nil if the text can't be an extension.
    public convenience init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(
            tag: filenameExtension, tagClass: UTTagClass.filenameExtension.rawValue, conformingTo: supertype)
    }

    /// Creates the object for the type with this MIME type; nil if the text can't be a MIME type.
    public convenience init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: UTTagClass.mimeType.rawValue, conformingTo: supertype)
    }

    /// Creates the object for the type with this tag; nil if the tag is not valid.
    public convenience init?(tag: String, tagClass: String, conformingTo supertype: UTType?) {
        let tagClass = UTTagClass(rawValue: tagClass)
        guard let type = UTType(tag: tag, tagClass: tagClass, conformingTo: supertype) else { return nil }
        self.init(type)
    }

    /// Declares a type of this app, and creates the object for the type.
    public convenience init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(UTType(exportedAs: identifier, conformingTo: parentType))
    }

    /// Declares a type that this app uses but does not own, and creates the object for the type.
    public convenience init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(UTType(importedAs: identifier, conformingTo: parentType))
    }

    /// Returns all types with this tag, the best type first.
    open class func types(tag: String, tagClass: String, conformingTo supertype: UTType?) -> [UTType] {
        UTType.types(tag: tag, tagClass: UTTagClass(rawValue: tagClass), conformingTo: supertype)
    }

    // MARK: Conformance

    /// Whether content of this type is also content of the other type.
    open func conforms(to type: UTType) -> Bool { self.type.conforms(to: type) }
    /// Whether this type conforms to the other type and is not the same type.
    open func isSubtype(of type: UTType) -> Bool { self.type.isSubtype(of: type) }
    /// Whether the other type conforms to this type and is not the same type.
    open func isSupertype(of type: UTType) -> Bool { self.type.isSupertype(of: type) }

    // MARK: Copies and archives

    /// Returns the object itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether types can be decoded securely from an archive.
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

    /// A hash value, which is the same for equal types.
    open override var hash: Int { type.hashValue }

    /// The identifier of the type.
    open override var description: String { identifier }
}

extension UTType: _ObjectiveCBridgeable {
    /// The class of the objects that represent types.
    public typealias ReferenceType = UTTypeReference

    /// Returns the type as an object.
    public func _bridgeToObjectiveC() -> UTTypeReference { UTTypeReference(self) }

    /// Converts an object to the type that it represents.
    public static func _forceBridgeFromObjectiveC(_ source: UTTypeReference, result: inout UTType?) {
        result = source.type
    }

    /// Converts an object to the type that it represents.
    public static func _conditionallyBridgeFromObjectiveC(_ source: UTTypeReference, result: inout UTType?)
        -> Bool
    {
        result = source.type
        return true
    }

    /// Converts an object to the type that it represents.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: UTTypeReference?) -> UTType {
        source?.type ?? .item
    }
}
