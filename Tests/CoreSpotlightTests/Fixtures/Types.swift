import CoreServices
import UniformTypeIdentifiers

extension UTType {
    static let note = UTType(exportedAs: "org.example.note", conformingTo: .plainText)
    static let draft = UTType(importedAs: "org.example.draft")
    static var exportTypes: [UTType] { [.note, .pdf, .png, UTType(filenameExtension: "md") ?? .text] }
}

struct Document: Codable, Hashable, Sendable {
    var type: UTType
    var url: URL

    var isImage: Bool { type.conforms(to: .image) }
    var fileName: String { "document.\(type.preferredFilenameExtension ?? "dat")" }

    static func type(of url: URL) -> UTType {
        UTType(filenameExtension: url.pathExtension) ?? .data
    }

    static func mimeType(of url: URL) -> String {
        if let type = UTType(filenameExtension: url.pathExtension, conformingTo: .data),
            let mime = type.preferredMIMEType
        {
            return mime
        }
        return "application/octet-stream"
    }
}

func mimeType(for pathExtension: String) -> String {
    if let uti = UTTypeCreatePreferredIdentifierForTag(
        kUTTagClassFilenameExtension, pathExtension as NSString, nil)?.takeRetainedValue()
    {
        if let mime = UTTypeCopyPreferredTagWithClass(uti, kUTTagClassMIMEType)?.takeRetainedValue() {
            return mime as String
        }
    }
    return "application/octet-stream"
}

func isImage(_ identifier: String) -> Bool {
    UTTypeConformsTo(identifier as CFString, kUTTypeImage) || UTTypeEqual(identifier as CFString, kUTTypePDF)
}

func tags(of type: UTType) -> [String] {
    switch type {
    case .png, .jpeg: return type.tags[.filenameExtension] ?? []
    case _ where type.isDynamic: return type.tags[UTTagClass(rawValue: "public.mime-type")] ?? []
    default: return type.supertypes.map(\.identifier)
    }
}
