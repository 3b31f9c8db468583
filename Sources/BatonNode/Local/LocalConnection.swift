import BatonCore
import BatonNetwork
import Glibc

/// One app or command on the local socket: reads its requests and sends the answers.
final class LocalConnection {
    /// Answers a request, at once or later.
    typealias Handler = (LocalRequest, @escaping (LocalAnswer) -> Void) -> Void

    private let connection: StreamConnection
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    private var handler: Handler?
    private var decoder = FrameDecoder()
    private var isGreeted = false
    /// The account that the other side named, if it did.
    private(set) var account: String?
    /// Requests that wait for their answers, and those among them that wait for what may never happen.
    private var unanswered = 0
    private var waits = 0
    private var isHandling = false
    /// Whether the other side does not take its answers as fast as it asks.
    private var isBehind = false
    private var isPaused = false
    private var ended: (() -> Void)?
    /// The stream that it carries, and then nothing else.
    private var stream: JoinedStream?
    /// Whether it ends as soon as nothing is unanswered.
    private var isClosing = false
    /// Whether anything was asked so far.
    private var wasAsked = false
    /// The memory that all connections share, and what this one holds of it: for a frame on its way, and for answers
    /// that are not read; each since when.
    private let memory: LocalMemory
    private var frameShare: (share: LocalBudget.Share, since: MonotonicTime)?
    private lazy var answerShare = memory.requests.emptyShare()
    private var isUnreadSince: MonotonicTime?
    /// Whether it waits for a share of that memory.
    private var isWaitingForMemory = false
    /// A whole frame whose request waits for memory.
    private var waitingFrame: Frame?
    /// Whether a request is under way beside which none of this connection is handled.
    private var isExclusive = false
    /// Whether only the short questions of commands are answered.
    private let isSpare: Bool

    /// A connection that takes its part of the shared memory; a spare one is there for short questions alone.
    init(
        _ connection: StreamConnection, on loop: EventLoop, memory: LocalMemory, isSpare: Bool = false,
        limits: Limits, log: Log
    ) {
        (self.connection, self.loop, self.limits, self.log) = (connection, loop, limits, log)
        (self.memory, self.isSpare) = (memory, isSpare)
        connection.readMost = Self.freeBytes
    }

    /// How much of a frame is read before there is a share for it.
    private static let freeBytes = 4 << 10

