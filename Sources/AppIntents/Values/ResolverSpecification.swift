/// The resolvers of a parameter, in order.
public protocol ResolverSpecification: Sendable {
    /// The resolvers.
    var _resolvers: [any Resolver] { get }
}

/// Turns one kind of value into another that a parameter takes.
public protocol Resolver: Sendable {
    /// The kind of value that is given.
    associatedtype Input: _IntentValue
    /// The kind of value that the parameter takes.
    associatedtype Output: _IntentValue

    /// Returns the value for the parameter; nil if this resolver knows none.
    func resolve(from input: Input, context: IntentParameterContext<Output>) async throws -> Output?
}

/// The parameter for which a value is resolved.
public struct IntentParameterContext<Value: _IntentValue>: Sendable {
    /// The text that the person gave, if it is known.
    public let originalText: String?

    package init(originalText: String?) { self.originalText = originalText }
}

/// No resolvers.
public struct EmptyResolverSpecification<Value>: ResolverSpecification {
    /// Creates the specification.
    public init() {}
    /// An empty list.
    public var _resolvers: [any Resolver] { [] }
}

/// A list of resolvers.
public struct ResolverList: ResolverSpecification {
    /// The resolvers.
    public let _resolvers: [any Resolver]
}

/// Collects the resolvers of a parameter.
@resultBuilder public struct ResolverSpecificationBuilder {
    /// Takes a resolver.
    public static func buildExpression(_ resolver: some Resolver) -> ResolverList {
        ResolverList(_resolvers: [resolver])
    }
    /// Takes a list of resolvers.
    public static func buildExpression(_ resolvers: [any Resolver]) -> ResolverList {
        ResolverList(_resolvers: resolvers)
    }
    /// Joins lists.
    public static func buildBlock(_ lists: ResolverList...) -> ResolverList {
        ResolverList(_resolvers: lists.flatMap(\._resolvers))
    }
}
