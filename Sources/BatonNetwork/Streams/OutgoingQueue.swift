import CLinux
import Glibc

/// A queue of bytes that wait to be written to a socket.
struct OutgoingQueue {
    /// The size up to which chunks are joined, so that many small messages are written as fast as a few large ones.
    private static let joinedMost = 16 * 1024
    /// The maximum number of chunks that one system call writes.
    private static let gatheredMost = 16

    /// The chunks of the queue; those before the index `head` have been written.
    private var chunks: [ArraySlice<UInt8>] = []
    /// The index of the first chunk that has not been completely written.
    private var head = 0
    /// The number of bytes of the chunk at `head` that have been written.
    private var offset = 0
    /// The total number of bytes that have been written.
    private(set) var writtenCount: UInt64 = 0
    /// The number of bytes that wait to be written.
    private(set) var count = 0

    /// Appends bytes.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        if head < chunks.count, chunks[chunks.count - 1].count + bytes.count <= Self.joinedMost {
            chunks[chunks.count - 1] += bytes
        } else {
            chunks.append(bytes)
        }
    }

    /// Drops all bytes of the queue.
    mutating func removeAll() { self = OutgoingQueue() }

    /// Writes the bytes that the kernel accepts in one call; the count is negative if the call failed.
    mutating func write(to socket: borrowing FileDescriptor) -> (count: Int, error: Int32) {
        let last = min(head + Self.gatheredMost, chunks.count)
        var vectors: [iovec] = unsafe []
        unsafe vectors.reserveCapacity(last - head)
        let (count, error) = unsafe gather(from: head, to: last, &vectors, socket.number)
        if count > 0 { removeFirst(count) }
        return (count, error)
    }

    /// Collects pointers to the chunks, and makes the system call at the end.
    ///
    /// Each level of recursion adds one chunk, so that all pointers are valid during the call.
    private func gather(
        from place: Int, to end: Int, _ vectors: inout [iovec], _ file: Int32
    ) -> (count: Int, error: Int32) {
        guard place < end else { return unsafe Self.send(&vectors, file) }
        return unsafe chunks[place].withUnsafeBytes { bytes in
            let rest = unsafe place == head ? UnsafeRawBufferPointer(rebasing: bytes[offset...]) : bytes
            // The field of `iovec` is a mutable pointer, but `sendmsg` only reads the memory.
            let base = unsafe UnsafeMutableRawPointer(mutating: rest.baseAddress)
            unsafe vectors.append(iovec(iov_base: base, iov_len: rest.count))
            return unsafe gather(from: place + 1, to: end, &vectors, file)
        }
    }

    /// Sends the collected chunks; if the peer has closed the connection, returns an error and raises no signal.
    private static func send(_ vectors: inout [iovec], _ file: Int32) -> (count: Int, error: Int32) {
        let count = unsafe vectors.count
        return unsafe vectors.withUnsafeMutableBufferPointer { vectors in
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = .init(count)
            let (written, error) = SystemCall.attempt {
                unsafe sendmsg(file, &message, Int32(MSG_NOSIGNAL))
            }
            return (written, error)
        }
    }

    /// Drops bytes that have just been written from the start of the queue.
    private mutating func removeFirst(_ writtenCount: Int) {
        count -= writtenCount
        self.writtenCount += UInt64(writtenCount)
        offset += writtenCount
        while head < chunks.count, offset >= chunks[head].count {
            offset -= chunks[head].count
            // This frees the memory of a written chunk at once.
            chunks[head] = []
            head += 1
        }
        if head == chunks.count {
            (chunks, head) = ([], 0)
        } else if head >= 64 {
            chunks.removeFirst(head)
            head = 0
        }
    }
}
