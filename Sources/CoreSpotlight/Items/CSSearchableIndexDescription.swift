public import Foundation

/// Describes an index of the app.
open class CSSearchableIndexDescription: NSObject, NSSecureCoding, NSCopying {
    /// The protection of the index; nil if the index has the app's protection.
    public let protectionClass: FileProtectionType?

    /// Creates the description of an index with this protection.
    package init(protectionClass: FileProtectionType?) {
        self.protectionClass = protectionClass
        super.init()
    }

    /// Returns the description itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether descriptions can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the description to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(protectionClass.map { $0.rawValue as NSString }, forKey: Self.key)
    }

    /// Reads a description from an archive.
    public required init?(coder: NSCoder) {
        protectionClass =
            coder.decodeObject(of: NSString.self, forKey: Self.key).map {
                FileProtectionType(rawValue: $0 as String)
            }
        super.init()
    }

    private static let key = "protectionClass"

    /// Whether the other object describes an index with the same protection.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CSSearchableIndexDescription else { return false }
        return protectionClass?.rawValue == other.protectionClass?.rawValue
    }

    /// A hash value, which is the same for equal descriptions.
    open override var hash: Int { protectionClass?.rawValue.hashValue ?? 0 }

    /// The protection of the index.
    open override var description: String {
        "<\(type(of: self)): \(protectionClass.map(\.rawValue) ?? "the app's protection")>"
    }
}
