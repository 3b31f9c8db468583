/// A class of tags, such as filename extensions or MIME types; a tag names a type outside of this library.
public struct UTTagClass: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible
{
    /// The identifier of the class.
    public let rawValue: String

    /// Creates the tag class with this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions, without a dot.
    public static var filenameExtension: UTTagClass { UTTagClass(rawValue: "public.filename-extension") }
    /// MIME types.
    public static var mimeType: UTTagClass { UTTagClass(rawValue: "public.mime-type") }

    /// The identifier of the class.
    public var description: String { rawValue }
    /// The identifier of the class.
    public var debugDescription: String { rawValue }
}
