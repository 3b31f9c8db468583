/// A DNS message, as multicast DNS uses it.
///
/// Records of other classes than IN are left out when a message is read.
package struct DNSMessage: Hashable, Sendable {
    /// A number that the answer to an ordinary DNS client repeats; zero in multicast DNS.
    package var identifier: UInt16 = 0
    /// True for a response, false for a query.
    package var isResponse: Bool
    /// True if the sender continues in another message.
    package var isTruncated = false
    package var questions: [DNSQuestion] = []
    package var answers: [DNSRecord] = []
    package var authorities: [DNSRecord] = []
    package var additionals: [DNSRecord] = []

    package init(isResponse: Bool) { self.isResponse = isResponse }

    /// The most bytes that are read; multicast DNS allows no longer messages.
    package static let bytesMost = 9000

    /// Reads a message.
    ///
    /// It takes little time and memory, whatever the bytes are: a message can have no more records than fit in it, a
    /// name no more than 255 bytes, and all names together no more than 64 KiB.
    package init(_ bytes: some Collection<UInt8>) throws(DNSError) {
        guard bytes.count <= Self.bytesMost else { throw .tooLong }
        var reader = DNSReader(Array(bytes))
        identifier = try reader.number()
        let flags: UInt16 = try reader.number()
        // Multicast DNS has one operation, and ignores messages with an error code.
        guard flags & 0x7800 == 0, flags & 0x000f == 0 else { throw .unknownOperation }
        (isResponse, isTruncated) = (flags & 0x8000 != 0, flags & 0x0200 != 0)
        let counts: (UInt16, UInt16, UInt16, UInt16) = (
            try reader.number(), try reader.number(), try reader.number(), try reader.number()
        )
        for _ in 0..<counts.0 {
            if let question = try reader.question() { questions.append(question) }
        }
        for _ in 0..<counts.1 {
            if let record = try reader.record() { answers.append(record) }
        }
        for _ in 0..<counts.2 {
            if let record = try reader.record() { authorities.append(record) }
        }
        for _ in 0..<counts.3 {
            if let record = try reader.record() { additionals.append(record) }
        }
        guard reader.isAtEnd else { throw .trailingBytes }
    }

    /// The records of all sections.
    package var records: [DNSRecord] { answers + authorities + additionals }
}

/// The reason why bytes can't be read as a DNS message.
package enum DNSError: Error, Equatable, Sendable {
    /// The bytes end in the middle of the message.
    case cutOff
    /// The message is longer than is allowed, or its names would be if they were written in full.
    case tooLong
    /// There are bytes after the last record.
    case trailingBytes
    /// The message is neither an ordinary query nor a response to one.
    case unknownOperation
    /// A name has more than 255 bytes, too many pointers, or a length of a kind that is not in use.
    case malformedName
    /// A pointer of a name does not lead to a place before the name, so that reading might never end.
    case pointerForward
    /// The data of a record does not have the form or length of its kind.
    case malformedData
}
