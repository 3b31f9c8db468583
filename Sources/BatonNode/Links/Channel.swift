import BatonCore
import BatonNetwork
import BatonSecurity

/// The owner of a channel.
///
/// The first owner does the handshake, and a later owner may serve the peer.
///
/// All methods are called on the event loop. `channel(_:ended:)` is the last call.
protocol ChannelOwner: AnyObject {
    /// Called when the handshake is complete.
    ///
    /// No frame was received or sent before.
    func channel(_ channel: Channel, established peer: Peer)
    func channel(_ channel: Channel, received frame: Frame)
    /// Called when the peer broke the rules of the channel.
    ///
    /// The owner must close the channel with this reason.
    func channel(_ channel: Channel, refused reason: CloseReason)
    /// Called when the backlog is small enough to send more.
    func channelDrained(_ channel: Channel)
    /// Called when the connection has ended.
    func channel(_ channel: Channel, ended end: ChannelEnd)
}

extension ChannelOwner {
    func channelDrained(_: Channel) {}
}

/// The reason for the end of a channel.
struct ChannelEnd {
    /// The reason in words, for the log and for people.
    let text: String
    /// Whether the peer refused this device.
    ///
    /// Either the peer's TLS said so, or the peer hung up during the handshake. A node hangs up if it does not know the
    /// account that the hint names.
    var isRefusal = false
    /// Whether the peer hung up without a TLS alert.
    var isSilent = false
    /// Whether the peer hung up before it had sent anything, as a port scanner does.
    var isWordless = false
    /// Whether the peer did not complete the handshake in time.
    var isUnanswered = false
    /// The error of the TLS session; nil if the end of the stream ended the channel.
    var error: SecurityError?
}

extension ChannelEnd {
    /// Creates the end of a channel for an error of the TLS session.
    ///
    /// The text includes OpenSSL's reasons, which show whether the peer is a stranger or something is faulty.
    init(_ error: SecurityError) {
        let message = error.message.last == "." ? String(error.message.dropLast()) : error.message
        let reasons = error.reasons.isEmpty ? "" : " (\(error.reasons.joined(separator: "; ")))"
        self.init(text: message + reasons, isRefusal: error.code == .refusedByPeer, error: error)
    }
}

/// A TCP stream, the TLS session on it, and the frames in the session.
///
/// All connections between nodes are channels.
///
/// The channel keeps its owner alive until the channel ends.
final class Channel {
    private let connection: StreamConnection
    private let session: TLSSession
    private let loop: EventLoop
    private let limits: Limits
    private var decoder = FrameDecoder(limit: 0)
    private var owner: (any ChannelOwner)?
    /// The timer for the end of the time that the handshake may take.
    private let handshakeTimer: OwnedTimer
    private var isEstablished = false
    /// The number of bytes received.
    private var receivedCount: UInt64 = 0
    private var isPaused = false
    /// The timer for the next check whether the peer reads.
    ///
    /// It is set while reading is paused.
    private let readingTimer: OwnedTimer
    /// Called after each step of the handshake with the processor time that the step took.
    var noteWork: ((Duration) -> Void)?
    /// Whether the channel is about to be closed because the peer reads too slowly.
    private var isGivenUp = false

    /// Prepares the handshake of a session.
    ///
    /// `start(_:)` begins the handshake.
    init(_ connection: StreamConnection, session: TLSSession, on loop: EventLoop, limits: Limits) {
        self.connection = connection
        self.session = session
        self.loop = loop
        self.limits = limits
        (handshakeTimer, readingTimer) = (OwnedTimer(on: loop), OwnedTimer(on: loop))
    }

    /// Prepares the handshake of a session that belongs to a single account.
    convenience init(
        _ connection: StreamConnection, context: TLSContext, role: TLSSession.Role, on loop: EventLoop,
        limits: Limits
    ) throws(SecurityError) {
        self.init(connection, session: try TLSSession(context: context, role: role), on: loop, limits: limits)
    }

    /// Begins the handshake.
    ///
    /// If the handshake does not end in time, the channel fails.
    func start(_ owner: any ChannelOwner) throws(NetworkError) {
        self.owner = owner
        try connection.start(
            StreamConnection.Handlers(
                received: { [self] bytes in receive(bytes) }, drained: { [self] in drained() },
                ended: { [self] end in ended(failure ?? self.end(for: end)) }))
        handshakeTimer.set(after: limits.openingTime) { [unowned self] in
            fail(ChannelEnd(text: "the handshake took longer than \(limits.openingTime)", isUnanswered: true))
        }
        flush()
    }

