public import Foundation

/// An enumeration whose cases have addresses.
@_alwaysEmitConformanceMetadata
public protocol URLRepresentableEnum: AppEnum, CustomURLRepresentationParameterConvertible {
    /// The addresses of the cases.
    static var urlRepresentation: EnumURLRepresentation<Self> { get }
}

extension URLRepresentableEnum {
    /// The type of `urlRepresentation`.
    public typealias URLRepresentation = EnumURLRepresentation<Self>

    /// The address of the case; nil if it has none.
    public var urlRepresentation: URL? { Self.urlRepresentation.url(for: self) }
    /// The raw value.
    public var urlRepresentationParameter: String { rawValue.description }
}
