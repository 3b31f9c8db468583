public import Foundation

/// A type of content, such as text or a PNG image, which is identified by a text such as `public.text`.
///
/// A type conforms to more general types. The system declares many types. An app declares its own types in code, with
/// `init(exportedAs:conformingTo:)`. Any other content gets a *dynamic* type. The identifier of a dynamic type contains
/// the tag that it was made from.
public struct UTType: Hashable, Codable, Sendable {
    /// The identifier of the type.
    public let identifier: String

    /// Creates a type that must be declared.
    init(declared identifier: String) { self.identifier = identifier }

    // MARK: Types by identifier

    /// Creates the type with this identifier; nil if the type is neither declared nor dynamic.
    ///
    /// Case is ignored.
    public init?(_ identifier: String) {
        if let declaration = TypeCatalog.declaration(of: identifier) {
            self.identifier = declaration.identifier
        } else if DynamicType(identifier) != nil {
            self.identifier = identifier.lowercased()
        } else {
            return nil
        }
    }

    /// Declares a type of this app, and creates the type.
    ///
    /// This replaces the declaration in an app's property list. Call it before types are compared, for example in a
    /// static constant that the app reads when it starts.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        TypeCatalog.declare(identifier, conformingTo: parentType?.identifier)
        self = UTType(identifier) ?? UTType(declared: identifier)
    }

    /// Declares a type that this app uses but does not own, and creates the type.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(exportedAs: identifier, conformingTo: parentType)
    }

    // MARK: Types by tag

    /// Creates the type of files with this extension; nil if the text can't be an extension.
    ///
    /// A declared type is preferred. For an extension of directories, pass `.directory` or `.package`.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// Creates the type with this MIME type; nil if the text can't be a MIME type.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// Creates the type with this tag; nil if the tag is not valid.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let type = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else {
            return nil
        }
        self = type
    }

    /// Returns all types with this tag, the best type first.
    ///
    /// These are declared types. If there are none, the result has one dynamic type. If the tag is not valid, the
    /// result is empty.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        guard let tag = Tag(tag, tagClass) else { return [] }
        let declared = tag.declaredTypes.filter { type in supertype.map { type.conforms(to: $0) } ?? true }
        if !declared.isEmpty { return declared }
        let type = DynamicType(tag: tag.text, class: tagClass.rawValue, conformingTo: supertype?.identifier)
        return [UTType(declared: type.identifier)]
    }

    // MARK: Tags

    /// The tags, keyed by their tag class; the preferred tag comes first.
    public var tags: [UTTagClass: [String]] {
        if let declaration = TypeCatalog.declaration(of: identifier) { return Tag.all(of: declaration) }
        return dynamic?.allTags ?? [:]
    }

    /// The extension that files of the type should have.
    public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }

    /// The preferred MIME type of the type.
    public var preferredMIMEType: String? { tags[.mimeType]?.first }

    // MARK: Kinds of types

    /// Whether the type is dynamic, because it was made from a tag that no declared type has.
    public var isDynamic: Bool { dynamic != nil }

    /// Whether the system or the app declares the type.
    public var isDeclared: Bool { TypeCatalog.declaration(of: identifier) != nil }

    /// Whether the type is declared and its identifier begins with `public.`; such a type belongs to no app or company.
    public var isPublic: Bool { identifier.hasPrefix("public.") && isDeclared }

    /// The parts of the type, if it is dynamic; otherwise, nil.
    private var dynamic: DynamicType? {
        guard TypeCatalog.declaration(of: identifier) == nil else { return nil }
        return DynamicType(identifier)
    }

    // MARK: Conformance

    /// All types that this type conforms to, directly or indirectly, without the type itself.
    public var supertypes: Set<UTType> {
        var (found, waiting): (Set<UTType>, [UTType]) = ([], parents)
        while let type = waiting.popLast() {
            if type != self, found.insert(type).inserted { waiting += type.parents }
        }
        return found
    }

    /// The types that this type conforms to directly.
    private var parents: [UTType] {
        if let declaration = TypeCatalog.declaration(of: identifier) {
            return declaration.parents.map { UTType($0) ?? UTType(declared: $0) }
        }
        return dynamic?.allParents.map { UTType($0) ?? UTType(declared: $0) } ?? []
    }

    /// Whether content of this type is also content of the other type; every type conforms to itself.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

    /// Whether this type conforms to the other type and is not the same type.
    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }

    /// Whether the other type conforms to this type and is not the same type.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    // MARK: Descriptions

    /// A short description in English; if the type has none, the description of the nearest type that it conforms to.
    public var localizedDescription: String? {
        var (seen, waiting): (Set<UTType>, [UTType]) = ([], [self])
        while !waiting.isEmpty {
            let type = waiting.removeFirst()
            guard seen.insert(type).inserted else { continue }
            if let summary = TypeCatalog.declaration(of: type.identifier)?.summary, !summary.isEmpty {
                return summary
            }
            waiting += type.parents
        }
        return nil
    }

    /// The version of the declaration; always nil on Linux.
    public var version: Int? { nil }

    /// The address of a page about the type; always nil on Linux.
    public var referenceURL: URL? { nil }

    // MARK: Encoding

    /// Decodes the identifier of a type; the type need not be declared in this program.
    public init(from decoder: any Decoder) throws {
        let identifier = try decoder.singleValueContainer().decode(String.self)
        self = UTType(identifier) ?? UTType(declared: identifier)
    }

    /// Encodes the identifier of the type.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
    /// The identifier of the type.
    public var description: String { identifier }

    /// The identifier, and whether the type is declared or dynamic.
    public var debugDescription: String {
        "<UTType: \(identifier), \(isDynamic ? "dynamic" : isDeclared ? "declared" : "not declared")>"
    }
}
