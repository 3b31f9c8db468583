import BatonCore
import BatonNetwork
import Glibc

/// The connection of an app or a command on the local socket.
///
/// It reads requests and sends answers.
final class LocalConnection {
    /// Handles a request, and answers it at once or later.
    ///
    /// Throws if the request is malformed.
    typealias Handler = (
        LocalRequest, LocalCallNumber, _ send: @escaping (Frame) -> Void
    ) throws(CloseReason) -> Void

    private let connection: StreamConnection
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    private var handler: Handler?
    private var decoder = FrameDecoder()
    private var isGreeted = false
    /// The account that the client named; nil if it named none.
    private(set) var account: String?
    /// The number of unanswered requests, and the number of these requests that wait for something that may never
    /// happen.
    private var unanswered = 0
    private var waits = 0
    private var isHandling = false
    /// Whether the client reads answers more slowly than it sends requests.
    private var isBehind = false
    private var isPaused = false
    private var ended: (() -> Void)?
    /// The stream that the connection carries; nil if there is none.
    ///
    /// A connection that carries a stream carries nothing else.
    private var stream: JoinedStream?
    /// Whether the connection is closed as soon as all requests are answered.
    private var isClosing = false
    /// Whether any request has been received.
    private var wasAsked = false
    /// The memory that all connections share, and this connection's shares of it.
    ///
    /// `frameShare` is for a frame that has arrived only in part. Its `since` is the time at which this share was
    /// taken. `answerShare` is for answers that the client has not read. `isUnreadSince` is the time since which such
    /// answers take a share.
    private let memory: LocalMemory
    private var frameShare: (share: LocalBudget.Share, since: MonotonicTime)?
    private lazy var answerShare = memory.requests.emptyShare()
    private var isUnreadSince: MonotonicTime?
    /// Whether the connection waits for a share of the memory.
    private var isWaitingForMemory = false
    /// A request that waits for memory.
    private var waitingRequest: IncomingRequest?
    /// Whether the request that is being handled must be answered before the next request is handled.
    private var isExclusive = false
    /// Whether the connection is a spare one, on which only short questions are answered.
    private let isSpare: Bool

    /// Creates a connection that uses the shared memory.
    ///
    /// A spare connection answers only short questions.
    init(
        _ connection: StreamConnection, on loop: EventLoop, memory: LocalMemory, isSpare: Bool = false,
        limits: Limits, log: Log
    ) {
        self.connection = connection
        self.loop = loop
        self.limits = limits
        self.log = log
        (self.memory, self.isSpare) = (memory, isSpare)
        connection.readMost = Self.freeBytes
    }

    /// The number of bytes of a frame that may be read before the frame has a share of the memory.
    private static let freeBytes = 4 << 10

    /// Starts reading.
    ///
    /// The event loop keeps the connection alive until it has ended.
    func start(_ handler: @escaping Handler, ended: @escaping () -> Void) throws(NetworkError) {
        (self.handler, self.ended) = (handler, ended)
        try connection.start(
            StreamConnection.Handlers(
                received: { [self] bytes in receive(bytes) },
                drained: { [self] in
                    isBehind = false
                    noteBacklog()
                    stream?.connectionDrained()
                    handleFrames()
                },
                ended: { [self] _ in
                    (frameShare, waitingRequest) = (nil, nil)
                    answerShare.release()
                    stream.take()?.connectionEnded()
                    self.ended.take()?()
                }))
    }

    // MARK: Streams

    /// Whether the only unanswered request is the one that turns the connection into a stream.
    var mayCarry: Bool { stream == nil && unanswered == 1 }

    /// Makes the connection carry a stream, and nothing else.
    func carry(_ stream: JoinedStream) {
        guard connection.isOpen else { return stream.connectionEnded() }
        self.stream = stream
        handleFrames()
    }

    /// Sends an encoded frame of the stream.
    func send(encoded bytes: ArraySlice<UInt8>) { connection.send(bytes) }

    /// The number of bytes that the client has not read yet.
    var backlog: Int { connection.backlog }

    /// Continues to read frames of the app.
    func proceed() { handleFrames() }

    /// Closes the connection once the answers are written.
    func close() { connection.closeAfterSending(deadline: loop.now + limits.closingTime) }

    /// Closes the connection once all requests are answered.
    ///
    /// Requests that wait for something to happen are not waited for.
    ///
    /// Requests that the client has already sent are read first. This includes the first request of a client that has
    /// just connected.
    func closeOnceAnswered() {
        isClosing = true
        guard wasAsked else { return }
        loop.nextTurn { [self] in endIfAnswered() }
    }

