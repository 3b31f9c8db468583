/// A call as it arrives.
///
/// Its number leads to the type of the call, which then reads the arguments.
package struct LocalRequest: Sendable {
    /// The number by which the asker knows the request.
    ///
    /// The answer repeats it.
    package let number: UInt64
    /// The number of the call; this version may not know it.
    package let call: UInt64
    /// Stands before the arguments, which must be all that is left.
    package let arguments: CBORReader

    /// Reads the two numbers.
    package init(_ frame: Frame) throws(CloseReason) {
        guard frame.kind == .localRequest else {
            throw CloseReason(.unexpected, "\(frame.kind) is no request")
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
