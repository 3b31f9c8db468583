/// A type with a name that stays the same when the type is renamed.
public protocol PersistentlyIdentifiable {
    /// The name under which the node and other machines know the type.
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    /// The name of the type.
    public static var persistentIdentifier: String { String(describing: Self.self) }
}