    private func endIfAnswered() {
        if isClosing, wasAsked, unanswered == waits, waitingRequest == nil { close() }
    }

    private func receive(_ bytes: Span<UInt8>) {
        decoder.feed(bytes)
        handleFrames()
    }

    /// Handles requests, until the number of unanswered requests reaches the limit.
    ///
    /// Further requests stay unread, so the client has to wait.
    private func handleFrames() {
        // A handler may answer its request at once, which calls this method again. The loop below then handles the next
        // request.
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        do {
            while connection.isOpen, mayHandle, let frame = try nextFrame() {
                try handleFrame(frame)
                if waitingRequest == nil { frameShare = nil }
            }
        } catch {
            part(error)
        }
        pace()
    }

    /// Returns the next frame.
    ///
    /// A large frame is read only once there is memory for all of it.
    private func nextFrame() throws(CloseReason) -> Frame? {
        if let frame = try decoder.next() { return frame }
        if let announced = decoder.announcedBytes, announced > Self.freeBytes, frameShare == nil {
            isWaitingForMemory = true
            let share = memory.frames.take(announced, for: self) { [weak self] share in
                self?.goOn(framing: share)
            }
            if let share { grant(frame: share) }
        }
        connection.readMost = frameShare == nil ? Self.freeBytes : max(Self.freeBytes, decoder.missingBytes)
        return nil
    }

    private func grant(frame share: LocalBudget.Share) {
        (frameShare, isWaitingForMemory) = ((share, loop.now), false)
        connection.readMost = max(Self.freeBytes, decoder.missingBytes)
    }

    private func goOn(framing share: LocalBudget.Share) {
        guard connection.isOpen else { return }
        grant(frame: share)
        loop.nextTurn { [self] in handleFrames() }
    }

    private var mayHandle: Bool {
        if isWaitingForMemory || isExclusive { return false }
        if let stream { return !stream.isFull }
        return !isBehind && unanswered < limits.localRequests
    }

    /// Pauses reading while no request may be handled, and resumes it afterwards.
    private func pace() {
        guard mayHandle == isPaused else { return }
        isPaused = !mayHandle
        if isPaused { connection.pauseReading() } else { connection.resumeReading() }
    }

    private func handleFrame(_ frame: Frame) throws(CloseReason) {
        if !isGreeted {
            let hello = try LocalHello(frame)
            account = hello.account
            send(LocalHello(build: Build.version, process: getpid(), account: account).frame)
            // The client reads the node's version from this answer, and can report it.
            guard hello.version == LocalHello.version else {
                throw CloseReason(
                    .version, "this node speaks version \(LocalHello.version) of the local protocol")
            }
            isGreeted = true
            return
        }
        if let stream { return try stream.handleFrame(frame) }
        let request = try LocalRequest(frame)
        let call = LocalCallNumber(rawValue: request.call)
        guard frame.body.count <= Limits.requestBytes || call?.weight == .index else {
            return send(LocalAnswer.frame(.requestTooLarge, number: request.number))
        }
        guard !isSpare || call?.weight == .control else {
            send(LocalAnswer.frame(Self.busy(limits), number: request.number))
            return close()
        }
        guard let call else { return try refuse(request) }
        try receiveRequest(IncomingRequest(request: request, call: call, byteCount: frame.body.count))
    }

    /// A request whose call this version knows.
    private struct IncomingRequest {
        let request: LocalRequest
        let call: LocalCallNumber
        let byteCount: Int

        /// Whether the request waits for something that may never happen.
        var isWait: Bool { call.weight == .wait }

        /// Whether no other request of the connection may be handled at the same time.
        var isLarge: Bool { call.weight == .index && byteCount > Limits.indexPortionBytes }
    }

    /// Performs a request once there is memory for it.
    private func receiveRequest(_ incoming: IncomingRequest) throws(CloseReason) {
        let count = incoming.call.weight.memory(for: incoming.byteCount)
        guard count > 0 else { return try perform(incoming, memory.requests.emptyShare()) }
        isWaitingForMemory = true
        let share = memory.requests.take(count, for: self) { [weak self] share in
            self?.loop.nextTurn { self?.goOn(performing: share) }
        }
        if let share {
            isWaitingForMemory = false
            try perform(incoming, share)
        } else {
            waitingRequest = incoming
        }
    }

    /// Performs the request that was waiting for memory.
    private func goOn(performing share: LocalBudget.Share) {
        guard connection.isOpen, let incoming = waitingRequest.take() else { return }
        (isWaitingForMemory, isHandling) = (false, true)
        do throws(CloseReason) {
            try perform(incoming, share)
            frameShare = nil
        } catch {
            part(error)
        }
        isHandling = false
        handleFrames()
    }

