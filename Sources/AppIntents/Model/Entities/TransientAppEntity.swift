/// An entity that an intent returns and that no query gives again.
@_alwaysEmitConformanceMetadata
public protocol TransientAppEntity: AppEntity {
    /// Creates an empty entity.
    init()
}

extension TransientAppEntity {
    /// The name of the type, because a transient entity has no identity.
    public var id: String { Self.persistentIdentifier }
    /// A query that gives nothing.
    public static var defaultQuery: TransientAppEntityQuery<Self> { TransientAppEntityQuery() }
}
