import CLinux
import Glibc

/// The memory into which all connections of a loop read, one after the other.
///
/// What was read is lent to a handler and is overwritten by the next read.
@safe final class ReadBuffer {
    /// How much one read takes at most.
    static let byteCount = 65_536
    /// The memory; owned, and freed with this object.
    private let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: byteCount)

    init() { unsafe memory.initialize(repeating: 0) }

    deinit { unsafe memory.deallocate() }

    /// Reads what is there, so much at most; the count is zero at the end of the stream and negative if the call failed.
    func receive(from descriptor: borrowing FileDescriptor, most: Int) -> (count: Int, error: Int32) {
        precondition(most <= Self.byteCount, "more was to be read than one read takes")
        let (file, memory) = unsafe (descriptor.number, memory)
        let (count, error) = SystemCall.attempt { unsafe recv(file, memory.baseAddress, most, 0) }
        return (count, error)
    }

    /// Lends the first bytes, as a read has just left them.
    func lend(_ count: Int, to handler: (Span<UInt8>) -> Void) {
        precondition(count <= Self.byteCount, "more bytes were to be lent than one read takes")
        unsafe handler(Span(_unsafeElements: UnsafeBufferPointer(memory)).extracting(first: count))
    }
}

extension Array where Element == UInt8 {
    /// The bytes of a span, to keep them.
    package init(copying span: Span<UInt8>) {
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
