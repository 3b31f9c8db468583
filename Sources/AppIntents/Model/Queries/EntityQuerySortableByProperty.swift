/// A property by which results can be sorted.
public struct EntityQuerySortableByProperty<Entity: AppEntity>: @unchecked Sendable {
    /// The property, such as `\Book.$title`.
    ///
    /// Not checked by the compiler because key paths that literals make never change.
    public let keyPath: PartialKeyPath<Entity>
    /// Returns the property of an entity.
    package let property: (Entity) -> any AnyEntityProperty

    /// Creates an option.
    public init<Value>(_ keyPath: KeyPath<Entity, EntityProperty<Value>>) {
        self.keyPath = keyPath
        property = { $0[keyPath: keyPath] }
    }
}
