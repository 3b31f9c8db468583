/// The identity of an entity on all machines.
public struct SyncableEntityIdentifier: Hashable, Codable, Sendable {
    /// The identifier.
    public let value: String

    /// Creates an identity.
    public init(_ value: String) { self.value = value }
}
