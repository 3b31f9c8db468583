/// The media types of copied content.
package enum ContentType {
    /// Text in UTF-8.
    package static let text = "text/plain;charset=utf-8"
    /// The type of content that is neither text nor a known kind of image.
    package static let unknown = "application/octet-stream"

    /// Finds out the type of content.
    ///
    /// An image is recognised by its first bytes. For text, all bytes are examined.
    package static func of(_ bytes: [UInt8]) -> String {
        for (type, beginning) in signatures where bytes.starts(with: beginning) { return type }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return "image/webp"
        }
        let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
        return isText ? text : unknown
    }

    private static let signatures: [(String, [UInt8])] = [
        ("image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ("image/jpeg", [0xff, 0xd8, 0xff]),
        ("image/gif", Array("GIF87a".utf8)), ("image/gif", Array("GIF89a".utf8)),
        ("image/tiff", [0x49, 0x49, 0x2a, 0x00]), ("image/tiff", [0x4d, 0x4d, 0x00, 0x2a]),
    ]

    /// Whether a type may be passed to programs: the type of text, of unknown content, or of an image.
    package static func isValid(_ type: String) -> Bool {
        if type == text || type == unknown { return true }
        guard type.hasPrefix("image/") else { return false }
        let name = type.dropFirst(6)
        return 1...40 ~= name.utf8.count && name.first.map { $0.isLetter || $0.isNumber } ?? false
            && name.utf8.allSatisfy { byte in
                Array("abcdefghijklmnopqrstuvwxyz0123456789.+-".utf8).contains(byte)
            }
    }

    /// The name of the type in messages to a person.
    static func label(_ type: String) -> String {
        switch type {
        case text: "text"
        case unknown: "data"
        default: "image (\(type.dropFirst(6)))"
        }
    }

    /// The usual extension of a file with this type of content.
    package static func ending(_ type: String) -> String {
        switch type {
        case text: "txt"
        case unknown: "bin"
        case "image/jpeg": "jpg"
        case "image/svg+xml": "svg"
        default: type.hasPrefix("image/x-") ? "img" : String(type.dropFirst(6).prefix { $0 != "+" })
        }
    }
}
