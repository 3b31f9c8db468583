/// A DNS message, as multicast DNS uses it.
///
/// When a message is read, questions and records of other classes than IN are left out.
package struct DNSMessage: Hashable, Sendable {
    /// The number of the query of an ordinary DNS client, which the answer repeats.
    ///
    /// In multicast DNS, it is zero.
    package var identifier: UInt16 = 0
    /// True for a response, false for a query.
    package var isResponse: Bool
    /// True if the sender continues the message in another message.
    package var isTruncated = false
    package var questions: [DNSQuestion] = []
    package var answers: [DNSRecord] = []
    package var authorities: [DNSRecord] = []
    package var additionals: [DNSRecord] = []

    package init(isResponse: Bool) { self.isResponse = isResponse }

    /// The largest number of bytes of a message.
    ///
    /// Multicast DNS does not allow longer messages.
    package static let bytesMost = 9000

    /// Reads a message.
    ///
    /// Reading takes little time and memory, whatever the bytes are. The length of the message limits the number of
    /// records. A name has at most 255 bytes, and all names together have at most 64 KiB.
    package init(_ bytes: some Collection<UInt8>) throws(DNSError) {
        guard bytes.count <= Self.bytesMost else { throw .tooLong }
        var reader = DNSReader(Array(bytes))
        identifier = try reader.number()
        let flags: UInt16 = try reader.number()
        // Multicast DNS has only one operation, and ignores messages with an error code.
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
    /// The message is too long, or its names would be too long if they were written without compression.
    case tooLong
    /// There are bytes after the last record.
    case trailingBytes
    /// The message has another operation than a standard query, or it has an error code.
    case unknownOperation
    /// A name has more than 255 bytes, has too many pointers, or has a label of an unknown type.
    case malformedName
    /// A pointer in a name does not refer to an earlier place, so reading the name might never end.
    case pointerForward
    /// The data of a record does not have the form or the length that the kind of record requires.
    case malformedData
}
