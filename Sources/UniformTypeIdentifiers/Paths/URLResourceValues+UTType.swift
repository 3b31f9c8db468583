public import Foundation

extension URLResourceKey {
    /// The key for the type of a file's content, for `resourceValues(forKeys:)`.
    ///
    /// Foundation on Linux can return only the values that it knows. So this is the key for the path, from which
    /// `URLResourceValues.contentType` finds the type.
    public static var contentTypeKey: URLResourceKey { .pathKey }
}

extension URLResourceValues {
    /// The type of the file's content, found from the kind of the file and its extension.
    ///
    /// It is nil unless `contentTypeKey` was requested.
    public var contentType: UTType? {
        guard let path else { return nil }
        let tag = (path as NSString).pathExtension
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory?:
                return UTType(filenameExtension: tag, conformingTo: .directory)?.declared ?? .folder
            case .typeSymbolicLink?: return .symbolicLink
            case .typeRegular?: break
            default: return .item
            }
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            return UTType(filenameExtension: tag) ?? (mode & 0o111 != 0 ? .unixExecutable : .data)
        } catch {
            // The file was removed after the values were read.
            return UTType(filenameExtension: tag)
        }
    }
}

extension UTType {
    /// This type if it is declared; otherwise, nil.
    fileprivate var declared: UTType? { isDeclared ? self : nil }
}
