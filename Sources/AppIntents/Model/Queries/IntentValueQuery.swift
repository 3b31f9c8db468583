/// Gives values for an input of another kind, such as what is seen in a picture; nothing on Linux asks it by itself.
public protocol IntentValueQuery: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// The type of the input.
    associatedtype Input
    /// The type of the values.
    associatedtype Result: ResultsCollection

    /// Creates a query.
    init()
    /// Returns the values for an input.
    func values(for input: Input) async throws -> Result
}
