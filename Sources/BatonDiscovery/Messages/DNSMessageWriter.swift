/// Writes a DNS message of limited length.
///
/// The sections must be written in their order.
struct DNSMessageWriter {
    /// The sections of a message, in their order.
    enum Section: Int, Comparable {
        case questions, answers, authorities, additionals

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private var writer: DNSWriter
    /// The number of entries that each section has so far.
    private var counts: [UInt16] = [0, 0, 0, 0]
    /// The section of the last entry.
    private var section = Section.questions
    private let isResponse: Bool
    /// True if another message continues this message.
    ///
    /// This must be set before `bytes` is read.
    var isTruncated = false
    /// Whether the names of hosts in SRV records are compressed.
    var isCompressingHosts: Bool {
        get { writer.isCompressingHosts }
        set { writer.isCompressingHosts = newValue }
    }

    /// Begins a message of at most `limit` bytes.
    init(isResponse: Bool, identifier: UInt16 = 0, limit: Int) {
        writer = DNSWriter(limit: limit)
        self.isResponse = isResponse
        writer.append(identifier)
        for _ in 0..<5 { writer.append(UInt16(0)) }
    }

    /// True if no entry was appended.
    var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

    /// Appends a question if the message has room for it; returns whether the question was appended.
    mutating func append(_ question: DNSQuestion) -> Bool {
        append(to: .questions) { $0.append(question) }
    }

    /// Appends a record to a section if the message has room for it; returns whether the record was appended.
    ///
    /// No entry of a later section may have been appended before.
    mutating func append(_ record: DNSRecord, to section: Section) -> Bool {
        append(to: section) { $0.append(record) }
    }

    /// The bytes of the message so far.
    var bytes: [UInt8] {
        var writer = writer
        // Each response has the flag of an authoritative answer.
        writer.overwrite(at: 2, with: (isResponse ? 0x8400 : 0) | (isTruncated ? 0x0200 : 0))
        for (place, count) in counts.enumerated() { writer.overwrite(at: 4 + 2 * place, with: count) }
        return writer.bytes
    }

    private mutating func append(to section: Section, _ write: (inout DNSWriter) -> Void) -> Bool {
        precondition(section >= self.section, "a section of a message was written after the next one")
        guard writer.appendIfFits(write) else { return false }
        self.section = section
        counts[section.rawValue] += 1
        return true
    }
}

extension DNSMessage {
    /// The bytes of the message; nil if there are more than `limit`.
    package func encoded(limit: Int = bytesMost) -> [UInt8]? {
        var writer = DNSMessageWriter(isResponse: isResponse, identifier: identifier, limit: limit)
        writer.isTruncated = isTruncated
        for question in questions {
            guard writer.append(question) else { return nil }
        }
        for (section, records) in [
            (DNSMessageWriter.Section.answers, answers), (.authorities, authorities),
            (.additionals, additionals),
        ] {
            for record in records {
                guard writer.append(record, to: section) else { return nil }
            }
        }
        return writer.bytes
    }
}
