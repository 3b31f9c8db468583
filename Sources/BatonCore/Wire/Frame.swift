/// The kind of a frame.
///
/// Numbers below 0x40 are for frames between nodes. Numbers from 0x40 are for frames between an app and its node.
/// Numbers from 0x60 are for frames between a joiner and an inviter. A frame of an unknown kind closes the connection.
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
    case ping = 0x0b
    case pong = 0x0c
    case streamOpen = 0x10
    case streamOpened = 0x11
    case streamRefused = 0x12
    case streamData = 0x13
    case streamCredit = 0x14
    case streamEnd = 0x15
    case streamTaken = 0x16
    case streamAbort = 0x17
    case close = 0x3f
    case localHello = 0x40
    case localRequest = 0x41
    case localAnswer = 0x42
    case localStreamData = 0x43
    case localStreamEnd = 0x44
    case localStreamTaken = 0x45
    case localStreamAbort = 0x46
    case pairingRequest = 0x60
    case pairingGrant = 0x61
    case pairingRefusal = 0x62
    case pairingJoined = 0x63
    case pairingAnswer = 0x64
    case pairingConfirmation = 0x65
    case pairingWelcome = 0x66
    case pairingIntroduction = 0x67
}

/// The unit of every Baton connection.
///
/// A frame has three bytes of length, one byte of kind, and a body of that length.
package struct Frame: Equatable, Sendable {
    package let kind: FrameKind
    package let body: [UInt8]

    package init(kind: FrameKind, body: [UInt8]) {
        precondition(body.count <= Limits.frameBytes, "a frame is never made larger than its limit")
        (self.kind, self.body) = (kind, body)
    }

    /// The number of bytes before the body.
    package static let headBytes = 4

    /// Writes the head of a frame to the beginning of a buffer.
    ///
    /// The caller puts the body into the rest of the buffer, so that the body need not be copied.
    package static func writeHead(_ kind: FrameKind, count: Int, to memory: UnsafeMutableBufferPointer<UInt8>)
    {
        precondition(count <= Limits.frameBytes, "a frame is never made larger than its limit")
        for place in 0..<3 { memory[place] = UInt8(truncatingIfNeeded: count >> (16 - 8 * place)) }
        memory[3] = kind.rawValue
    }

    /// The bytes of the frame as they are sent: the head and the body.
    package var encoded: [UInt8] { split(after: byteCount).first }

    /// The number of bytes of the head and the body.
    package var byteCount: Int { Self.headBytes + body.count }

    /// Splits the bytes of the frame into the first bytes, at most `count`, and the rest.
    ///
    /// The rest is a slice, so most of a large body is not copied.
    package func split(after count: Int) -> (first: [UInt8], rest: ArraySlice<UInt8>) {
        let bodyCount = min(body.count, count - Self.headBytes)
        precondition(bodyCount >= 0, "a frame is not split within its head")
        var first: [UInt8] = []
        first.reserveCapacity(Self.headBytes + bodyCount)
        for shift in [16, 8, 0] { first.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
        first.append(kind.rawValue)
        first.append(contentsOf: body[..<bodyCount])
        return (first, body[bodyCount...])
    }
}
