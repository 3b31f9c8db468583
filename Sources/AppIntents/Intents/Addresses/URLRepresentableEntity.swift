public import Foundation

/// An entity that has an address.
@_alwaysEmitConformanceMetadata
public protocol URLRepresentableEntity: AppEntity, CustomURLRepresentationParameterConvertible {
    /// The address with placeholders for properties.
    static var urlRepresentation: EntityURLRepresentation<Self> { get }
}

extension URLRepresentableEntity {
    /// The type of `urlRepresentation`.
    public typealias URLRepresentation = EntityURLRepresentation<Self>

    /// The address of the entity; nil if its values make none.
    public var urlRepresentation: URL? { get async { Self.urlRepresentation.template.url(for: self) } }
    /// The identifier.
    public var urlRepresentationParameter: String { id.entityIdentifierString }
}
