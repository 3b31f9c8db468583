/// Gives the entities with identifiers, and those that a person is likely to want.
public protocol EntityQuery: DynamicOptionsProvider, PersistentlyIdentifiable, Sendable {
    /// The type of the entities.
    associatedtype Entity: AppEntity
    /// The type of the collection that the query returns.
    associatedtype Result = [Entity]

    /// Creates a query.
    init()
    /// Returns the entities with these identifiers; it leaves out those that are gone.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    /// Returns the entities that a person is likely to want.
    func suggestedEntities() async throws -> Result
    /// Returns the titles of the entities with these identifiers, without the entities themselves.
    func displayRepresentations(
        for identifiers: [Entity.ID], requestedComponents: DisplayRepresentation.Components
    ) async throws -> [Entity.ID: DisplayRepresentation]
}

extension EntityQuery {
    /// Returns the suggested entities.
    public func results() async throws -> Result { try await suggestedEntities() }

    /// Returns the titles of the entities.
    public func displayRepresentations(
        for identifiers: [Entity.ID], requestedComponents: DisplayRepresentation.Components
    ) async throws -> [Entity.ID: DisplayRepresentation] {
        var titles: [Entity.ID: DisplayRepresentation] = [:]
        for entity in try await entities(for: identifiers) { titles[entity.id] = entity.displayRepresentation }
        return titles
    }
}

extension EntityQuery where Result == [Entity] {
    /// Returns nothing.
    public func suggestedEntities() async throws -> [Entity] { [] }
}

/// A query that searches for a text.
public protocol EntityStringQuery: EntityQuery {
    /// Returns the entities for a text.
    func entities(matching string: String) async throws -> Result
}

/// A query that can give all entities.
public protocol EnumerableEntityQuery: EntityQuery {
    /// The description of the intent that finds entities; nil for one that is made from the type's name.
    static var findIntentDescription: IntentDescription? { get }
    /// Returns all entities.
    func allEntities() async throws -> Result
}

extension EnumerableEntityQuery {
    /// Nil: the description is made from the type's name.
    public static var findIntentDescription: IntentDescription? { nil }
    /// Returns all entities.
    public func suggestedEntities() async throws -> Result { try await allEntities() }
}

extension EnumerableEntityQuery where Result == [Entity] {
    /// Returns all entities.
    public func suggestedEntities() async throws -> [Entity] { try await allEntities() }
}
