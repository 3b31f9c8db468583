/// No resolvers.
public struct EmptyResolverSpecification<Value>: ResolverSpecification {
    /// Creates the specification.
    public init() {}
    /// An empty list.
    public var _resolvers: [any Resolver] { [] }
}
