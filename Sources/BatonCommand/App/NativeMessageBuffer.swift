package import BatonCore

/// Splits bytes into the native messages of a browser as they arrive, and makes such messages.
///
/// A message is a length of 32 bits in the byte order of the machine, and JSON of this length. The buffer holds at most
/// one message of the largest size, and the last bytes fed.
package struct NativeMessageBuffer {
    private var bytes: [UInt8] = []
    /// The number of bytes that were already returned.
    private var start = 0
    /// The number of bytes to skip, which belong to a message that was too long.
    private var skipped = 0
    private let most: Int

    /// The longest message that is accepted from a browser.
    package static let receivedBytes = 256 << 10
    /// The longest message that browsers accept from a program.
    package static let sentBytes = 1 << 20
    private static let lengthBytes = 4

    package init(most: Int = Self.receivedBytes) { self.most = most }

    /// Takes bytes as they arrive.
    package mutating func feed(_ more: some Collection<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        let passed = min(skipped, more.count)
        skipped -= passed
        bytes += more.dropFirst(passed)
    }

    /// Returns the next message; one that is too long is reported once, as early as possible, and its bytes are
    /// dropped.
    ///
    /// A message that is not complete at the end of the input is never returned.
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

    /// Writes a value as a message; throws if it is too long for browsers.
    package static func send(_ json: JSON, to descriptor: Int32) throws(LocalFailure) {
        guard let message = message(Array(json.text.utf8)) else {
            throw LocalFailure(.tooLarge, "A message is larger than browsers take.")
        }
        try Terminal.write(message, to: descriptor)
    }

    /// Returns the message with that content; nil if it is too long for browsers.
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
