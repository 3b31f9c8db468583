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
