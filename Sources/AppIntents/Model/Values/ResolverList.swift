/// A list of resolvers.
public struct ResolverList: ResolverSpecification {
    /// The resolvers.
    public let _resolvers: [any Resolver]
}
