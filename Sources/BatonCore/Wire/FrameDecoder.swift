/// Cuts a stream of bytes into frames.
///
/// It buffers at most one frame and the bytes that were fed last.
///
/// A body is collected in a buffer of its final size, so that a large body is copied as little as possible.
package struct FrameDecoder: Sendable {
    /// The bytes that were fed and are not read yet.
    ///
    /// It is empty while a part of a body is missing.
    private var pending: [UInt8] = []
    /// The number of bytes at the start of `pending` that were read already.
    private var start = 0
    /// The head of the next frame; nil until it is read.
    private var head: (kind: FrameKind, length: Int)?
    /// The bytes of the next frame's body that have arrived.
    private var body: [UInt8] = []
    private let limit: Int

    /// Creates a decoder that refuses a frame if its body is longer than the limit.
    package init(limit: Int = Limits.frameBytes) { self.limit = limit }

    /// Adds bytes that have arrived.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        let part = min(missingBytes, bytes.count)
        body.append(contentsOf: bytes.prefix(part))
        makeRoom()
        pending.append(contentsOf: bytes.dropFirst(part))
    }

    /// Lets a source append bytes to a buffer, and returns the number of bytes that the source reports.
    ///
    /// `most` is the largest number of bytes that the source may append.
    package mutating func feed<Failure: Error>(
        from source: (inout [UInt8], _ most: Int) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        if missingBytes > 0 { return try source(&body, missingBytes) }
        makeRoom()
        return try source(&pending, .max)
    }

    /// Returns the next complete frame; nil if it has not arrived yet.
    ///
    /// It throws for an invalid head as soon as the head has arrived.
    package mutating func next() throws(CloseReason) -> Frame? {
        if head == nil { try readHead() }
        guard let (kind, _) = head, missingBytes == 0 else { return nil }
        let frame = Frame(kind: kind, body: body)
        (head, body) = (nil, [])
        return frame
    }

    /// The number of buffered bytes of a frame that is not complete yet.
    package var pendingBytes: Int {
        pending.count - start + (head == nil ? 0 : Frame.headBytes + body.count)
    }

    /// The length of the body of which only a part has arrived; nil if there is no such body.
    package var announcedBytes: Int? { missingBytes > 0 ? head?.length : nil }

    /// The number of bytes of the body that are still missing.
    package var missingBytes: Int { head.map { $0.length - body.count } ?? 0 }

    /// Reads a head, and the part of its body that has arrived.
    private mutating func readHead() throws(CloseReason) {
        guard pending.count - start >= Frame.headBytes else { return }
        let length = pending[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw CloseReason(.frameTooLarge, "a frame of \(length) bytes; \(limit) are allowed")
        }
        guard let kind = FrameKind(rawValue: pending[start + 3]) else {
            throw CloseReason(.unknownFrame, "a frame of kind \(pending[start + 3])")
        }
        head = (kind, length)
        start += Frame.headBytes
        let part = min(length, pending.count - start)
        body.reserveCapacity(length)
        body.append(contentsOf: pending[start..<start + part])
        start += part
        // The memory is freed when no bytes are left, so that a silent peer takes none.
        if start == pending.count { (pending, start) = ([], 0) }
    }

    /// Removes the bytes of `pending` that were read already.
    private mutating func makeRoom() {
        if start > 0 { pending.removeFirst(start) }
        start = 0
    }
}
