/// Puts a SHA-256 checksum before bytes, so that a change of any byte is detected.
package enum CheckedBytes {
    private static let checksumBytes = 32

    /// Returns the checksum of the content, followed by the content.
    package static func sealed(_ content: [UInt8]) -> [UInt8] { SHA256.digest(content) + content }

    /// Returns the content; nil if a byte of the content or of the checksum was changed.
    package static func content(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let content = bytes.dropFirst(checksumBytes)
        return bytes.prefix(checksumBytes).elementsEqual(SHA256.digest(content)) ? content : nil
    }
}
