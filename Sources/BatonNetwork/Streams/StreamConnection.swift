import CLinux
import Glibc

/// A TCP or Unix stream on an event loop.
///
/// Made by connecting or by a listener, and set going by `start`; from then on the loop keeps it alive until it
/// ends. Handlers are called by the loop only, never from within a call to the connection, and may call anything
/// on it, `close()` too. When it ends the descriptor is closed and `received` and `drained` are released at once;
/// `ended` is called once, at the end of the turn, and released.
///
/// What is sent in a turn is written together at its end. The end of the peer's stream is the end of the
/// connection: a peer that wants an answer keeps its side open.
package final class StreamConnection {
    /// Why a connection ended.
    package enum End: Hashable, Sendable {
        /// The peer ended its stream in good order.
        case closedByPeer
        /// The peer is gone, and bytes may be lost.
        case reset
        /// The peer, or the deadline for the last bytes, gave no answer in time.
        case timedOut
        /// `close()` was called, or `closeAfterSending` came to its end.
        case closedHere
        /// The system reports something else.
        case failed(NetworkError)
    }

    /// What a connection tells its user.
    package struct Handlers {
        /// Bytes came in; they are lent for the call.
        let received: (Span<UInt8>) -> Void
        /// The backlog was above the low mark and is not any more.
        let drained: () -> Void
        /// The connection ended.
        let ended: (End) -> Void

        package init(
            received: @escaping (Span<UInt8>) -> Void, drained: @escaping () -> Void = {},
            ended: @escaping (End) -> Void
        ) {
            (self.received, self.drained, self.ended) = (received, drained, ended)
        }
    }

    /// How far a connection has come.
    private enum State {
        /// Made, and not started; what is sent waits.
        case new
        /// Going on.
        case open
        /// `closeAfterSending` was called: bytes go out, those that come in are dropped.
        case closing
        /// Over.
        case ended
    }

    /// How much a connection reads or writes in one turn before others have theirs.
    private static let bytesPerTurn = 4 * ReadBuffer.byteCount

    /// The loop on which it lives.
    private let loop: EventLoop
    /// How it behaves.
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
    /// What to tell, from the start to the end.
    private var handlers: Handlers?
    /// How far it has come.
    private var state = State.new
    /// What waits to be written.
    private var outgoing = OutgoingQueue()
    /// True if the kernel took less than was offered, so that it is asked to tell when it has room.
    private var isBlocked = false
    /// True if the loop is asked to tell when there is room.
    private var isWaitingForRoom = false
    /// True if a flush is already put off to the end of this turn, or of a later one.
    private var isFlushPlanned = false
    /// True if the backlog has been above the low mark since `drained` was last told.
    private var isAboveMark = false
    /// True if this side of the stream is shut down.
    private var isShut = false
    /// What went wrong with writing; reading goes on to the end of what the peer had sent.
    private var writeError: Int32?
    /// True if the user wants no bytes now.
    package private(set) var isPaused = false
    /// How many bytes one read takes at most; what is beyond waits in the kernel for the next one.
    package var readMost = ReadBuffer.byteCount
    /// True if the kernel may have bytes, or the end, for us.
    private var isReadable = false
    /// True if the peer's stream is over, so that a short read is not the last.
    private var isHungUp = false
    /// True if reading is planned for the next turn.
    private var isReadPlanned = false
    /// Set from `closeAfterSending` to the end, for the moment at which the last bytes must be out.
    private let closeTimer: OwnedTimer

    /// Takes over a connected, non-blocking socket.
    init(
        adopting socket: consuming FileDescriptor, on loop: EventLoop, settings: StreamSettings
    ) throws(NetworkError) {
        let isUnix = Socket.family(of: socket) == AF_UNIX
        if !isUnix { try settings.apply(to: socket) }
        unixPeer = isUnix ? try UnixPeer(of: socket) : nil
        remoteAddress = isUnix ? nil : Socket.remoteAddress(of: socket)
        localAddress = isUnix ? nil : Socket.localAddress(of: socket)
        (self.loop, self.settings, closeTimer) = (loop, settings, OwnedTimer(on: loop))
        self.socket = socket
    }

    /// Lets events come; called once.
    package func start(_ handlers: Handlers) throws(NetworkError) {
        guard case .new = state else {
            preconditionFailure("a connection was started twice, or after its end")
        }
        watch = try loop.watch(socket, for: [.readable, .hungUp], abandoned: close) { self.handle($0) }
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

    /// How many bytes were sent and wait here for the kernel to take them.
    package var backlog: Int { outgoing.count }

    /// How many bytes the kernel has taken so far.
    package var writtenCount: UInt64 { outgoing.writtenCount }

    /// How many bytes of a TCP stream the other end has acknowledged so far; nothing once the connection is over.
    ///
    /// The kernel takes bytes in large steps, also for a reader that reads little by little. This grows whenever the
    /// other end has made room.
    package var acknowledgedCount: UInt64? {
        if case .ended = state { return nil }
        guard let count = Socket.unacknowledgedCount(of: socket) else { return 0 }
        // The end of our stream counts like a byte.
        return writtenCount - min(writtenCount, UInt64(count))
    }

    // MARK: Sending

    /// Puts bytes behind those that were sent before; they are written at the end of this turn.
    ///
    /// There is no limit here: the sender watches `backlog`, and waits for `drained` when it is too large. After
    /// the end, or once told to close, bytes are dropped.
    package func send(_ bytes: [UInt8]) { send(bytes[...]) }

    /// Puts bytes behind those that were sent before, which are a part of others; many are not copied.
    package func send(_ bytes: ArraySlice<UInt8>) {
        guard isOpen, writeError == nil else { return }
        outgoing.append(bytes)
        if outgoing.count > settings.lowMark { isAboveMark = true }
        planFlush()
    }

    /// Sees to it that what waits is written at the end of the turn, unless the kernel is to say when.
    private func planFlush() {
        guard outgoing.count > 0, watch != nil, !isBlocked, !isFlushPlanned else { return }
        isFlushPlanned = true
        loop.afterTurn { [self] in
            isFlushPlanned = false
            flush()
        }
    }

    /// Writes until all is out, the kernel takes no more, or this turn's share is written.
    private func flush() {
        guard let watch, !isBlocked, writeError == nil else { return }
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
            loop.note(moved: count)
        }
        if outgoing.count == 0, isWaitingForRoom {
            loop.change(watch, of: socket, to: [.readable, .hungUp])
            isWaitingForRoom = false
        }
        if case .closing = state { return shutIfSent() }
        tellDrained()
    }

    /// Tells that the backlog is small again.
    private func tellDrained() {
        guard isAboveMark, outgoing.count <= settings.lowMark else { return }
        isAboveMark = false
        handlers?.drained()
    }

    /// Gives writing up; what the peer sent before it went is still read, unless nobody wants it now.
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

    /// Takes in what the loop tells.
    private func handle(_ readiness: Readiness) {
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

    /// Takes nothing more from the kernel until `resumeReading()`, so that the peer is slowed down in the end.
    ///
    /// While it is paused, an error ends the connection as ever, and the end of the peer's stream waits its turn.
    package func pauseReading() { isPaused = true }

    /// Takes bytes again, those that waited first, in the next turn.
    package func resumeReading() {
        guard isPaused else { return }
        isPaused = false
        planRead()
    }

    /// Sees to it that reading goes on in the next turn.
    private func planRead() {
        guard isReadable, !isReadPlanned, watch != nil else { return }
        isReadPlanned = true
        loop.nextTurn { [self] in
            isReadPlanned = false
            readShare()
        }
    }

    /// Reads until the kernel has nothing left or this turn's share is taken.
    private func readShare() {
        var share = Self.bytesPerTurn
        while isReadable, watch != nil, !isPaused {
            guard share > 0 else { return planRead() }
            let most = min(max(readMost, 1), ReadBuffer.byteCount)
            let (count, error) = loop.readBuffer.receive(from: socket, most: most)
            guard count > 0 else { return takeEnd(isError: count < 0, error) }
            share -= count
            loop.note(moved: count)
            // A short read empties the socket, so the call that would say so is saved; the end needs one more.
            if count < most, !isHungUp { isReadable = false }
            if case .open = state, let handlers { loop.readBuffer.lend(count, to: handlers.received) }
        }
    }

    /// Takes in that there are no more bytes, for now or for good.
    private func takeEnd(isError: Bool, _ error: Int32) {
        if isError, error == EAGAIN {
            isReadable = false
            // The peer has sent nothing more, and nothing can be written: that is the end.
            if let writeError { end(Self.end(for: writeError)) }
            return
        }
        if case .closing = state, outgoing.count == 0 { return end(.closedHere) }
        end(Self.end(for: isError ? error : writeError ?? 0))
    }

    // MARK: Closing

    /// Ends the connection at once; what waits to be written is lost.
    package func close() { end(.closedHere) }

    /// Ends the connection when everything sent is written and the peer has ended its side too.
    ///
    /// To wait for the peer is not politeness: closing while bytes of it are unread would break the connection
    /// off, and take away our last ones. After the deadline the connection ends as timed out.
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

    /// Ends our side of the stream when nothing waits any more.
    private func shutIfSent() {
        guard outgoing.count == 0, watch != nil, !isShut else { return }
        isShut = true
        let file = socket.number
        let (result, error) = SystemCall.attempt { shutdown(file, Int32(SHUT_WR)) }
        // Not connected any more: the peer was faster, and had no reason left to hear us.
        if result < 0 { end(error == ENOTCONN ? .closedHere : Self.end(for: error)) }
    }

    /// Ends the connection for this reason, unless it has ended.
    private func end(_ reason: End) {
        if case .ended = state { return }
        state = .ended
        if let watch { loop.unwatch(watch, of: socket) }
        watch = nil
        socket.close()
        outgoing.removeAll()
        closeTimer.cancel()
        guard let ended = handlers?.ended else { return }
        handlers = nil
        loop.afterTurn { ended(reason) }
    }

    /// What an error number of the socket means for the connection; zero is the end of the stream.
    private static func end(for number: Int32) -> End {
        switch number {
        case 0: .closedByPeer
        case ECONNRESET, EPIPE: .reset
        case ETIMEDOUT: .timedOut
        default: .failed(NetworkError(number: number, operation: "go on with a connection"))
        }
    }
}
