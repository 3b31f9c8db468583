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
    enum State {
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
    static let bytesPerTurn = 4 * ReadBuffer.byteCount

    /// The loop on which it lives.
    let loop: EventLoop
    /// How it behaves.
    let settings: StreamSettings
    /// The address of the other end, if it is TCP.
    package let remoteAddress: SocketAddress?
    /// The address of this end, if it is TCP.
    package let localAddress: SocketAddress?
    /// The process at the other end, if it is a Unix socket.
    package let unixPeer: UnixPeer?

    /// The socket; closed when the connection ends.
    var socket: FileDescriptor
    /// The registration with the loop, from the start to the end.
    var watch: EventLoop.WatchToken?
    /// What to tell, from the start to the end.
    var handlers: Handlers?
    /// How far it has come.
    var state = State.new
    /// What waits to be written.
    var outgoing = OutgoingQueue()
    /// True if the kernel took less than was offered, so that it is asked to tell when it has room.
    var isBlocked = false
    /// True if the loop is asked to tell when there is room.
    var isWaitingForRoom = false
    /// True if a flush is already put off to the end of this turn, or of a later one.
    var isFlushPlanned = false
    /// True if the backlog has been above the low mark since `drained` was last told.
    var isAboveMark = false
    /// True if this side of the stream is shut down.
    var isShut = false
    /// What went wrong with writing; reading goes on to the end of what the peer had sent.
    var writeError: Int32?
    /// True if the user wants no bytes now.
    package internal(set) var isPaused = false
    /// How many bytes one read takes at most; what is beyond waits in the kernel for the next one.
    package var readMost = ReadBuffer.byteCount
    /// True if the kernel may have bytes, or the end, for us.
    var isReadable = false
    /// True if the peer's stream is over, so that a short read is not the last.
    var isHungUp = false
    /// True if reading is planned for the next turn.
    var isReadPlanned = false
    /// Set from `closeAfterSending` to the end, for the moment at which the last bytes must be out.
    let closeTimer: OwnedTimer

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

    /// What an error number of the socket means for the connection; zero is the end of the stream.
    static func end(for number: Int32) -> End {
        switch number {
        case 0: .closedByPeer
        case ECONNRESET, EPIPE: .reset
        case ETIMEDOUT: .timedOut
        default: .failed(NetworkError(number: number, operation: "go on with a connection"))
        }
    }
}
