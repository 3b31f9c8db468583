import Foundation

/// A tag and its tag class, in a form that can be compared.
struct Tag {
    let text: String
    let tagClass: UTTagClass

    /// Creates a tag; nil if the tag is not valid.
    ///
    /// Case is ignored. The parameters of a MIME type, such as the encoding, are ignored unless a declared type has the
    /// same parameters.
    init?(_ text: String, _ tagClass: UTTagClass) {
        let text = text.lowercased()
        switch tagClass {
        case .filenameExtension: guard Self.isExtension(text) else { return nil }
        case .mimeType: guard Self.isMIMEType(text) else { return nil }
        default: guard !text.isEmpty else { return nil }
        }
        (self.text, self.tagClass) = (text, tagClass)
    }

    /// The maximum length of a tag in bytes, which is the maximum length of a file name.
    private static let bytesMost = 255

    private static func isExtension(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= bytesMost && !text.hasPrefix(".") && !text.contains("/")
            && !text.contains("\0")
    }

    private static func isMIMEType(_ text: String) -> Bool {
        let parts = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && text.utf8.count <= bytesMost
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } }
    }

    // MARK: Declared types

    /// The declared types with this tag, or with a tag that is equivalent on this machine.
    var declaredTypes: [UTType] {
        let declarations: [TypeDeclaration] =
            switch tagClass {
            case .filenameExtension: Self.declarations(withExtension: text)
            case .mimeType: Self.declarations(withMIMEType: text)
            default: []
            }
        return declarations.map { UTType(declared: $0.identifier) }
    }

    private static func declarations(withExtension text: String) -> [TypeDeclaration] {
        let declared = TypeCatalog.declarations(withExtension: text)
        if !declared.isEmpty { return declared }
        for type in SharedMIMEInfo.machine.types[text] ?? [] where type != anything {
            let declared = TypeCatalog.declarations(withMIMEType: type)
            if !declared.isEmpty { return declared }
        }
        return []
    }

    private static func declarations(withMIMEType text: String) -> [TypeDeclaration] {
        let bare = text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        for type in [text.filter { $0 != " " }, bare, SharedMIMEInfo.machine.names[bare] ?? bare] {
            let declared = TypeCatalog.declarations(withMIMEType: type)
            if !declared.isEmpty { return declared }
        }
        return []
    }

    /// The MIME type for unknown data.
    static let anything = "application/octet-stream"

    // MARK: Tags of types

    /// Returns the tags of a declared type, and the extensions that this machine knows in addition.
    static func all(of declaration: TypeDeclaration) -> [UTTagClass: [String]] {
        var tags: [UTTagClass: [String]] = [:]
        let known = declaration.mimeTypes.filter { $0 != anything }.flatMap { type in
            SharedMIMEInfo.machine.extensions[type] ?? []
        }.filter { TypeCatalog.declarations(withExtension: $0).isEmpty }
        let extensions = declaration.extensions + known.filter { !declaration.extensions.contains($0) }
        if !extensions.isEmpty { tags[.filenameExtension] = extensions.uniqued() }
        if !declaration.mimeTypes.isEmpty { tags[.mimeType] = declaration.mimeTypes }
        return tags
    }
}

extension DynamicType {
    /// The MIME types that this machine knows for the type, the best type first.
    private var knownMIMETypes: [String] {
        let machine = SharedMIMEInfo.machine
        let named = (tags[UTTagClass.mimeType.rawValue] ?? []).map { machine.names[$0] ?? $0 }
        let found = (tags[UTTagClass.filenameExtension.rawValue] ?? []).compactMap {
            machine.types[$0]?.first
        }
        return (named + found).uniqued()
    }

    /// The tags, keyed by their tag class, and the tags that this machine knows in addition.
    var allTags: [UTTagClass: [String]] {
        var all: [UTTagClass: [String]] = [:]
        for (tagClass, tags) in tags { all[UTTagClass(rawValue: tagClass)] = tags }
        let types = knownMIMETypes
        let extensions = types.flatMap { SharedMIMEInfo.machine.extensions[$0] ?? [] }
        all[.mimeType] = ((all[.mimeType] ?? []) + types).uniqued()
        all[.filenameExtension] = ((all[.filenameExtension] ?? []) + extensions).uniqued()
        return all.filter { !$0.value.isEmpty }
    }

    /// The identifiers of the types that this type conforms to, and those that this machine knows in addition.
    ///
    /// Types are added only if the type conforms to `public.data` and nothing else. If an app asked for a more specific
    /// type, such as an image, only that type is used.
    var allParents: [String] {
        guard parents == [UTType.data.identifier] else { return parents }
        var identifiers: [String] = []
        for type in knownMIMETypes.flatMap({ SharedMIMEInfo.machine.ancestry(of: $0) })
        where type != Tag.anything {
            identifiers += TypeCatalog.declarations(withMIMEType: type).map(\.identifier)
            identifiers += Self.families.filter { type.hasPrefix($0.prefix) }.map(\.type)
        }
        return (identifiers + parents).uniqued()
    }

    /// The types that all MIME types with a prefix conform to.
    private static let families: [(prefix: String, type: String)] = [
        ("text/", "public.plain-text"), ("image/", "public.image"), ("audio/", "public.audio"),
        ("video/", "public.movie"), ("font/", "public.font"), ("model/", "public.3d-content"),
    ]
}

extension [String] {
    /// The texts in their order, without repetitions.
    fileprivate func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
