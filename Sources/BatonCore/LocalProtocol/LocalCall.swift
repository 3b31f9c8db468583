/// A request that an app or a command sends to its node over the local socket.
///
/// Each call is a type, and its properties are the arguments. A call conforms to one of the three protocols below,
/// according to its scope: the node, an account, or an account and one connection. `CONTRIBUTING.md` says how to add a
/// call.
package protocol LocalCall: Equatable, Sendable {
    /// The type of a successful answer.
    associatedtype Reply: LocalReply

    /// The number of the call on the wire.
    static var number: LocalCallNumber { get }

    /// The failure that is thrown if the arguments are too large for a request.
    static var tooLarge: LocalFailure { get }

    /// The call to make again if the account's state was replaced before the call was answered.
    ///
    /// It is nil if the call may change something, because such a call may be made only once.
    var again: Self? { get }

    /// Writes the arguments as one CBOR value.
    func encode(to writer: inout CBORWriter)

    /// Reads the arguments.
    init(from reader: inout CBORReader) throws(CBORError)
}

/// A call that concerns the node as a whole, not one account.
package protocol NodeCall: LocalCall {}

/// A call that the account of the connection answers, and that leaves no state in the connection.
package protocol AccountCall: LocalCall {}

/// A call that the account of the connection answers, and that may have a state in the connection.
///
/// Such a state is, for example, a batch or a wait. It ends with the connection.
package protocol ConnectionCall: LocalCall {}

/// A call that only reads stored data and changes nothing.
package protocol ReadingCall: LocalCall {}

extension ReadingCall {
    package var again: Self? { self }
}

extension LocalCall {
    package static var tooLarge: LocalFailure { .requestTooLarge }

    package var again: Self? { nil }

    /// Returns the frame of the call; the answer will repeat `number`.
    ///
    /// An error is thrown if the arguments are too large. A person can cause this by typing long arguments.
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
