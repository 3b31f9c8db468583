package import BatonDiscovery
package import Support

extension FuzzTarget {
    /// The fuzz targets of this module.
    package static let discovery = [dnsMessages, multicastDNS]

    /// The reader of DNS messages: for any bytes it returns a message, which can be written and read again, or an error.
    package static let dnsMessages = FuzzTarget("dns-messages") { bytes throws(FuzzViolation) in
        let message: DNSMessage
        do throws(DNSError) {
            message = try DNSMessage(bytes)
        } catch {
            return
        }
        let entries = message.questions.count + message.records.count
        try require(entries <= bytes.count / 5, "\(entries) entries in \(bytes.count) bytes")
        // Compression may be worse than the sender's, so that there is no room.
        guard let written = message.encoded() else { return }
        try require(DNSMessage.reading(written), is: message, "the message after writing and reading")
        try require(message.encoded(limit: written.count), is: written, "the message with just enough room")
        try require(
            message.encoded(limit: written.count - 1) == nil || written.count == 12,
            "a message is longer than its limit")
    }
}

extension DNSMessage {
    /// Reads a message that a machine has written, which must be readable.
    package static func reading(_ bytes: [UInt8]) throws(FuzzViolation) -> DNSMessage {
        do throws(DNSError) {
            return try DNSMessage(bytes)
        } catch {
            throw FuzzViolation(description: "a written message can't be read: \(error), \(bytes)")
        }
    }
}
