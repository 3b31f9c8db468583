public import UniformTypeIdentifiers

/// An entity that is a file.
@_alwaysEmitConformanceMetadata
public protocol FileEntity: AppEntity where ID == FileEntityIdentifier {
    /// The types of the files.
    static var supportedContentTypes: [UTType] { get }
}
