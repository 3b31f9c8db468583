/// Collects sorting options.
@resultBuilder public struct EntityQuerySortingOptionsBuilder<Entity: AppEntity> {
    /// An option.
    public typealias Option = EntityQuerySortableByProperty<Entity>

    /// Takes an option.
    public static func buildExpression(_ option: Option) -> Option { option }
    /// Joins options.
    public static func buildBlock(_ options: Option...) -> [Option] { options }
}
