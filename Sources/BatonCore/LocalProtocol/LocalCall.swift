/// A request of an app or a command to its node, over the local socket.
///
/// Each call is a type, whose properties are the arguments. A call conforms to one of the three protocols below, by its
/// scope: the node, an account, or an account and one connection. `CONTRIBUTING.md` says how to add one.
package protocol LocalCall: Equatable, Sendable {
    /// The type of a successful answer.
    associatedtype Reply: LocalReply

    /// The number of the call on the wire.
    static var number: LocalCallNumber { get }

    /// The failure for arguments that do not fit in a request.
    static var tooLarge: LocalFailure { get }

    /// The call to retry if the account's state was replaced before the call was answered; nil if the call may change
    /// something, and so must be made only once.
    var again: Self? { get }

    /// Writes the arguments, as one CBOR value.
    func encode(to writer: inout CBORWriter)

    /// Reads the arguments.
    init(from reader: inout CBORReader) throws(CBORError)
}

/// A call that concerns the node as a whole, not one account.
package protocol NodeCall: LocalCall {}

/// A call that the connection's account answers, and that leaves no state in the connection.
package protocol AccountCall: LocalCall {}

/// A call that the connection's account answers, and whose state, such as a batch or a wait, ends with the connection.
package protocol ConnectionCall: LocalCall {}

/// A call that reads what is stored, and changes nothing.
package protocol ReadingCall: LocalCall {}

extension ReadingCall {
    package var again: Self? { self }
}

extension LocalCall {
    package static var tooLarge: LocalFailure { .requestTooLarge }

    package var again: Self? { nil }

    /// Returns the call as a frame; the answer will repeat the given number.
    ///
    /// Throws if the arguments are too large; a person can cause this by typing long arguments.
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
