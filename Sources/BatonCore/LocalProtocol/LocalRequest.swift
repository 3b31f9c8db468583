/// A call whose arguments are not decoded yet.
///
/// The node finds the type of the call by the number of the call, and decodes the arguments as that type.
package struct LocalRequest: Sendable {
    /// The number that the client gave to the request; the answer repeats this number.
    package let number: UInt64
    /// The number of the call; this version of the node may not know the call.
    package let call: UInt64
    /// A reader at the start of the arguments; no bytes may follow the arguments.
    package let arguments: CBORReader

    /// Reads the number of the request and the number of the call from a frame.
    package init(_ frame: Frame) throws(CloseReason) {
        guard frame.kind == .localRequest else {
            throw CloseReason(.unexpected, "\(frame.kind) is not a request")
        }
        var reader = CBORReader(frame.body)
        do throws(CBORError) {
            try reader.array(count: 3)
            (number, call) = (try reader.unsigned(), try reader.unsigned())
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
        arguments = reader
    }
}
