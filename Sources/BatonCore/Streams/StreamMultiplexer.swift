/// All streams of one link: pairs of byte streams between apps of the two devices, side by side and flow-controlled.
///
/// It never sees a socket or a clock. Messages of the peer go in with `handleMessage(_:)`, and the actions of apps here
/// with commands. After each of these the outputs are drained: `nextEvent()`, then `nextWord()`, and, whenever there is
/// room for bulk, `nextData()`.
///
/// A direction of a stream is data, then its end, then the receiver's message that its app took all of that. So a
/// sender that has received this message knows that nothing was lost; a stream that is cut before that is broken on
/// both sides. Each side buffers at most a window of a stream's received bytes, and few bytes that it sends.
package struct StreamMultiplexer: Sendable {
    /// Whether this side made the connection; then its streams have odd numbers.
    private let isDialler: Bool
    private var last: UInt64
    /// The last number that the peer used.
    private var lastOfPeer: UInt64 = 0
    var streams: [UInt64: StreamState] = [:]
    /// The streams that may send and have something to send, in the order of their turns.
    var row: [UInt64] = []
    private var events: [StreamEvent] = []
    private var words: [StreamMessage] = []

    package init(isDialler: Bool) {
        self.isDialler = isDialler
        last = isDialler ? 1 : 2
    }

    // MARK: Commands

    /// Requests a stream to the app that has the activity in a record; nil if too many streams are open.
    package mutating func open(_ identity: RecordIdentity) -> UInt64? {
        guard streams.keys.count(where: isOwn) < Limits.linkStreams else { return nil }
        defer { last += 2 }
        streams[last] = StreamState(phase: .asked)
        say(last, .open(identity))
        return last
    }

    /// Accepts a stream that the peer requested; false if the request is no longer open.
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

    /// Sends bytes of the app here.
    package mutating func send(_ number: UInt64, _ bytes: [UInt8]) {
        guard let stream = streams[number], stream.phase == .open, !stream.isEnding, !stream.isAborted else {
            return
        }
        streams[number]?.outgoing.append(bytes)
        if isFull(number) { streams[number]?.isFull = true }
        enqueue(number)
    }

    /// Ends the stream in this direction: the app here sends nothing more.
    package mutating func end(_ number: UInt64) {
        guard let stream = streams[number], stream.phase == .open, !stream.isEnding, !stream.isAborted else {
            return
        }
        streams[number]?.isEnding = true
        sayEndIfDue(number)
    }

    /// Notes that the app here took received bytes.
    package mutating func take(_ number: UInt64, count: Int) {
        guard var stream = streams[number], !stream.isAborted else { return }
        precondition(count <= stream.untaken, "more was taken than came")
        stream.untaken -= count
        stream.ungranted += count
        // A stream whose app takes its bytes gets a wider window.
        if !stream.isWide, streams.values.count(where: \.isWide) < Limits.wideStreams {
            stream.isWide = true
            stream.ungranted += Limits.streamWideWindowBytes - Limits.streamWindowBytes
        }
        // After the end no credit is needed. Before it, credit is given a quarter of the window at a time.
        if !stream.isEndReceived, stream.ungranted >= Limits.streamWindowBytes / 4 {
            say(number, .credit(stream.ungranted))
            stream.allowance += stream.ungranted
            stream.ungranted = 0
        }
        streams[number] = stream
    }

    /// Notes that the app here has taken everything that was received, and the end.
    package mutating func takeEnd(_ number: UInt64) {
        guard let stream = streams[number], stream.isEndReceived, !stream.isTakenSent, !stream.isAborted
        else { return }
        streams[number]?.isTakenSent = true
        say(number, .taken)
        forgetIfComplete(number)
    }

    /// Breaks a stream, whatever state it is in, and sends the peer's app the reason.
    package mutating func abort(_ number: UInt64, _ reason: StreamBreak) {
        guard let stream = streams[number], !stream.isAborted else { return }
        if case .asking = stream.phase { return refuse(number, .notTaken) }
        streams[number]?.isAborted = true
        streams[number]?.outgoing = StreamBytes()
        leaveRow(number)
        say(number, .abort(reason))
    }

    /// Breaks every open stream and refuses every requested one, because this device must no longer send anything.
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

    /// Returns the next message that is not data; such messages are small, and never wait for room.
    package mutating func nextWord() -> StreamMessage? { words.isEmpty ? nil : words.removeFirst() }

    /// Returns data of the stream whose turn it is.
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

    /// Whether the app here must pause, because too many bytes wait to be sent.
    package func isFull(_ number: UInt64) -> Bool {
        (streams[number]?.outgoing.count ?? 0) >= Limits.streamBacklogBytes
    }

    /// The bytes of all streams that were received and not taken, or that wait to be sent.
    package var heldBytes: Int { streams.values.reduce(0) { $0 + $1.untaken + $1.outgoing.count } }

    /// The number of streams, including those for which the peer's last word is awaited.
    package var count: Int { streams.count }

    /// Whether streams with this number are requested by this side.
    func isOwn(_ number: UInt64) -> Bool { number % 2 == 1 ? isDialler : !isDialler }

    /// Whether a stream of that number has existed.
    func isPast(_ number: UInt64) -> Bool {
        number > 0 && (isOwn(number) ? number < last : number <= lastOfPeer)
    }

    // MARK: Steps

    /// Begins a stream that the peer requests; throws if the number is not one that it may use.
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

    /// Puts a stream at the end of the row, if it may send and has something to send.
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
        // The last data is sent before the end, because the driver takes it before it drains the words again.
        say(number, .end)
    }

    mutating func forgetIfComplete(_ number: UInt64) {
        if streams[number]?.isComplete == true { streams[number] = nil }
    }
}