    private func perform(
        _ incoming: IncomingRequest, _ share: LocalBudget.Share
    ) throws(CloseReason) {
        // The closure captures only these values. If it captured `incoming`, the bytes of the frame would stay in
        // memory until the answer.
        let (isWait, isLarge) = (incoming.isWait, incoming.isLarge)
        (unanswered, wasAsked) = (unanswered + 1, true)
        if isWait { waits += 1 }
        if isLarge { isExclusive = true }
        do throws(CloseReason) {
            try handler?(incoming.request, incoming.call) { [weak self] frame in
                self?.noteEnd(isWait: isWait, isLarge: isLarge)
                self?.answer(frame, isAwaited: isWait)
                share.release()
            }
        } catch {
            noteEnd(isWait: isWait, isLarge: isLarge)
            throw error
        }
    }

    /// Counts a request that has ended.
    private func noteEnd(isWait: Bool, isLarge: Bool) {
        unanswered -= 1
        if isWait { waits -= 1 }
        if isLarge { isExclusive = false }
    }

    /// Sends the answer to a request.
    ///
    /// If `isAwaited` is true, the answer is written now, and not at the end of this turn of the loop.
    private func answer(_ frame: Frame, isAwaited: Bool) {
        send(frame)
        if isAwaited { connection.hurry() }
        memory.checkAnswers()
        handleFrames()
        endIfAnswered()
    }

    /// Answers a call that this version does not know.
    ///
    /// The arguments of the call must still be well-formed.
    private func refuse(_ request: LocalRequest) throws(CloseReason) {
        var arguments = request.arguments
        do throws(CBORError) {
            try arguments.skip()
            try arguments.end()
        } catch {
            throw CloseReason(error, in: .localRequest)
        }
        wasAsked = true
        let failure = LocalFailure(
            .versionMismatch,
            "The running node has an older version (\(Build.version)) and does not know this request. Restart it with `baton node`."
        )
        send(LocalAnswer.frame(failure, number: request.number))
        endIfAnswered()
    }

    private func send(_ frame: Frame) {
        connection.send(frame.encoded)
        if connection.backlog > limits.backlogBytes { isBehind = true }
        noteBacklog()
    }

    // MARK: Memory

    /// Counts the bytes that the client has not read.
    private func noteBacklog() {
        let isSmall = connection.backlog <= Self.unreadBytes
        isUnreadSince = isSmall ? nil : isUnreadSince ?? loop.now
        answerShare.resize(to: isSmall ? 0 : connection.backlog)
    }

    /// The largest number of unread bytes that need no share of the memory.
    private static let unreadBytes = 64 << 10

    /// Closes the connection if it has held memory for longer than `time`.
    ///
    /// The caller calls this while other requests wait for memory.
    func endIfHolding(longerThan time: Duration) {
        if let since = isUnreadSince, loop.now - since >= time { return endUnread() }
        guard waitingRequest == nil, let since = frameShare?.since, loop.now - since >= time else { return }
        part(CloseReason(.timeout, "a request did not arrive in time, and other clients need its memory"))
    }

    /// Closes the connection because the client does not read its answers.
    func endUnread() {
        log.warn(
            "closed a local connection: its answers were not read, and other clients needed their memory")
        connection.close()
    }

    /// Sends the reason to the client, and closes the connection.
    private func part(_ reason: CloseReason) {
        log.warn("closed a local connection: \(reason)")
        send(reason.frame)
        frameShare = nil
        close()
    }

    /// Tells the client that there are too many connections, and closes the connection soon.
    ///
    /// The connection is closed even if the client does not read the message.
    func makeRoom() {
        send(CloseReason(.busy, Self.busy(limits).text).frame)
        connection.closeAfterSending(deadline: loop.now + Self.partingTime)
    }

    private static let partingTime = Duration.milliseconds(100)

    /// The failure for a client that exceeds the limit of connections.
    static func busy(_ limits: Limits) -> LocalFailure {
        LocalFailure(
            .failed,
            "\(limits.localConnections) programs are connected to the node, which is its limit.\n"
                + "End one of them and try again; `baton status` still works.")
    }
}

extension FrameDecoder {
    /// Appends borrowed bytes.
    ///
    /// This overload exists because a generic collection would be copied byte by byte.
    mutating func feed(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                place += feed { taken, most in
                    let part = UnsafeBufferPointer(
                        rebasing: bytes[place..<place + min(most, bytes.count - place)])
                    taken.append(contentsOf: part)
                    return part.count
                }
            }
        }
    }
}
