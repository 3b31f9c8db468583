import CLinux
import Glibc

/// A TCP or Unix stream on an event loop.
///
/// A `ConnectAttempt` or a `Listener` makes it, and `start` sets it going; from then on the loop keeps it alive until
/// it ends. Handlers are called by the loop only, never from within a call to the connection, and may call anything on
/// it, `close()` too. When it ends, the descriptor is closed and `received` and `drained` are released at once; `ended`
/// is called once, at the end of the turn, and released.
///
/// All that is sent in a turn is written together at its end, unless `hurry()` is called. The end of the peer's stream
/// is the end of the connection: a peer that wants an answer keeps its side open.
package final class StreamConnection {
    /// Why a connection ended.
    package enum End: Hashable, Sendable {
        /// The peer ended its stream in good order.
        case closedByPeer
        /// The connection was broken off, and bytes may be lost.
        case reset
        /// The peer stopped answering, or the deadline for the last bytes is over.
        case timedOut
        /// `close()` was called, or `closeAfterSending` has finished.
        case closedHere
        /// The system reported another error.
        case failed(NetworkError)
    }

    /// The callbacks of a connection.
    package struct Handlers {
        /// Called with bytes that came in; they are lent for the call.
        let received: (Span<UInt8>) -> Void
        /// Called when the backlog is no longer above the low mark.
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
        /// Not started yet; bytes that are sent wait.
        case new
        /// Started.
        case open
        /// `closeAfterSending` was called: bytes still go out, and those that come in are dropped.
        case closing
        /// Closed.
        case ended
    }

    /// The most bytes that a connection reads or writes in one turn, so that other connections get their turn.
    private static let bytesPerTurn = 4 * ReadBuffer.byteCount

    private let loop: EventLoop
    private let settings: StreamSettings
    /// The address of the other end, if it is TCP.
    package let remoteAddress: SocketAddress?
    /// The address of this end, if it is TCP.
    package let localAddress: SocketAddress?
    /// The process at the other end, if it is a Unix socket.
    package let unixPeer: UnixPeer?

    /// The socket; closed when the connection ends.
    private var socket: FileDescriptor
    /// The registration with the loop, from the start to the end.
    private var watch: EventLoop.WatchToken?
    /// The callbacks, from the start to the end.
    private var handlers: Handlers?
    private var state = State.new
    /// The bytes that wait to be written.
    private var outgoing = OutgoingQueue()
    /// True if the kernel took less than was offered, and has not reported since that it has room.
    private var isBlocked = false
    /// True if the loop watches for room to write.
    private var isWaitingForRoom = false
    /// True if a flush is planned for the end of this turn.
    private var isFlushPlanned = false
    /// True if the backlog has been above the low mark since the last call of `drained`.
    private var isAboveMark = false
    /// True if this side of the stream is shut down.
    private var isShut = false
    /// The error that ended writing; the bytes that the peer sent before are still read.
    private var writeError: Int32?
    /// The error of a write before the end of the turn, which the planned flush handles.
    private var earlyError: Int32?
    /// True between `pauseReading()` and `resumeReading()`.
    package private(set) var isPaused = false
    /// The most bytes that one read takes; the others wait in the kernel for the next read.
    package var readMost = ReadBuffer.byteCount
    /// True if the kernel may have bytes, or the end of the stream, for this connection.
    private var isReadable = false
    /// True if the peer's stream has ended: then a short read need not be the last one.
    private var isHungUp = false
    /// True if reading is planned for the next turn.
    private var isReadPlanned = false
    /// Set from `closeAfterSending` to the end, for the moment at which the last bytes must be out.
    private let closeTimer: OwnedTimer
    /// Set while the peer must show that it is still there.
    private let probeTimer: OwnedTimer
    /// Whether another probe is to follow the running one.
    private var probesAgain = false

    /// Makes a connection from a connected, non-blocking socket.
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

    /// Begins to read and write; called once.
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

    /// How many sent bytes the kernel has not taken yet.
    package var backlog: Int { outgoing.count }

    /// How many bytes the kernel has taken so far.
    package var writtenCount: UInt64 { outgoing.writtenCount }

    /// How many bytes of a TCP stream the peer's system has acknowledged so far; nil once the connection has ended.
    ///
    /// The kernel here takes bytes in large steps, even when the peer reads little by little. This number grows
    /// whenever the peer has made room.
    package var acknowledgedCount: UInt64? {
        if case .ended = state { return nil }
        guard let count = Socket.unacknowledgedCount(of: socket) else { return 0 }
        // The end of the stream counts as one byte.
        return writtenCount - min(writtenCount, UInt64(count))
    }

    // MARK: Sending

    /// Queues bytes, which are written at the end of this turn.
    ///
    /// The queue has no limit: the sender watches `backlog`, and waits for `drained` when it is too large. Bytes are
    /// dropped once the connection has ended or is closing.
    package func send(_ bytes: [UInt8]) { send(bytes[...]) }

    /// Queues a slice of bytes; a large slice is not copied.
    package func send(_ bytes: ArraySlice<UInt8>) {
        guard isOpen, writeError == nil else { return }
        outgoing.append(bytes)
        if outgoing.count > settings.lowMark { isAboveMark = true }
        planFlush()
    }

    /// Writes what is queued at once, as far as the kernel takes it, because somebody is waiting for it.
    ///
    /// The flush at the end of the turn writes the rest, and handles errors, so that no handler is called from here.
    package func hurry() {
        guard isFlushPlanned, !isBlocked, writeError == nil, earlyError == nil, watch != nil else { return }
        let (count, error) = outgoing.write(to: socket)
        if count > 0 { loop.recordMoves(count) }
        if count < 0, error != EAGAIN { earlyError = error }
    }

    /// Plans a flush for the end of the turn, unless the kernel is to report room first.
    private func planFlush() {
        guard outgoing.count > 0, watch != nil, !isBlocked, !isFlushPlanned else { return }
        isFlushPlanned = true
        loop.afterTurn { [self] in
            isFlushPlanned = false
            flush()
        }
    }

    /// Writes until the queue is empty, the kernel takes no more, or this turn's share is written.
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

    /// Calls `drained` if the backlog was large and is small again.
    private func tellDrained() {
        guard isAboveMark, outgoing.count <= settings.lowMark else { return }
        isAboveMark = false
        handlers?.drained()
    }

    /// Ends writing; bytes that the peer has sent are still read, unless reading is paused or the connection closes.
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

    /// Reads nothing more until `resumeReading()`, so that the peer has to slow down once the kernel's buffers are
    /// full.
    ///
    /// During the pause an error ends the connection at once, but the end of the peer's stream is not noticed.
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

    /// Reads until the kernel has nothing left or this turn's share is read.
    private func readShare() {
        var share = Self.bytesPerTurn
        while isReadable, watch != nil, !isPaused {
            guard share > 0 else { return planRead() }
            let most = min(max(readMost, 1), ReadBuffer.byteCount)
            let (count, error) = loop.readBuffer.receive(from: socket, most: most)
            guard count > 0 else { return takeEnd(isError: count < 0, error) }
            share -= count
            loop.recordMoves(count)
            // A short read means that the socket is empty, which saves another call. The end needs one more read.
            if count < most, !isHungUp { isReadable = false }
            if case .open = state, let handlers { loop.readBuffer.lend(count, to: handlers.received) }
        }
    }

    /// Handles a read that returned no bytes, because none have come yet or because the stream has ended.
    private func takeEnd(isError: Bool, _ error: Int32) {
        if isError, error == EAGAIN {
            isReadable = false
            // The peer has sent nothing more, and nothing can be written.
            if let writeError { end(Self.end(for: writeError)) }
            return
        }
        if case .closing = state, outgoing.count == 0 { return end(.closedHere) }
        end(Self.end(for: isError ? error : writeError ?? 0))
    }

    // MARK: Probing

    /// Asks the peer's system whether it is still there; the connection ends as timed out if it does not answer in
    /// time.
    ///
    /// It costs a packet each way. A probe that is running is not prolonged, but another one follows: the peer may have
    /// answered the running one before the reason for this call arose.
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
                // Bytes that were sent a moment ago get the whole time.
                return wasWaiting ? end(.timedOut) : probe(within: time)
            }
            if probesAgain { return probe(within: time) }
            // If the connection was idle and the peer did not answer, the kernel has ended it already.
            _ = setPatience(of: settings)
        }
    }

    /// Sets how long the peer may be silent; returns false if the socket refuses: then the connection is gone, and its
    /// end is about to be reported.
    private func setPatience(of settings: StreamSettings) -> Bool {
        do throws(NetworkError) {
            try settings.applyPatience(to: socket)
            return true
        } catch {
            return false
        }
    }

    /// Whether the peer's system has yet to acknowledge something.
    private var hasUnacknowledgedBytes: Bool { (Socket.unacknowledgedCount(of: socket) ?? 0) > 0 }

    // MARK: Closing

    /// Ends the connection at once; bytes that wait to be written are lost.
    package func close() { end(.closedHere) }

    /// Ends the connection when everything sent is written and the peer has ended its side, too.
    ///
    /// Waiting for the peer is necessary: closing a socket with unread bytes resets the connection, and the peer could
    /// lose the last bytes. After the deadline the connection ends as timed out.
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

    /// Ends this side of the stream if everything is written.
    private func shutIfSent() {
        guard outgoing.count == 0, watch != nil, !isShut else { return }
        isShut = true
        let file = socket.number
        let (result, error) = SystemCall.attempt { shutdown(file, Int32(SHUT_WR)) }
        // `ENOTCONN` means that the peer has closed the connection already.
        if result < 0 { end(error == ENOTCONN ? .closedHere : Self.end(for: error)) }
    }

    /// Ends the connection for a reason, unless it has ended.
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

    /// Returns the reason that an error number of the socket stands for; zero is the end of the stream.
    private static func end(for number: Int32) -> End {
        switch number {
        case 0: .closedByPeer
        case ECONNRESET, EPIPE: .reset
        case ETIMEDOUT: .timedOut
        default: .failed(NetworkError(number: number, operation: "use a connection"))
        }
    }
}
