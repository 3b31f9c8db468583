import CLinux
import Glibc

/// A TCP or Unix stream on an event loop.
///
/// A `ConnectAttempt` or a `Listener` makes a connection, and `start` begins to read and write. From then on, the loop
/// keeps the connection alive until it ends. The loop calls the handlers, but never during a call to the connection. A
/// handler may call any method of the connection, even `close()`. When the connection ends, the descriptor is closed,
/// and `received` and `drained` are released at once. `ended` is called once, at the end of the turn, and is then
/// released.
///
/// All bytes that are sent in a turn are written together at the end of the turn, unless `hurry()` is called. When the
/// peer ends its stream, the connection ends. So a peer that wants an answer must keep its side open.
package final class StreamConnection {
    /// Why a connection ended.
    package enum End: Hashable, Sendable {
        /// The peer ended its stream in the regular way.
        case closedByPeer
        /// The peer or the network broke off the connection, so bytes may be lost.
        case reset
        /// The peer no longer answers, or the last bytes could not be sent before the deadline.
        case timedOut
        /// `close()` was called, or `closeAfterSending` has finished its work.
        case closedHere
        /// The system reported another error.
        case failed(NetworkError)
    }

    /// The callbacks of a connection.
    package struct Handlers {
        /// Called with bytes that have arrived; the span is valid only during the call.
        let received: (Span<UInt8>) -> Void
        /// Called when the backlog has fallen to the low mark after it was larger.
        let drained: () -> Void
        /// Called when the connection has ended.
        let ended: (End) -> Void

        package init(
            received: @escaping (Span<UInt8>) -> Void, drained: @escaping () -> Void = {},
            ended: @escaping (End) -> Void
        ) {
            (self.received, self.drained, self.ended) = (received, drained, ended)
        }
    }

    /// The stages in the life of a connection.
    private enum State {
        /// Not started yet; bytes that are sent wait in the queue.
        case new
        /// Started.
        case open
        /// `closeAfterSending` was called: unsent bytes are still written, and received bytes are dropped.
        case closing
        /// Closed.
        case ended
    }

    /// The maximum number of bytes that a connection reads, and writes, in one turn.
    ///
    /// Without a limit, one connection could keep others from being served.
    private static let bytesPerTurn = 4 * ReadBuffer.byteCount

    private let loop: EventLoop
    private let settings: StreamSettings
    /// The address of the other end; nil for a Unix socket.
    package let remoteAddress: SocketAddress?
    /// The address of this end; nil for a Unix socket.
    package let localAddress: SocketAddress?
    /// The process at the other end; nil for a TCP socket.
    package let unixPeer: UnixPeer?

    /// The socket; closed when the connection ends.
    private var socket: FileDescriptor
    /// The registration with the loop; nil before the start and after the end.
    private var watch: EventLoop.WatchToken?
    /// The callbacks; nil before the start and after the end.
    private var handlers: Handlers?
    private var state = State.new
    /// The bytes that wait to be written.
    private var outgoing = OutgoingQueue()
    /// True if the kernel's buffer was full at the last write, and the kernel has not reported free space since then.
    private var isBlocked = false
    /// True if the loop watches for space in the kernel's buffer.
    private var isWaitingForRoom = false
    /// True if a flush will run at the end of this turn.
    private var isFlushPlanned = false
    /// True if the number of unsent bytes has been above the low mark since the last call of `drained`.
    private var isAboveMark = false
    /// True if this side of the stream has been shut down for writing.
    private var isShut = false
    /// The error that ended writing; bytes that the peer sent earlier are still read.
    private var writeError: Int32?
    /// The error of a write by `hurry()`; the flush at the end of the turn handles it.
    private var earlyError: Int32?
    /// True between `pauseReading()` and `resumeReading()`.
    package private(set) var isPaused = false
    /// The maximum number of bytes of one read; further bytes wait in the kernel for the next read.
    package var readMost = ReadBuffer.byteCount
    /// True if the kernel may have bytes, or the end of the stream, for this connection to read.
    private var isReadable = false
    /// True if the peer's stream has ended; then, a short read does not mean that nothing is left to read.
    private var isHungUp = false
    /// True if reading will continue in the next turn.
    private var isReadPlanned = false
    /// The timer for the deadline of `closeAfterSending`, by which the last bytes must be sent.
    private let closeTimer: OwnedTimer
    /// The timer of a probe; set until the time for the peer's answer is over.
    private let probeTimer: OwnedTimer
    /// Whether another probe follows the present one.
    private var probesAgain = false

    /// Makes a connection from a socket that is already connected and non-blocking.
    init(
        adopting socket: consuming FileDescriptor, on loop: EventLoop, settings: StreamSettings
    ) throws(NetworkError) {
        let isUnix = Socket.family(of: socket) == AF_UNIX
        if !isUnix { try settings.apply(to: socket) }
        unixPeer = isUnix ? try UnixPeer(of: socket) : nil
        remoteAddress = isUnix ? nil : Socket.remoteAddress(of: socket)
        localAddress = isUnix ? nil : Socket.localAddress(of: socket)
        (self.loop, self.settings) = (loop, settings)
        (closeTimer, probeTimer) = (OwnedTimer(on: loop), OwnedTimer(on: loop))
        self.socket = socket
    }

    /// Begins to read and write; called only once.
    package func start(_ handlers: Handlers) throws(NetworkError) {
        guard case .new = state else {
            preconditionFailure("a connection was started twice, or after its end")
        }
        watch = try loop.watch(socket, for: [.readable, .hungUp], abandoned: close) {
            self.handleReadiness($0)
        }
        self.handlers = handlers
        state = .open
        planFlush()
    }

    /// True until the connection ends or is told to close.
    package var isOpen: Bool {
        switch state {
        case .new, .open: true
        case .closing, .ended: false
        }
    }

    /// The number of sent bytes that the kernel has not accepted yet.
    package var backlog: Int { outgoing.count }

    /// The total number of bytes that the kernel has accepted.
    package var writtenCount: UInt64 { outgoing.writtenCount }

    /// The number of bytes of a TCP stream that the peer's system has acknowledged; nil once the connection has ended.
    ///
    /// This machine's kernel accepts bytes in large steps, even if the peer reads slowly. This number grows whenever
    /// the peer has made room for more bytes.
    package var acknowledgedCount: UInt64? {
        if case .ended = state { return nil }
        guard let count = Socket.unacknowledgedCount(of: socket) else { return 0 }
        // The end of the stream counts as one byte.
        return writtenCount - min(writtenCount, UInt64(count))
    }

    // MARK: Sending

    /// Queues bytes, which are written at the end of this turn.
    ///
    /// The queue has no limit. The sender must watch `backlog`, and must wait for `drained` when the backlog is too
    /// large. Bytes are dropped if the connection is closing or has ended.
    package func send(_ bytes: [UInt8]) { send(bytes[...]) }

    /// Queues a slice of bytes; a large slice is not copied.
    package func send(_ bytes: ArraySlice<UInt8>) {
        guard isOpen, writeError == nil else { return }
        outgoing.append(bytes)
        if outgoing.count > settings.lowMark { isAboveMark = true }
        planFlush()
    }

    /// Writes the queued bytes immediately, as far as the kernel accepts them, because somebody waits for them.
    ///
    /// The flush at the end of the turn writes the rest and handles errors. So this call does not call a handler.
    package func hurry() {
        guard isFlushPlanned, !isBlocked, writeError == nil, earlyError == nil, watch != nil else { return }
        let (count, error) = outgoing.write(to: socket)
        if count > 0 { loop.recordMoves(count) }
        if count < 0, error != EAGAIN { earlyError = error }
    }

    /// Plans a flush for the end of the turn, unless the kernel's buffer is full.
    private func planFlush() {
        guard outgoing.count > 0, watch != nil, !isBlocked, !isFlushPlanned else { return }
        isFlushPlanned = true
        loop.afterTurn { [self] in
            isFlushPlanned = false
            flush()
        }
    }

    /// Writes until the queue is empty, the kernel's buffer is full, or the maximum for one turn is reached.
    private func flush() {
        guard let watch, !isBlocked, writeError == nil else { return }
        if let earlyError { return failWriting(earlyError) }
        var share = Self.bytesPerTurn
        while outgoing.count > 0 {
            guard share > 0 else { planFlush(); break }
            let (count, error) = outgoing.write(to: socket)
            if count < 0, error != EAGAIN { return failWriting(error) }
            if count < 0 {
                isBlocked = true
                loop.change(watch, of: socket, to: [.readable, .hungUp, .writable])
                isWaitingForRoom = true
                break
            }
            share -= count
            loop.recordMoves(count)
        }
        if outgoing.count == 0, isWaitingForRoom {
            loop.change(watch, of: socket, to: [.readable, .hungUp])
            isWaitingForRoom = false
        }
        if case .closing = state { return shutIfSent() }
        tellDrained()
    }

    /// Calls `drained` if the backlog was above the low mark and no longer is.
    private func tellDrained() {
        guard isAboveMark, outgoing.count <= settings.lowMark else { return }
        isAboveMark = false
        handlers?.drained()
    }

    /// Ends writing, but still reads the bytes that the peer has sent.
    ///
    /// If reading is paused or the connection is closing, the connection ends at once.
    private func failWriting(_ error: Int32) {
        writeError = error
        outgoing.removeAll()
        if isPaused || isClosing { return end(Self.end(for: error)) }
        isHungUp = true
        isReadable = true
        planRead()
    }

    /// True between `closeAfterSending` and the end.
    private var isClosing: Bool {
        if case .closing = state { true } else { false }
    }

    // MARK: Receiving

    /// Handles events of the socket.
    private func handleReadiness(_ readiness: Readiness) {
        if readiness.contains(.failed) || !readiness.isDisjoint(with: .hungUp) { isHungUp = true }
        isReadable = true
        if isPaused, readiness.contains(.failed) {
            return end(Self.end(for: Socket.takeError(of: socket)))
        }
        if isBlocked, !readiness.isDisjoint(with: [.writable, .failed]) {
            isBlocked = false
            flush()
        }
        readShare()
    }

    /// Stops reading until `resumeReading()`; the peer has to wait once the kernel's buffers are full.
    ///
    /// During the pause, an error ends the connection at once. But the end of the peer's stream is not noticed.
    package func pauseReading() { isPaused = true }

    /// Continues to read in the next turn.
    package func resumeReading() {
        guard isPaused else { return }
        isPaused = false
        planRead()
    }

    /// Plans to continue reading in the next turn.
    private func planRead() {
        guard isReadable, !isReadPlanned, watch != nil else { return }
        isReadPlanned = true
        loop.nextTurn { [self] in
            isReadPlanned = false
            readShare()
        }
    }

    /// Reads until the kernel has nothing left, or the maximum for one turn is reached.
    private func readShare() {
        var share = Self.bytesPerTurn
        while isReadable, watch != nil, !isPaused {
            guard share > 0 else { return planRead() }
            let most = min(max(readMost, 1), ReadBuffer.byteCount)
            let (count, error) = loop.readBuffer.receive(from: socket, most: most)
            guard count > 0 else { return takeEnd(isError: count < 0, error) }
            share -= count
            loop.recordMoves(count)
            // After a short read, the socket is empty, so no further call is needed. But the end of the stream needs
            // one more read.
            if count < most, !isHungUp { isReadable = false }
            if case .open = state, let handlers { loop.readBuffer.lend(count, to: handlers.received) }
        }
    }

    /// Handles a read that returned no bytes: none have arrived yet, or the stream has ended.
    private func takeEnd(isError: Bool, _ error: Int32) {
        if isError, error == EAGAIN {
            isReadable = false
            // Everything that the peer sent before the failed write has been read, so the connection can end now.
            if let writeError { end(Self.end(for: writeError)) }
            return
        }
        if case .closing = state, outgoing.count == 0 { return end(.closedHere) }
        end(Self.end(for: isError ? error : writeError ?? 0))
    }

    // MARK: Probing

    /// Asks the peer's system whether it is still there.
    ///
    /// If the peer's system does not answer in time, the connection ends as timed out. A probe costs one packet each
    /// way. If a probe is already running, it is not extended, but another probe follows it. The peer may have answered
    /// the running probe before the event that led to this call.
    package func probe(within time: Duration) {
        guard watch != nil, remoteAddress != nil else { return }
        guard !probeTimer.isSet else {
            probesAgain = true
            return
        }
        probesAgain = false
        guard setPatience(of: .probing) else { return }
        let (acknowledged, wasWaiting) = (acknowledgedCount, hasUnacknowledgedBytes)
        probeTimer.set(after: time) { [unowned self] in
            if hasUnacknowledgedBytes, acknowledgedCount == acknowledged {
                // If bytes were first sent after the probe began, the peer gets the whole time again.
                return wasWaiting ? end(.timedOut) : probe(within: time)
            }
            if probesAgain { return probe(within: time) }
            // If the connection was idle and the peer did not answer, the kernel has already ended the connection.
            _ = setPatience(of: settings)
        }
    }

    /// Sets how long the peer may be silent; returns false if the socket refuses the setting.
    ///
    /// In that case, the connection is already broken, and the loop is about to report its end.
    private func setPatience(of settings: StreamSettings) -> Bool {
        do throws(NetworkError) {
            try settings.applyPatience(to: socket)
            return true
        } catch {
            return false
        }
    }

    /// Whether the peer's system has not acknowledged all bytes that were sent.
    private var hasUnacknowledgedBytes: Bool { (Socket.unacknowledgedCount(of: socket) ?? 0) > 0 }

    // MARK: Closing

    /// Ends the connection at once; unsent bytes are lost.
    package func close() { end(.closedHere) }

    /// Ends the connection after all sent bytes are written and the peer has ended its side, too.
    ///
    /// Waiting for the peer is necessary. If a socket is closed while it has unread bytes, the connection is reset, and
    /// the peer may lose the last bytes. If the deadline passes, the connection ends as timed out.
    package func closeAfterSending(deadline: MonotonicTime) {
        guard isOpen else { return }
        guard watch != nil else { return close() }
        state = .closing
        closeTimer.set(at: deadline) { [unowned self] in end(.timedOut) }
        isPaused = false
        planRead()
        loop.afterTurn { [self] in
            if outgoing.count == 0 { shutIfSent() }
        }
    }

    /// Shuts down this side of the stream if all bytes are written.
    private func shutIfSent() {
        guard outgoing.count == 0, watch != nil, !isShut else { return }
        isShut = true
        let file = socket.number
        let (result, error) = SystemCall.attempt { shutdown(file, Int32(SHUT_WR)) }
        // `ENOTCONN` means that the peer has already closed the connection.
        if result < 0 { end(error == ENOTCONN ? .closedHere : Self.end(for: error)) }
    }

    /// Ends the connection for a reason, unless it has already ended.
    private func end(_ reason: End) {
        if case .ended = state { return }
        state = .ended
        if let watch { loop.unwatch(watch, of: socket) }
        watch = nil
        socket.close()
        outgoing.removeAll()
        closeTimer.cancel()
        probeTimer.cancel()
        guard let ended = handlers?.ended else { return }
        handlers = nil
        loop.afterTurn { ended(reason) }
    }

    /// Converts an error number of the socket to the reason of the end; zero means that the stream has ended.
    private static func end(for number: Int32) -> End {
        switch number {
        case 0: .closedByPeer
        case ECONNRESET, EPIPE: .reset
        case ETIMEDOUT: .timedOut
        default: .failed(NetworkError(number: number, operation: "use a connection"))
        }
    }
}