    /// Begins to read; the loop keeps the connection alive until it has ended.
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
                    (frameShare, waitingFrame) = (nil, nil)
                    answerShare.release()
                    stream.take()?.connectionEnded()
                    self.ended.take()?()
                }))
    }

    // MARK: Streams

    /// Whether nothing is asked but the one question that makes it carry a stream.
    var mayCarry: Bool { stream == nil && unanswered == 1 }

    /// Carries a stream from now on, and nothing else.
    func carry(_ stream: JoinedStream) {
        guard connection.isOpen else { return stream.connectionEnded() }
        self.stream = stream
        handleFrames()
    }

    /// Sends a frame of the stream.
    func send(encoded bytes: ArraySlice<UInt8>) { connection.send(bytes) }

    /// How many bytes wait for the app to take them.
    var backlog: Int { connection.backlog }

    /// Takes further frames of the app.
    func proceed() { handleFrames() }

    /// Ends the connection once what was answered is out.
    func close() { connection.closeAfterSending(deadline: loop.now + limits.closingTime) }

    /// Ends the connection once all that the other side asks has its answer, but for what waits for something to happen.
    ///
    /// What it sent may still wait to be read, and who has just connected is about to ask: that is read first.
    func closeOnceAnswered() {
        isClosing = true
        guard wasAsked else { return }
        loop.nextTurn { [self] in endIfAnswered() }
    }

    private func endIfAnswered() {
        if isClosing, wasAsked, unanswered == waits, waitingFrame == nil { close() }
    }

    private func receive(_ bytes: Span<UInt8>) {
        decoder.feed(bytes)
        handleFrames()
    }

    /// Handles requests, as many as may be unanswered; the others wait, and in the end their sender.
    private func handleFrames() {
        // What is answered at once is seen by the loop below.
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        do {
            while connection.isOpen, mayHandle, let frame = try nextFrame() {
                try handle(frame)
                if waitingFrame == nil { frameShare = nil }
            }
        } catch {
            part(error)
        }
        pace()
    }

    /// The next frame, once there is memory for all of it.
    private func nextFrame() throws(CloseReason) -> Frame? {
        if let frame = waitingFrame.take() { return frame }
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

    /// Reads on only if what is read may be handled.
    private func pace() {
        guard mayHandle == isPaused else { return }
        isPaused = !mayHandle
        if isPaused { connection.pauseReading() } else { connection.resumeReading() }
    }

    private func handle(_ frame: Frame) throws(CloseReason) {
        if !isGreeted {
            let hello = try LocalHello(frame)
            account = hello.account
            send(LocalHello(build: Build.version, process: getpid(), account: account).frame)
            // The other side learns from the answer which version this is, and tells its person.
            guard hello.version == LocalHello.version else {
                throw CloseReason(
                    .version, "this node speaks version \(LocalHello.version) of the local protocol")
            }
            isGreeted = true
            return
        }
        if let stream { return try stream.handle(frame) }
        let (number, weight) = try LocalRequest.outline(frame)
        guard weight == .index || frame.body.count <= Limits.requestBytes else {
            return send(LocalAnswer.failure(.requestTooLarge).frame(number: number))
        }
        guard !isSpare || weight == .control else {
            send(LocalAnswer.failure(Self.busy(limits)).frame(number: number))
            return close()
        }
        let count = weight.memory(for: frame.body.count)
        guard count > 0 else { return try perform(frame, weight, memory.requests.emptyShare()) }
        isWaitingForMemory = true
        let share = memory.requests.take(count, for: self) { [weak self] share in
            self?.loop.nextTurn { self?.goOn(weight, performing: share) }
        }
        if let share {
            isWaitingForMemory = false
            try perform(frame, weight, share)
        } else {
            waitingFrame = frame
        }
    }

    /// There is memory for the request that waited for it.
    private func goOn(_ weight: LocalRequest.Weight, performing share: LocalBudget.Share) {
        guard connection.isOpen, let frame = waitingFrame.take() else { return }
        (isWaitingForMemory, isHandling) = (false, true)
        do throws(CloseReason) {
            try perform(frame, weight, share)
            frameShare = nil
        } catch {
            part(error)
        }
        isHandling = false
        handleFrames()
    }

    private func perform(
        _ frame: Frame, _ weight: LocalRequest.Weight, _ share: LocalBudget.Share
    ) throws(CloseReason) {
        let (number, request) = try LocalRequest.read(frame)
        (unanswered, wasAsked) = (unanswered + 1, true)
        let isWait = weight == .wait
        if isWait { waits += 1 }
        var isLarge = false
        if case .index(let request) = request { isLarge = request.byteCount > Limits.indexPortionBytes }
        if isLarge { isExclusive = true }
        handler?(request) { [weak self] answer in
            if isWait { self?.waits -= 1 }
            if isLarge { self?.isExclusive = false }
            self?.answer(number, answer)
            share.release()
        }
    }

    private func answer(_ number: UInt64, _ answer: LocalAnswer) {
        unanswered -= 1
        send(answer.frame(number: number))
        memory.checkAnswers()
        handleFrames()
        endIfAnswered()
    }

    private func send(_ frame: Frame) {
        connection.send(frame.encoded)
        if connection.backlog > limits.backlogBytes { isBehind = true }
        noteBacklog()
    }

    // MARK: Memory

    /// Counts what is not read.
    private func noteBacklog() {
        let isSmall = connection.backlog <= Self.unreadBytes
        isUnreadSince = isSmall ? nil : isUnreadSince ?? loop.now
        answerShare.resize(to: isSmall ? 0 : connection.backlog)
    }

    /// How many bytes of answers may wait and count for nothing.
    private static let unreadBytes = 64 << 10

    /// Ends the connection if it holds what others wait for, and has for longer than that.
    func endIfHolding(longerThan time: Duration) {
        if let since = isUnreadSince, loop.now - since >= time { return endUnread() }
        guard waitingFrame == nil, let since = frameShare?.since, loop.now - since >= time else { return }
        part(CloseReason(.timeout, "a request did not arrive in time, and others wait for its memory"))
    }

    /// Ends the connection, since its answers are not read.
    func endUnread() {
        log.warn(
            "a local connection was closed: its answers were not read, and others waited for their memory")
        connection.close()
    }

    /// Says why, and ends the connection.
    private func part(_ reason: CloseReason) {
        log.warn("a local connection was closed: \(reason)")
        send(reason.frame)
        frameShare = nil
        close()
    }

    /// Says that there is no room, and ends the connection soon, whether the other side reads it or not.
    func makeRoom() {
        send(CloseReason(.busy, Self.busy(limits).text).frame)
        connection.closeAfterSending(deadline: loop.now + Self.partingTime)
    }

    private static let partingTime = Duration.milliseconds(100)

    /// The refusal where there are as many connections as the node takes.
    static func busy(_ limits: Limits) -> LocalFailure {
        LocalFailure(
            .failed,
            "\(limits.localConnections) programs are connected to the node, and it serves no more at once.\n"
                + "End one of them, and try again; `baton status` works.")
    }
}

extension FrameDecoder {
    /// Takes bytes that are lent.
    ///
    /// They are appended here, where their type is known: what any collection may be is copied byte by byte.
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
