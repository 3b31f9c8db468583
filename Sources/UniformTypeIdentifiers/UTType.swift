/// A type of content, named by an identifier such as `public.text`.
public struct UTType: Hashable, Codable, Sendable {
    /// The identifier of the type.
    public let identifier: String

    /// Creates the type with an identifier.
    public init?(_ identifier: String) { self.identifier = identifier }

    /// Creates a type that another app declares.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
    }

    /// All types that this type conforms to, without itself.
    public var supertypes: Set<UTType> { [] }

    /// Whether the type is declared by the system or an app.
    public var isDeclared: Bool { true }
}
