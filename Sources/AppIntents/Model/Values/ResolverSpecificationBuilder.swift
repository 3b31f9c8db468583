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
