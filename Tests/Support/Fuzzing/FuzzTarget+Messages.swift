import BatonCore

extension FuzzTarget {
    /// The messages between nodes: the kind of a frame, then its body.
    package static let peerMessages = FuzzTarget("peer-messages") { bytes throws(FuzzViolation) in
        guard let frame = Frame(fuzz: bytes) else { return }
        try checkMessage(in: frame, expected: frame.kind.rawValue < 0x40) { (frame) throws(CloseReason) in
            try PeerMessage(frame)
        } write: {
            $0.frame
        } isPartial: {
            // Quarantined writes are not encoded again.
            if case .batch(let batch) = $0 { !batch.quarantined.isEmpty } else { false }
        }
    }

    /// The messages between an app and its node, in the same form.
    package static let localMessages = FuzzTarget("local-messages") { bytes throws(FuzzViolation) in
        guard let frame = Frame(fuzz: bytes) else { return }
        try checkMessage(in: frame, expected: frame.kind == .localHello) { (frame) throws(CloseReason) in
            try LocalHello(frame)
        } write: {
            $0.frame
        }
        try checkMessage(in: frame, expected: frame.kind == .localRequest) { (frame) throws(CloseReason) in
            try LocalRequest.read(frame)
        } write: { asked throws(FuzzViolation) in
            guard let call = asked.message else { return frame }
            do throws(LocalFailure) {
                return try call.frame(number: asked.number)
            } catch {
                throw FuzzViolation(description: "a request that came can't be sent: \(error)")
            }
        }
        try checkMessage(in: frame, expected: frame.kind == .localAnswer) { (frame) throws(CloseReason) in
            try LocalAnswer.read(frame)
        } write: { answer in
            switch answer.message {
            case .success(let reply): reply.frame(number: answer.number)
            case .failure(let failure): LocalAnswer.frame(failure, number: answer.number)
            }
        }
        try checkMessage(in: frame, expected: (0x43...0x46).contains(frame.kind.rawValue)) {
            (frame) throws(CloseReason) in
            try LocalStreamMessage(frame)
        } write: {
            $0.frame
        }
    }

    /// The messages between a joiner and an inviter, in the same form.
    package static let pairingMessages = FuzzTarget("pairing-messages") { bytes throws(FuzzViolation) in
        guard let frame = Frame(fuzz: bytes) else { return }
        try checkMessage(in: frame, expected: frame.kind.rawValue >= 0x60) { (frame) throws(CloseReason) in
            try PairingMessage(frame)
        } write: {
            $0.frame
        }
    }

    /// Checks that a refused message is refused with the right code, and that an accepted one is the same after
    /// encoding and decoding it.
    private static func checkMessage<Message: Equatable>(
        in frame: Frame, expected isExpected: Bool, read: (Frame) throws(CloseReason) -> Message,
        write: (Message) throws(FuzzViolation) -> Frame, isPartial: (Message) -> Bool = { _ in false }
    ) throws(FuzzViolation) {
        let message: Message
        do throws(CloseReason) {
            message = try read(frame)
        } catch {
            // A message of another conversation may be malformed besides.
            let codes: [CloseCode] = isExpected ? [.malformed] : [.unexpected, .malformed]
            try require(codes.contains(error.code), "a \(frame.kind) is refused with \(error)")
            return
        }
        try require(isExpected, "a \(frame.kind) is read where it has no place: \(message)")
        if isPartial(message) { return }
        // Each value of a message may be nested as deep as the limit, whatever its own depth in the message.
        let refusal = CBORReader.refusalUnread(of: frame.body[...])
        try require(
            // The bytes of a stream are not checked, and its end has none.
            refusal == nil || refusal?.reason == .tooDeep
                || [.localStreamData, .localStreamEnd, .localStreamTaken].contains(frame.kind),
            "a \(frame.kind) is read, though \(refusal as Any)"
        )
        let written = try write(message)
        try require(written.kind, is: frame.kind, "the kind of the frame that is written")
        let again: Message
        do throws(CloseReason) {
            again = try read(written)
        } catch {
            throw FuzzViolation(description: "what was written is refused: \(error)")
        }
        try require(again, is: message, "what is read again")
        try require(try write(again), is: written, "what is written again")
    }
}

extension Frame {
    /// The frame whose kind is the first byte and whose body are the others.
    package init?(fuzz bytes: [UInt8]) {
        guard let kind = bytes.first.flatMap(FrameKind.init), bytes.count <= Limits.frameBytes else {
            return nil
        }
        self.init(kind: kind, body: Array(bytes.dropFirst()))
    }
}
