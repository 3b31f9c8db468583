/// The kinds of frames.
///
/// Numbers below 0x40 are between nodes, from 0x40 between an app and its node, from 0x60 between a joiner
/// and an inviter. One that is unknown closes the connection.
package enum FrameKind: UInt8, Sendable {
    case hello = 0x01
    case standing = 0x02
    case batch = 0x03
    case acknowledgement = 0x04
    case continueRequest = 0x05
    case continueAnswer = 0x06
    case addresses = 0x07
    case reports = 0x08
    case check = 0x09
    case sums = 0x0a
    case close = 0x3f
    case localHello = 0x40
    case localRequest = 0x41
    case localAnswer = 0x42
    case pairingRequest = 0x60
    case pairingGrant = 0x61
    case pairingRefusal = 0x62
    case pairingJoined = 0x63
    case pairingAnswer = 0x64
    case pairingConfirmation = 0x65
    case pairingWelcome = 0x66
}

/// The unit of every Baton connection: three bytes of length, one of kind, and that many bytes.
package struct Frame: Equatable, Sendable {
    package let kind: FrameKind
    package let body: [UInt8]

    package init(kind: FrameKind, body: [UInt8]) {
        precondition(body.count <= Limits.frameBytes, "a frame is never made larger than its limit")
        (self.kind, self.body) = (kind, body)
    }

    /// How many bytes stand before the body.
    static let headBytes = 4

    /// Head and body, as they are sent.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headBytes + body.count)
        for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
        bytes.append(kind.rawValue)
        bytes.append(contentsOf: body)
        return bytes
    }
}

/// Cuts a stream of bytes into frames; holds at most one frame and what was fed last.
package struct FrameDecoder: Sendable {
    private var pending: [UInt8] = []
    private var start = 0
    private let limit: Int

    /// Refuses frames with longer bodies than the limit.
    package init(limit: Int = Limits.frameBytes) { self.limit = limit }

    /// Takes bytes as they arrive.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            pending.removeFirst(start)
            start = 0
        }
        pending.append(contentsOf: bytes)
    }

    /// The next whole frame, if it has arrived; refuses a head as soon as it is there.
    package mutating func next() throws(CloseReason) -> Frame? {
        guard pending.count - start >= Frame.headBytes else { return nil }
        let length = pending[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw CloseReason(.frameTooLarge, "a frame of \(length) bytes; \(limit) are allowed")
        }
        guard let kind = FrameKind(rawValue: pending[start + 3]) else {
            throw CloseReason(.unknownFrame, "a frame of kind \(pending[start + 3])")
        }
        let body = start + Frame.headBytes
        guard pending.count - body >= length else { return nil }
        start = body + length
        return Frame(kind: kind, body: Array(pending[body..<start]))
    }

    /// How many bytes wait for the rest of their frame.
    package var pendingBytes: Int { pending.count - start }
}
