/// Handles the peer's messages about streams.
extension StreamMultiplexer {
    /// Handles a message of the peer; throws if the message breaks the rules, which ends the link.
    package mutating func handleMessage(_ message: StreamMessage) throws(CloseReason) {
        let number = message.number
        if case .open(let identity) = message.word { return try handleOpen(number, identity) }
        guard var stream = streams[number] else {
            // Two messages crossed: the peer broke the stream while this side was finishing it.
            if case .abort = message.word, isPast(number) { return }
            throw CloseReason(.unexpected, "there is no stream \(number)")
        }
        switch message.word {
        case .open: preconditionFailure("taken above")
        case .opened:
            try require(stream.phase == .asked, "stream \(number) was not requested, or is already open")
            streams[number]?.phase = .open
            if !stream.isAborted { tell(.opened(number)) }
        case .refused(let refusal):
            try require(stream.phase == .asked, "stream \(number) was not requested, or is already open")
            streams[number] = nil
            if !stream.isAborted { tell(.refused(number, refusal)) }
        case .data(let bytes): try handleData(number, bytes)
        case .credit(let count):
            try require(
                stream.phase == .open && !stream.isTakenReceived, "credit for a stream that is not being sent"
            )
            try require(count <= Limits.streamCreditMost - stream.credit, "more credit than the limit")
            stream.credit += count
            streams[number] = stream
            enqueue(number)
        case .end:
            try require(
                stream.phase == .open && !stream.isEndReceived, "the end of a stream that is not open")
            streams[number]?.isEndReceived = true
            if !stream.isAborted { tell(.ended(number)) }
        case .taken:
            try require(
                stream.isEndSent && !stream.isTakenReceived, "confirmation of an end that was not sent")
            streams[number]?.isTakenReceived = true
            if !stream.isAborted { tell(.taken(number)) }
            forgetIfComplete(number)
        case .abort(let reason): handleAbort(number, reason, stream)
        }
    }

    private mutating func handleOpen(
        _ number: UInt64, _ identity: RecordIdentity
    ) throws(CloseReason) {
        try begin(number)
        guard isRoomForPeer() else { return say(number, .refused(.busy)) }
        streams[number] = StreamState(phase: .asking)
        tell(.requested(number, identity))
    }

    private mutating func handleData(_ number: UInt64, _ bytes: ArraySlice<UInt8>) throws(CloseReason) {
        guard var stream = streams[number] else { return }
        try require(stream.phase == .open && !stream.isEndReceived, "data of a stream that is not open")
        guard bytes.count <= stream.allowance else {
            throw CloseReason(.windowExceeded, "stream \(number) sent more than its credit")
        }
        stream.allowance -= bytes.count
        // If this side has broken the stream, bytes that were still on their way are dropped.
        if !stream.isAborted {
            stream.untaken += bytes.count
            tell(.data(number, bytes))
        }
        streams[number] = stream
    }

    private mutating func handleAbort(_ number: UInt64, _ reason: StreamBreak, _ stream: StreamState) {
        if !stream.isAborted {
            leaveRow(number)
            // The peer waits for this side's last message about the stream. It is a refusal if the stream was only
            // requested, and an abort otherwise.
            say(number, stream.phase == .asking ? .refused(.gone) : .abort(reason))
            tell(.broken(number, reason))
        }
        streams[number] = nil
    }

    private func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(CloseReason) {
        guard condition else { throw CloseReason(.unexpected, text()) }
    }
}