    /// Makes another object the owner.
    ///
    /// This must happen during a call from the channel to the present owner.
    func pass(to owner: any ChannelOwner) { self.owner = owner }

    // MARK: Commands

    /// Sends a frame.
    ///
    /// Nothing is sent before the handshake is complete, or after the channel was closed.
    func send(_ frame: Frame) {
        guard isEstablished, isOpen else { return }
        do {
            try session.send(frame)
            flush()
            // If a peer causes answers faster than it reads them, this side stops reading the peer's requests.
            if connection.backlog > limits.backlogBytes, !isPaused {
                isPaused = true
                connection.pauseReading()
                watchReader()
            }
            if connection.backlog > limits.backlogMost { giveUpLater() }
        } catch {
            fail(ChannelEnd(error))
        }
    }

    /// Writes sent frames now, because somebody is waiting for them.
    ///
    /// Otherwise, frames are written at the end of the turn.
    func hurry() { connection.hurry() }

    /// Closes the channel once all sent frames are written.
    ///
    /// A TLS message tells the peer that nothing follows.
    func close() {
        session.close()
        flush()
        connection.closeAfterSending(deadline: loop.now + limits.closingTime)
    }

    /// Continues a handshake that was deferred.
    func proceed() {
        do {
            try measured { () throws(SecurityError) in try session.proceed() }
            takeIn()
        } catch {
            flush()
            fail(ChannelEnd(error))
        }
    }

    /// Closes the channel at once, without telling the peer.
    ///
    /// The owner is told the reason.
    func abort(_ text: String) {
        guard failure == nil else { return connection.close() }
        failure = ChannelEnd(text: text)
        connection.close()
    }

    /// Ends the channel unless the peer answers a probe in time.
    func probe() { connection.probe(within: limits.probingTime) }

    // MARK: Queries

    /// Whether the peer of a server has shown that it knows the account.
    var isHinted: Bool { session.isHinted }

    /// Whether the peer of a server resumes an earlier session.
    ///
    /// Only a member can resume a session.
    var isResuming: Bool { session.isResuming }

    /// Whether the channel is open.
    ///
    /// The value is false once the channel is closing or has ended.
    var isOpen: Bool { connection.isOpen }

    var localAddress: SocketAddress? { connection.localAddress }

    var remoteAddress: SocketAddress? { connection.remoteAddress }

    /// The number of bytes that the stream has received, has delivered, and has yet to deliver.
    var progress: TransportProgress {
        let delivered = connection.acknowledgedCount ?? connection.writtenCount
        return TransportProgress(
            received: receivedCount, delivered: delivered,
            waiting: connection.writtenCount - delivered + UInt64(connection.backlog))
    }

    /// Whether sent bytes wait on this side, because the peer reads slowly.
    var hasBacklog: Bool { backlog > 0 }

    /// The number of sent bytes that wait on this side.
    var backlog: Int { connection.backlog }

    /// The account of the session.
    ///
    /// On a server, the account is nil until the handshake shows which account the peer means.
    var account: AccountIdentifier? { session.account }

    /// The admission that the peer presented in the handshake; nil if it presented none.
    var shownAdmission: RosterStatement? { session.shownAdmission }

    /// Returns a secret that only the two ends of this channel know.
    func exportedKey(label: String, count: Int) throws(SecurityError) -> [UInt8] {
        try session.exportKeyingMaterial(label: label, count: count)
    }

    // MARK: Events of the stream

    private func receive(_ bytes: Span<UInt8>) {
        receivedCount += UInt64(bytes.count)
        do {
            if isEstablished {
                try session.receive(bytes)
            } else {
                try measured { () throws(SecurityError) in try session.receive(bytes) }
            }
            takeIn()
        } catch {
            flush()
            fail(ChannelEnd(error))
        }
    }

    /// Performs a step of the handshake.
    ///
    /// Reports the processor time of the step, even if it fails.
    private func measured(_ step: () throws(SecurityError) -> Void) throws(SecurityError) {
        guard noteWork != nil else { return try step() }
        let began = ProcessorTime.now
        defer { noteWork?(began.elapsed) }
        try step()
    }

