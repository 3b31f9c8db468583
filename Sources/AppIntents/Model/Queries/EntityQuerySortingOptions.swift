/// The properties by which results can be sorted.
public struct EntityQuerySortingOptions<Entity: AppEntity>: Sendable {
    /// The properties.
    public let content: [EntityQuerySortableByProperty<Entity>]

    /// Creates an empty list of options.
    public init() { content = [] }

    /// Creates the options that a closure lists.
    public init(
        @EntityQuerySortingOptionsBuilder<Entity> content: () -> [EntityQuerySortableByProperty<Entity>]
    ) { self.content = content() }

    /// The option at a place.
    public subscript(index: Int) -> EntityQuerySortableByProperty<Entity> { content[index] }
}
