/// A query by properties, with comparators, sorting and a limit.
///
/// Each comparator of `properties` turns the values of a person into a value of the app's own type, for example a
/// predicate; `entities(matching:mode:sortedBy:limit:)` gets these values.
public protocol EntityPropertyQuery: EntityQuery {
    /// The type that the app's comparators give.
    associatedtype ComparatorMappingType

    /// The way in which comparators are joined.
    typealias ComparatorMode = EntityQueryComparatorMode
    /// The properties with their comparators.
    typealias QueryProperties = EntityQueryProperties<Entity, ComparatorMappingType>
    /// A property with its comparators.
    typealias Property = EntityQueryProperty
    /// The properties by which results can be sorted.
    typealias SortingOptions = EntityQuerySortingOptions<Entity>
    /// A property by which results can be sorted.
    typealias SortableBy = EntityQuerySortableByProperty<Entity>
    /// A property and an order.
    typealias Sort = EntityQuerySort

    /// The properties with their comparators.
    static var properties: QueryProperties { get }
    /// The properties by which results can be sorted.
    static var sortingOptions: SortingOptions { get }
    /// The description of the intent that finds entities; nil for one that is made from the type's name.
    static var findIntentDescription: IntentDescription? { get }

    /// Returns the entities that fit all comparators or one of them, in order.
    func entities(
        matching comparators: [ComparatorMappingType], mode: ComparatorMode,
        sortedBy: [EntityQuerySort<Entity>], limit: Int?
    ) async throws -> Result
}

extension EntityPropertyQuery {
    /// Nil: the description is made from the type's name.
    public static var findIntentDescription: IntentDescription? { nil }
}
