/// The resolvers of a parameter, in order.
public protocol ResolverSpecification: Sendable {
    /// The resolvers.
    var _resolvers: [any Resolver] { get }
}
