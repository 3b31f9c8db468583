/// Something that is about an entity.
public protocol AppEntityAnnotatable {
    /// The entity.
    var appEntityIdentifier: EntityIdentifier? { get set }
}
