public import Foundation

/// An intent that has an address.
@_alwaysEmitConformanceMetadata
public protocol URLRepresentableIntent: AppIntent {
    /// The address with placeholders for parameters.
    static var urlRepresentation: IntentURLRepresentation<Self> { get }
}

extension URLRepresentableIntent {
    /// The type of `urlRepresentation`.
    public typealias URLRepresentation = IntentURLRepresentation<Self>

    /// The address of the intent with its values; nil if they make none.
    public var urlRepresentation: URL? { get async { Self.urlRepresentation.template.url(for: self) } }
}
