import Foundation
import Glibc

/// The two pipes to the compiler.
struct PluginConnection {
    /// The most bytes of a message; a longer one counts as damage.
    private static let bytesMost = 1 << 28

    /// Reads a message; nil at the end of the input or if it is no message.
    func read() -> [String: Any]? {
        guard let header = bytes(8) else { return nil }
        let length = header.enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
        guard length <= Self.bytesMost, let body = bytes(Int(length)) else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    }

    /// Writes a message.
    func write(_ message: [String: Any]) {
        guard let body = try? JSONSerialization.data(withJSONObject: message) else { return }
        var output = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(body.count) >> (8 * UInt64($0))) }
        output += body
        var rest = output[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads `count` bytes; nil if the input ends earlier.
    private func bytes(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes {
                Glibc.read(0, $0.baseAddress?.advanced(by: done), count - done)
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { return nil }
            done += read
        }
        return bytes
    }
}
