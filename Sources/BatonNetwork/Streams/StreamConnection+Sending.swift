import CLinux
import Glibc

/// The way out.
extension StreamConnection {
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
    func planFlush() {
        guard outgoing.count > 0, watch != nil, !isBlocked, !isFlushPlanned else { return }
        isFlushPlanned = true
        loop.afterTurn { [self] in
            isFlushPlanned = false
            flush()
        }
    }

    /// Writes until all is out, the kernel takes no more, or this turn's share is written.
    func flush() {
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
}
