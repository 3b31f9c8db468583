/// A call whose arguments are not decoded yet.
///
/// The node finds the type of the call by its number, and decodes the arguments by that type.
package struct LocalRequest: Sendable {
    /// The number that the client gave the request; the answer repeats it.
    package let number: UInt64
    /// The number of the call, which this version may not know.
    package let call: UInt64
    /// A reader at the start of the arguments, after which no bytes may follow.
    package let arguments: CBORReader

    /// Reads the numbers of the request and the call.
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
