/// The name of a type of entities.
public struct AttributedTypeIdentifier: Hashable, Codable, Sendable {
    /// The name.
    public let value: String

    /// Creates a name.
    public init(_ value: String) { self.value = value }
}
