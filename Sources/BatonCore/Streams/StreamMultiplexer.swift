/// All streams of one link.
///
/// A stream is a pair of byte streams between apps of the two devices. The streams run side by side, and each has its
/// own flow control.
///
/// This type has no access to a socket or a clock. `handleMessage(_:)` takes the peer's messages, and commands take the
/// actions of apps on this device. After each call, the driver must drain the outputs: first `nextEvent()`, then
/// `nextWord()`. Whenever there is room for bulk data, it also drains `nextData()`.
///
/// Each direction of a stream consists of data, then its end, and then the receiver's message that its app has taken
/// all of that. So when the sender has received this message, it knows that nothing was lost. A stream that is cut
/// before that is broken on both sides. For each stream, each side buffers at most a window of received bytes, and only
/// few bytes that it sends.
package struct StreamMultiplexer: Sendable {
    /// Whether this side made the connection.
    ///
    /// If so, the streams that it requests have odd numbers.
    private let isDialler: Bool
    private var last: UInt64
    /// The last number that the peer has used for a stream.
    private var lastOfPeer: UInt64 = 0
    var streams: [UInt64: StreamState] = [:]
    /// The numbers of the streams that may send and have bytes to send, in the order in which they take turns.
    var row: [UInt64] = []
    private var events: [StreamEvent] = []
    private var words: [StreamMessage] = []

    package init(isDialler: Bool) {
        self.isDialler = isDialler
        last = isDialler ? 1 : 2
    }

    // MARK: Commands

    /// Requests a stream to the app that has the activity in a record; returns nil if too many streams are open.
    package mutating func open(_ identity: RecordIdentity) -> UInt64? {
        guard streams.keys.count(where: isOwn) < Limits.linkStreams else { return nil }
        defer { last += 2 }
        streams[last] = StreamState(phase: .asked)
        say(last, .open(identity))
        return last
    }

    /// Accepts a stream that the peer requested; returns false if the request is no longer open.
    package mutating func accept(_ number: UInt64) -> Bool {
        guard case .asking = streams[number]?.phase else { return false }
        streams[number]?.phase = .open
        say(number, .opened)
        return true
    }

    /// Refuses a stream that the peer requested.
    package mutating func refuse(_ number: UInt64, _ refusal: StreamRefusal) {
        guard case .asking = streams[number]?.phase else { return }
        streams[number] = nil
        say(number, .refused(refusal))
    }

    /// Sends bytes for the app on this device.
    package mutating func send(_ number: UInt64, _ bytes: [UInt8]) {
        guard let stream = streams[number], stream.phase == .open, !stream.isEnding, !stream.isAborted else {
            return
        }
        streams[number]?.outgoing.append(bytes)
        if isFull(number) { streams[number]?.isFull = true }
        enqueue(number)
    }

    /// Ends this side of the stream, because the app here sends nothing more.
    package mutating func end(_ number: UInt64) {
        guard let stream = streams[number], stream.phase == .open, !stream.isEnding, !stream.isAborted else {
            return
        }
        streams[number]?.isEnding = true
        sayEndIfDue(number)
    }

    /// Records that the app here has taken received bytes.
    package mutating func take(_ number: UInt64, count: Int) {
        guard var stream = streams[number], !stream.isAborted else { return }
        precondition(count <= stream.untaken, "more was taken than came")
        stream.untaken -= count
        stream.ungranted += count
        // When an app has taken bytes, its stream gets a larger window.
        if !stream.isWide, streams.values.count(where: \.isWide) < Limits.wideStreams {
            stream.isWide = true
            stream.ungranted += Limits.streamWideWindowBytes - Limits.streamWindowBytes
        }
        // After the end, the peer needs no credit. Before the end, the peer is given credit for a quarter of the window
        // at a time.
        if !stream.isEndReceived, stream.ungranted >= Limits.streamWindowBytes / 4 {
            say(number, .credit(stream.ungranted))
            stream.allowance += stream.ungranted
            stream.ungranted = 0
        }
        streams[number] = stream
    }

    /// Records that the app here has taken all received bytes, and has seen the end.
    package mutating func takeEnd(_ number: UInt64) {
        guard let stream = streams[number], stream.isEndReceived, !stream.isTakenSent, !stream.isAborted
        else { return }
        streams[number]?.isTakenSent = true
        say(number, .taken)
        forgetIfComplete(number)
    }

    /// Breaks a stream in any state, and sends the reason to the peer's app.
    package mutating func abort(_ number: UInt64, _ reason: StreamBreak) {
        guard let stream = streams[number], !stream.isAborted else { return }
        if case .asking = stream.phase { return refuse(number, .notTaken) }
        streams[number]?.isAborted = true
        streams[number]?.outgoing = StreamBytes()
        leaveRow(number)
        say(number, .abort(reason))
    }

    /// Breaks every open stream and refuses every requested stream, because this device must no longer send anything.
    package mutating func withhold() {
        for (number, stream) in streams.sorted(by: { $0.key < $1.key }) where !stream.isAborted {
            if case .asking = stream.phase {
                refuse(number, .gone)
            } else {
                abort(number, .withheldThere)
            }
            events.append(.broken(number, .withheldHere))
        }
    }

    /// Breaks every stream, because the link has ended.
    package mutating func handleEnd() {
        words = []
        for (number, stream) in streams.sorted(by: { $0.key < $1.key }) where !stream.isAborted {
            events.append(.broken(number, .linkGone))
        }
        (streams, row) = ([:], [])
    }

    // MARK: Outputs

    package mutating func nextEvent() -> StreamEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Returns the next message that contains no data.
    ///
    /// Such messages are small, and never wait for room.
    package mutating func nextWord() -> StreamMessage? { words.isEmpty ? nil : words.removeFirst() }

    /// Returns data of the stream whose turn it is; nil if no stream may send.
    package mutating func nextData() -> StreamMessage? {
        guard !row.isEmpty else { return nil }
        let number = row.removeFirst()
        guard var stream = streams[number] else { preconditionFailure("a stream that is over is in the row") }
        let bytes = stream.outgoing.take(most: min(Limits.streamFrameBytes, stream.credit))
        stream.credit -= bytes.count
        stream.isInRow = false
        if stream.isFull, stream.outgoing.count <= Limits.streamBacklogBytes / 2 {
            stream.isFull = false
            events.append(.roomMade(number))
        }
        streams[number] = stream
        enqueue(number)
        sayEndIfDue(number)
        return StreamMessage(number, .data(bytes))
    }

    // MARK: Queries

    /// Whether the app here must stop sending for now, because too many of its bytes wait to be sent.
    package func isFull(_ number: UInt64) -> Bool {
        (streams[number]?.outgoing.count ?? 0) >= Limits.streamBacklogBytes
    }

    /// The number of bytes in all streams that were received and not taken yet, or that wait to be sent.
    package var heldBytes: Int { streams.values.reduce(0) { $0 + $1.untaken + $1.outgoing.count } }

    /// The number of streams.
    ///
    /// A stream that this side has broken counts until the peer's last message about it arrives.
    package var count: Int { streams.count }

    /// Whether it is this side that requests the streams with numbers like this one.
    func isOwn(_ number: UInt64) -> Bool { number % 2 == 1 ? isDialler : !isDialler }

    /// Whether there has ever been a stream with this number.
    func isPast(_ number: UInt64) -> Bool {
        number > 0 && (isOwn(number) ? number < last : number <= lastOfPeer)
    }

    // MARK: Steps

    /// Begins a stream that the peer requests; throws if the peer may not use this number.
    mutating func begin(_ number: UInt64) throws(CloseReason) {
        guard !isOwn(number), number > lastOfPeer else {
            throw CloseReason(
                .unexpected, "stream \(number) is not one that the peer may request, or was requested before")
        }
        lastOfPeer = number
    }

    func isRoomForPeer() -> Bool { streams.keys.count(where: { !isOwn($0) }) < Limits.linkStreams }

    mutating func tell(_ event: StreamEvent) { events.append(event) }

    mutating func say(_ number: UInt64, _ word: StreamMessage.Word) {
        words.append(StreamMessage(number, word))
    }

    /// Adds a stream to the end of the row, if it may send and has bytes to send.
    mutating func enqueue(_ number: UInt64) {
        guard let stream = streams[number], stream.maySend, !stream.isInRow else { return }
        streams[number]?.isInRow = true
        row.append(number)
    }

    mutating func leaveRow(_ number: UInt64) {
        guard streams[number]?.isInRow == true else { return }
        streams[number]?.isInRow = false
        row.removeAll { $0 == number }
    }

    private mutating func sayEndIfDue(_ number: UInt64) {
        guard let stream = streams[number], stream.isEnding, !stream.isEndSent, stream.outgoing.isEmpty else {
            return
        }
        streams[number]?.isEndSent = true
        // The driver takes the last data before it drains the other messages again. So the data is sent before the end.
        say(number, .end)
    }

    mutating func forgetIfComplete(_ number: UInt64) {
        if streams[number]?.isComplete == true { streams[number] = nil }
    }
}
