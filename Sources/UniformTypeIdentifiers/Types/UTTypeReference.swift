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

    /// Creates the object for a type.
    fileprivate init(_ type: UTType) {
        self.type = type
        super.init()
    }

    /// Creates the object for the type with an identifier; nil if nobody declares it.
    public convenience init?(_ identifier: String) {
        guard let type = UTType(identifier) else { return nil }
        self.init(type)
    }

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
