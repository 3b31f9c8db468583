/// Finds entities by their identifiers, and those that a person is likely to want.
public protocol EntityQuery: DynamicOptionsProvider, PersistentlyIdentifiable, Sendable {
    /// The type of the entities.
    ///
    /// The default lets a query spell its identifiers as `[Entity.ID]`: the compiler can't infer the type from a method
    /// that names it, so it takes the type from the collection that the query returns.
    associatedtype Entity: AppEntity = Result.Result
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
        for entity in try await entities(for: identifiers) {
            titles[entity.id] = entity.displayRepresentation
        }
        return titles
    }
}

extension EntityQuery where Result == [Entity] {
    /// Returns nothing.
    public func suggestedEntities() async throws -> [Entity] { [] }
}
