/// The properties by which results can be sorted.
public struct EntityQuerySortingOptions<Entity: AppEntity>: Sendable {
    /// The properties.
    public let content: [EntityQuerySortableByProperty<Entity>]

    /// Creates no options.
    public init() { content = [] }

    /// Creates the options that a closure lists.
    public init(
        @EntityQuerySortingOptionsBuilder<Entity> content: () -> [EntityQuerySortableByProperty<Entity>]
    ) { self.content = content() }

    /// The option at a place.
    public subscript(index: Int) -> EntityQuerySortableByProperty<Entity> { content[index] }
}

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

/// Collects sorting options.
@resultBuilder public struct EntityQuerySortingOptionsBuilder<Entity: AppEntity> {
    /// An option.
    public typealias Option = EntityQuerySortableByProperty<Entity>

    /// Takes an option.
    public static func buildExpression(_ option: Option) -> Option { option }
    /// Joins options.
    public static func buildBlock(_ options: Option...) -> [Option] { options }
}
