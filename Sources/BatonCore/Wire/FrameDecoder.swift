/// Cuts a stream of bytes into frames; holds at most one frame and what was fed last.
///
/// A body is put together where it stays, in memory of its size, so that a large one is copied as little as can be.
package struct FrameDecoder: Sendable {
    /// What was fed and is not read yet; nothing while a body has yet to come.
    private var pending: [UInt8] = []
    /// How much of it was read.
    private var start = 0
    /// The frame whose head was read, if it was not handed on yet.
    private var head: (kind: FrameKind, length: Int)?
    /// What is there of its body.
    private var body: [UInt8] = []
    private let limit: Int

    /// Refuses frames with longer bodies than the limit.
    package init(limit: Int = Limits.frameBytes) { self.limit = limit }

    /// Takes bytes as they arrive.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        let part = min(missingBytes, bytes.count)
        body.append(contentsOf: bytes.prefix(part))
        makeRoom()
        pending.append(contentsOf: bytes.dropFirst(part))
    }

    /// Has a source put bytes behind what is there, no more than it is told, and hands on how many the source says they
    /// are.
    package mutating func feed<Failure: Error>(
        from source: (inout [UInt8], _ most: Int) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        if missingBytes > 0 { return try source(&body, missingBytes) }
        makeRoom()
        return try source(&pending, .max)
    }

    /// The next whole frame, if it has arrived; refuses a head as soon as it is there.
    package mutating func next() throws(CloseReason) -> Frame? {
        if head == nil { try readHead() }
        guard let (kind, _) = head, missingBytes == 0 else { return nil }
        let frame = Frame(kind: kind, body: body)
        (head, body) = (nil, [])
        return frame
    }

    /// How many bytes wait for the rest of their frame.
    package var pendingBytes: Int {
        pending.count - start + (head == nil ? 0 : Frame.headBytes + body.count)
    }

    /// How long the body of a frame is of which not all has come; nil before its head was read.
    package var announcedBytes: Int? { missingBytes > 0 ? head?.length : nil }

    /// How much of the body of a frame has yet to come.
    package var missingBytes: Int { head.map { $0.length - body.count } ?? 0 }

    /// Reads a head, and what is there of its body.
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
        // With nothing left the memory goes too, so that one who says nothing more costs none.
        if start == pending.count { (pending, start) = ([], 0) }
    }

    /// Forgets what was read.
    private mutating func makeRoom() {
        if start > 0 { pending.removeFirst(start) }
        start = 0
    }
}