    /// Handles the bytes that the session has decrypted.
    private func takeIn() {
        do {
            flush()
            establish()
            // TLS records are read one at a time. If a record can't be decrypted, the frames before it are still
            // handled.
            while isOpen, try decoder.feed(from: { try session.readPlaintext(into: &$0, limit: $1) }) > 0 {
                try handFrames()
            }
            flush()
        } catch let error as SecurityError {
            flush()
            fail(ChannelEnd(error))
        } catch let reason as CloseReason {
            owner?.channel(self, refused: reason)
        } catch {
            fail(ChannelEnd(text: "\(error)"))
        }
        if isOpen, case .closed = session.state {
            failure = failure ?? ChannelEnd(text: "the other side closed the session")
            close()
        }
    }

    /// Tells the owner that the handshake is complete, and who the peer is.
    ///
    /// The owner is told only once.
    private func establish() {
        guard !isEstablished, case .established(let peer) = session.state else { return }
        isEstablished = true
        handshakeTimer.cancel()
        switch peer {
        case .device, .expired: decoder = FrameDecoder()
        case .joiner, .inviter: decoder = FrameDecoder(limit: PairingMessage.frameBytes)
        }
        owner?.channel(self, established: peer)
    }

    private func handFrames() throws(CloseReason) {
        while isOpen, let frame = try decoder.next() { owner?.channel(self, received: frame) }
    }

    /// Closes the channel if the backlog is full and the peer reads nothing for too long.
    ///
    /// The bytes that TCP has acknowledged show whether a slow peer still reads. The backlog would show that too late:
    /// this machine's kernel accepts more bytes only when it has sent a large part of the bytes that it holds.
    private func watchReader() {
        let taken = connection.acknowledgedCount
        readingTimer.set(after: limits.readingTime) { [unowned self] in checkReader(since: taken) }
    }

    /// Closes the channel if the peer has acknowledged nothing since the last check.
    ///
    /// `taken` is the number of bytes that were acknowledged at that time.
    private func checkReader(since taken: UInt64?) {
        guard isPaused, isOpen else { return }
        if connection.acknowledgedCount == taken {
            giveUp("the other side has read nothing for \(limits.readingTime)")
        } else {
            watchReader()
        }
    }

    /// Closes the channel at the end of this turn of the loop, when the sender has finished its call.
    private func giveUpLater() {
        guard !isGivenUp else { return }
        isGivenUp = true
        loop.afterTurn { [self] in
            giveUp(
                "the other side reads too slowly: more than \(limits.backlogMost) bytes are waiting for it")
        }
    }

    private func giveUp(_ text: String) {
        guard isOpen else { return }
        owner?.channel(self, refused: CloseReason(.unread, text))
    }

    private func drained() {
        readingTimer.cancel()
        if isPaused {
            isPaused = false
            connection.resumeReading()
        }
        owner?.channelDrained(self)
    }

    private func ended(_ end: ChannelEnd) {
        handshakeTimer.cancel()
        readingTimer.cancel()
        let owner = owner.take()
        owner?.channel(self, ended: end)
    }

    // MARK: Ways out

    private func flush() {
        if let ciphertext = session.nextCiphertext() { connection.send(ciphertext) }
    }

    private func fail(_ end: ChannelEnd) {
        guard isOpen else { return }
        failure = end
        connection.closeAfterSending(deadline: loop.now + limits.closingTime)
    }

    /// The reason why this side ended the channel.
    ///
    /// The stream itself does not report this reason.
    private var failure: ChannelEnd?

    /// Translates the end of the stream.
    ///
    /// A server that hangs up on a client during the handshake has probably refused the client.
    private func end(for end: StreamConnection.End) -> ChannelEnd {
        let isSilent = !isEstablished && session.role == .client && (end == .closedByPeer || end == .reset)
        var text = Self.text(end)
        // Only an encrypted message of the peer ends a session in order. Anybody on the network can end the stream.
        if isEstablished, end == .closedByPeer {
            text = "the connection was cut off: the other side did not close the session"
        }
        var told = ChannelEnd(text: text, isRefusal: isSilent, isSilent: isSilent)
        told.isWordless = receivedCount == 0 && (end == .closedByPeer || end == .reset)
        return told
    }

    private static func text(_ end: StreamConnection.End) -> String {
        switch end {
        case .closedByPeer: "the other side closed the connection"
        case .reset: "the other side reset the connection"
        case .timedOut: "the other side did not answer in time"
        case .closedHere: "closed"
        case .failed(let error): "\(error)"
        }
    }
}
