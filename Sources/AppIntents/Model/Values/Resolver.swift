/// Turns one kind of value into another that a parameter takes.
public protocol Resolver: Sendable {
    /// The kind of value that is given.
    associatedtype Input: _IntentValue
    /// The kind of value that the parameter takes.
    associatedtype Output: _IntentValue

    /// Returns the value for the parameter; nil if this resolver knows none.
    func resolve(from input: Input, context: IntentParameterContext<Output>) async throws -> Output?
}
