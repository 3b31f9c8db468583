import CLinux
import Glibc

/// The buffer that all connections of a loop read into, one after the other.
///
/// A handler may use the bytes of a read only during its call; the next read overwrites them.
@safe final class ReadBuffer {
    /// The maximum number of bytes of one read.
    static let byteCount = 65_536
    /// The memory, which this object allocates and frees.
    private let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: byteCount)

    init() { unsafe memory.initialize(repeating: 0) }

    deinit { unsafe memory.deallocate() }

    /// Reads up to `most` bytes.
    ///
    /// The count is zero at the end of the stream, and negative if the call failed.
    func receive(from descriptor: borrowing FileDescriptor, most: Int) -> (count: Int, error: Int32) {
        precondition(most <= Self.byteCount, "a read was asked for more bytes than the buffer holds")
        let (file, memory) = unsafe (descriptor.number, memory)
        let (count, error) = SystemCall.attempt { unsafe recv(file, memory.baseAddress, most, 0) }
        return (count, error)
    }

    /// Calls a handler with the first bytes of the last read, which are valid only during the call.
    func lend(_ count: Int, to handler: (Span<UInt8>) -> Void) {
        precondition(count <= Self.byteCount, "more bytes were asked for than the buffer holds")
        unsafe handler(Span(_unsafeElements: UnsafeBufferPointer(memory)).extracting(first: count))
    }
}
