import CLinux
import Glibc

/// The end.
extension StreamConnection {
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
    func shutIfSent() {
        guard outgoing.count == 0, watch != nil, !isShut else { return }
        isShut = true
        let file = socket.number
        let (result, error) = SystemCall.attempt { shutdown(file, Int32(SHUT_WR)) }
        // Not connected any more: the peer was faster, and had no reason left to hear us.
        if result < 0 { end(error == ENOTCONN ? .closedHere : Self.end(for: error)) }
    }

    /// Ends the connection for this reason, unless it has ended.
    func end(_ reason: End) {
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
}
