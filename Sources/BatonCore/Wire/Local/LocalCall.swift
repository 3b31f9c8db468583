/// A call: what an app or the command asks of its node over the local socket.
///
/// Each call is a type of its own, which has the arguments as its properties and names its reply. A call conforms to one
/// of the three protocols below, which say who answers it. `CONTRIBUTING.md` says how to add one.
package protocol LocalCall: Equatable, Sendable {
    /// What the node answers, unless it answers with a failure.
    associatedtype Reply: LocalReply

    /// Names the call on the wire.
    static var number: LocalCallNumber { get }

    /// Says that the arguments do not fit a request.
    static var tooLarge: LocalFailure { get }

    /// Writes the arguments as one value.
    func encode(to writer: inout CBORWriter)

    /// Reads the arguments.
    init(from reader: inout CBORReader) throws(CBORError)
}

/// A call that the node answers by itself, whichever account the connection is about.
package protocol NodeCall: LocalCall {}

/// A call that the account of the connection answers.
///
/// Nothing of it is left with the connection.
package protocol AccountCall: LocalCall {}

/// A call that an account answers for one connection: what it begins, or what waits for it, ends with the connection.
package protocol ConnectionCall: LocalCall {}

extension LocalCall {
    package static var tooLarge: LocalFailure { .requestTooLarge }

    /// Returns the call as a frame: a number that the answer repeats, the number of the call, and the arguments.
    ///
    /// A person can name more than fits a frame.
    package func frame(number: UInt64) throws(LocalFailure) -> Frame {
        var writer = CBORWriter()
        writer.array(count: 3)
        writer.unsigned(number)
        writer.unsigned(Self.number.rawValue)
        encode(to: &writer)
        guard writer.bytes.count <= Self.number.requestBytes else { throw Self.tooLarge }
        return Frame(kind: .localRequest, body: writer.bytes)
    }
}

/// A call without arguments.
package protocol BareCall: LocalCall {
    init()
}

extension BareCall {
    package func encode(to writer: inout CBORWriter) { writer.null() }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.null()
        self.init()
    }
}

// MARK: Arguments of several calls

extension CBORWriter {
    /// Writes a text and a choice, as several calls have them.
    mutating func text(_ text: String, flag: Bool) {
        array(count: 2)
        self.text(text)
        boolean(flag)
    }

    mutating func texts(_ values: [String]) {
        array(count: values.count)
        for value in values { text(value) }
    }

    /// Writes a text, or null.
    mutating func optional(_ text: String?) {
        if let text { self.text(text) } else { null() }
    }
}

extension CBORReader {
    /// Reads a text and a choice.
    mutating func textAndFlag() throws(CBORError) -> (text: String, flag: Bool) {
        try array(count: 2)
        return (try text(), try boolean())
    }

    mutating func texts() throws(CBORError) -> [String] {
        try array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in try reader.text() }
    }

    /// Reads a text, or null.
    mutating func optionalText() throws(CBORError) -> String? {
        try optional { (reader) throws(CBORError) in try reader.text() }
    }
}
