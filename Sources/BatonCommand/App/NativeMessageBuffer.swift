package import BatonClient
package import BatonCore
import BatonTerminal

/// Splits bytes into the native messages of a browser as they arrive, and makes such messages.
///
/// A message is a 32-bit length in the byte order of the machine, followed by JSON of that length. The buffer holds at
/// most one message of the maximum size, and the bytes that were fed last.
package struct NativeMessageBuffer {
    private var bytes: [UInt8] = []
    /// The offset of the first byte that was not returned yet.
    private var start = 0
    /// The number of bytes that must still be skipped, because their message was too long.
    private var skipped = 0
    private let most: Int

    /// The maximum length of a message from a browser.
    package static let receivedBytes = 256 << 10
    /// The maximum length of a message to a browser.
    ///
    /// Browsers accept no longer ones.
    package static let sentBytes = 1 << 20
    private static let lengthBytes = 4

    package init(most: Int = Self.receivedBytes) { self.most = most }

    /// Appends bytes to the buffer.
    package mutating func feed(_ more: some Collection<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        let passed = min(skipped, more.count)
        skipped -= passed
        bytes += more.dropFirst(passed)
    }

    /// Returns the next message, or nil if no complete message has arrived.
    ///
    /// A message that is too long is reported once, as early as possible, and its bytes are dropped. A message that is
    /// incomplete at the end of the input is never returned.
    package mutating func next() -> LineBuffer.Line? {
        let rest = bytes[start...]
        guard rest.count >= Self.lengthBytes else { return nil }
        let length = Int(Self.number(rest.prefix(Self.lengthBytes)))
        let content = rest.dropFirst(Self.lengthBytes)
        guard length <= most else {
            let passed = min(length, content.count)
            start += Self.lengthBytes + passed
            skipped = length - passed
            return .tooLong
        }
        guard content.count >= length else { return nil }
        start += Self.lengthBytes + length
        return .whole(Array(content.prefix(length)))
    }

    /// Writes a value as a message; throws if browsers would not accept a message of that length.
    package static func send(_ json: JSON, to descriptor: Int32) throws(LocalFailure) {
        guard let message = message(Array(json.text.utf8)) else {
            throw LocalFailure(.tooLarge, "A message is larger than browsers take.")
        }
        try Terminal.write(message, to: descriptor)
    }

    /// Returns a message with the given content, or nil if browsers would not accept a message of that length.
    package static func message(_ content: [UInt8]) -> [UInt8]? {
        guard content.count <= sentBytes, let length = UInt32(exactly: content.count) else { return nil }
        return withUnsafeBytes(of: length) { Array($0) } + content
    }

    /// Reads a number in the byte order of the machine.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var number: UInt32 = 0
        withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: bytes) }
        return number
    }
}
