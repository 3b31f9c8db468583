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

    init(_ connection: StreamConnection, on loop: EventLoop, limits: Limits, log: Log) {
        (self.connection, self.loop, self.limits, self.log) = (connection, loop, limits, log)
    }

    /// Begins to read; the loop keeps the connection alive until it has ended.
    func start(_ handler: @escaping Handler, ended: @escaping () -> Void) throws(NetworkError) {
        (self.handler, self.ended) = (handler, ended)
        try connection.start(
            StreamConnection.Handlers(
                received: { [self] bytes in receive(bytes) },
                drained: { [self] in
                    isBehind = false
                    stream?.connectionDrained()
                    handleFrames()
                },
                ended: { [self] _ in
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
        if isClosing, wasAsked, unanswered == waits { close() }
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
            while connection.isOpen, mayHandle, let frame = try decoder.next() { try handle(frame) }
        } catch {
            log.warn("a local connection was closed: \(error)")
            send(error.frame)
            close()
        }
        pace()
    }

    private var mayHandle: Bool {
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
        let (number, request) = try LocalRequest.read(frame)
        (unanswered, wasAsked) = (unanswered + 1, true)
        let isWait = request.isWait
        if isWait { waits += 1 }
        handler?(request) { [weak self] answer in
            if isWait { self?.waits -= 1 }
            self?.answer(number, answer)
        }
    }

    private func answer(_ number: UInt64, _ answer: LocalAnswer) {
        unanswered -= 1
        send(answer.frame(number: number))
        handleFrames()
        endIfAnswered()
    }

    private func send(_ frame: Frame) {
        connection.send(frame.encoded)
        if connection.backlog > limits.backlogBytes { isBehind = true }
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

extension LocalRequest {
    /// Whether it is answered when something happens, and not when something is done.
    fileprivate var isWait: Bool {
        switch self {
        case .awaitInvitation, .answerJoiner, .awaitReindexing, .awaitBackup, .awaitEvent, .watch,
            .openStream:
            true
        default: false
        }
    }
}
