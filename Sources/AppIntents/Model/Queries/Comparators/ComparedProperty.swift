/// The property that a comparison compares.
///
/// Unchecked because key paths that literals make never change.
struct ComparedProperty: @unchecked Sendable {
    /// Whether the property belongs to the query's own entity, and not to an entity that this entity refers to.
    let isOwn: Bool
    /// Returns the property of an entity; nil for an entity of another type.
    let property: (any AppEntity) -> (any AnyEntityProperty)?
}
