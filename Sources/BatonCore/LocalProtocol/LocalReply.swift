/// A successful answer to a call, which has one kind or one of a few kinds.
package protocol LocalReply: Equatable, Sendable {
    /// Writes the number of the reply's kind, and then its value.
    func encodeReply(to writer: inout CBORWriter)

    /// Reads the value of a reply of the kind `kind`; returns nil if this type has no reply of that kind.
    init?(_ kind: LocalReplyKind, from reader: inout CBORReader) throws(CBORError)
}

/// A reply that always has the same kind.
package protocol SimpleReply: LocalReply {
    static var kind: LocalReplyKind { get }

    func encode(to writer: inout CBORWriter)
    init(from reader: inout CBORReader) throws(CBORError)
}

extension SimpleReply {
    package func encodeReply(to writer: inout CBORWriter) {
        writer.unsigned(Self.kind.rawValue)
        encode(to: &writer)
    }

    package init?(_ kind: LocalReplyKind, from reader: inout CBORReader) throws(CBORError) {
        guard kind == Self.kind else { return nil }
        try self.init(from: &reader)
    }
}

extension LocalReply {
    /// Returns the frame in which this reply answers the request with this number.
    package func frame(number: UInt64) -> Frame {
        var writer = LocalAnswer.writer(number: number)
        encodeReply(to: &writer)
        return LocalAnswer.frame(writer, number: number)
    }
}

/// The reply to a call that succeeded and returns nothing.
package struct Done: SimpleReply {
    package static let kind = LocalReplyKind.done

    package init() {}

    package func encode(to writer: inout CBORWriter) { writer.null() }

    package init(from reader: inout CBORReader) throws(CBORError) { try reader.null() }
}
