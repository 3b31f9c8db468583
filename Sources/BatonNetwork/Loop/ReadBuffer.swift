import CLinux
import Glibc

/// The memory into which all connections of a loop read, one after the other.
///
/// The bytes of a read are lent to a handler, and overwritten by the next read.
@safe final class ReadBuffer {
    /// The most bytes that one read takes.
    static let byteCount = 65_536
    /// The memory; owned, and freed with this object.
    private let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: byteCount)

    init() { unsafe memory.initialize(repeating: 0) }

    deinit { unsafe memory.deallocate() }

    /// Reads up to `most` bytes; the count is zero at the end of the stream and negative if the call failed.
    func receive(from descriptor: borrowing FileDescriptor, most: Int) -> (count: Int, error: Int32) {
        precondition(most <= Self.byteCount, "a read was asked for more bytes than the buffer holds")
        let (file, memory) = unsafe (descriptor.number, memory)
        let (count, error) = SystemCall.attempt { unsafe recv(file, memory.baseAddress, most, 0) }
        return (count, error)
    }

    /// Lends the first bytes of the last read to a handler.
    func lend(_ count: Int, to handler: (Span<UInt8>) -> Void) {
        precondition(count <= Self.byteCount, "more bytes were asked for than the buffer holds")
        unsafe handler(Span(_unsafeElements: UnsafeBufferPointer(memory)).extracting(first: count))
    }
}
