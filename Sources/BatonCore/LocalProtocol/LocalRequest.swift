/// A call whose arguments are not decoded yet.
///
/// The number of the call selects its type, which then decodes the arguments.
package struct LocalRequest: Sendable {
    /// The number that the client gave the request; the answer repeats it.
    package let number: UInt64
    /// The number of the call, which this version may not know.
    package let call: UInt64
    /// A reader at the start of the arguments, which must be followed by nothing.
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
