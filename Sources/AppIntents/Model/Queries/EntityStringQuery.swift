/// A query that searches for a text.
public protocol EntityStringQuery: EntityQuery {
    /// Returns the entities for a text.
    func entities(matching string: String) async throws -> Result
}
