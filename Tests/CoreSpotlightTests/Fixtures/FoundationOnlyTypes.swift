import Foundation

#if os(macOS)
    import CoreServices
#elseif os(iOS)
    import MobileCoreServices
#endif

func mimeType(of url: URL) -> String? {
    let tag = url.pathExtension as CFString
    guard let type = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, tag, nil) else {
        return nil
    }
    return UTTypeCopyPreferredTagWithClass(type.takeRetainedValue(), kUTTagClassMIMEType)?.takeRetainedValue()
        as String?
}

func name(of type: CFString) -> String {
    switch type {
    case kUTTypeImage: return "image"
    case kUTTypeMovie, kUTTypeVideo: return "film"
    default: return type as String
    }
}
