/// Deletes entities.
@_alwaysEmitConformanceMetadata
public protocol DeleteIntent: SystemIntent {
    /// The type of the entities.
    associatedtype Entity: AppEntity

    /// The entities to delete.
    var entities: [Entity] { get set }
}
