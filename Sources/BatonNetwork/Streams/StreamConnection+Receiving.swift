import CLinux
import Glibc

/// The way in.
extension StreamConnection {
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
    func planRead() {
        guard isReadable, !isReadPlanned, watch != nil else { return }
        isReadPlanned = true
        loop.nextTurn { [self] in
            isReadPlanned = false
            readShare()
        }
    }

    /// Reads until the kernel has nothing left or this turn's share is taken.
    func readShare() {
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
}
