import BatonCore
import BatonNetwork
import BatonSecurity

/// The owner of a channel: at first the doorkeeper, later the object that serves the peer.
///
/// Calls come from the event loop. `ended` is the last one.
protocol ChannelOwner: AnyObject {
    /// The handshake is complete; no frame was received or sent before.
    func channel(_ channel: Channel, established peer: Peer)
    func channel(_ channel: Channel, received frame: Frame)
    /// The peer broke the rules of the channel; the owner closes it with this reason.
    func channel(_ channel: Channel, refused reason: CloseReason)
    /// The backlog is small enough to send more.
    func channelDrained(_ channel: Channel)
    /// The connection has ended.
    func channel(_ channel: Channel, ended end: ChannelEnd)
}

extension ChannelOwner {
    func channelDrained(_: Channel) {}
}

/// Why a channel has ended.
struct ChannelEnd {
    /// The reason in words, for the log and for people.
    let text: String
    /// Whether the peer refused this device: its TLS said so, or it hung up during the handshake, as a node does if it
    /// does not know the account of the hint.
    var isRefusal = false
    /// Whether the peer hung up without a TLS alert.
    var isSilent = false
    /// Whether the peer hung up before it had sent anything, as a port scanner does.
    var isWordless = false
    /// Whether the peer did not answer the handshake in time.
    var isUnanswered = false
    /// The error of the TLS session; nil if the stream ended the channel.
    var error: SecurityError?
}

extension ChannelEnd {
    /// An error of the TLS session, with OpenSSL's reasons, which distinguish a stranger from a fault.
    init(_ error: SecurityError) {
        let message = error.message.last == "." ? String(error.message.dropLast()) : error.message
        let reasons = error.reasons.isEmpty ? "" : " (\(error.reasons.joined(separator: "; ")))"
        self.init(text: message + reasons, isRefusal: error.code == .refusedByPeer, error: error)
    }
}

/// A TCP stream, the TLS session on it, and the frames inside: the only connection between two nodes.
///
/// The channel keeps its owner alive until the channel ends.
final class Channel {
    private let connection: StreamConnection
    private let session: TLSSession
    private let loop: EventLoop
    private let limits: Limits
    private var decoder = FrameDecoder(limit: 0)
    private var owner: (any ChannelOwner)?
    /// Set until the handshake ends.
    private let handshakeTimer: OwnedTimer
    private var isEstablished = false
    /// The number of bytes received.
    private var receivedCount: UInt64 = 0
    private var isPaused = false
    /// Set while reading is paused.
    private let readingTimer: OwnedTimer
    /// Called with the processor time of each step of the handshake.
    var noteWork: ((Duration) -> Void)?
    /// Whether the channel is about to be closed because its peer does not read.
    private var isGivenUp = false

    /// Prepares the handshake of a session, which `start(_:)` begins.
    init(_ connection: StreamConnection, session: TLSSession, on loop: EventLoop, limits: Limits) {
        self.connection = connection
        self.session = session
        self.loop = loop
        self.limits = limits
        (handshakeTimer, readingTimer) = (OwnedTimer(on: loop), OwnedTimer(on: loop))
    }

    /// Prepares the handshake of a session of a single account.
    convenience init(
        _ connection: StreamConnection, context: TLSContext, role: TLSSession.Role, on loop: EventLoop,
        limits: Limits
    ) throws(SecurityError) {
        self.init(connection, session: try TLSSession(context: context, role: role), on: loop, limits: limits)
    }

    /// Begins the handshake, which must end in time.
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

    /// Makes another object the owner, within a call to the present owner.
    func pass(to owner: any ChannelOwner) { self.owner = owner }

    // MARK: Commands

    /// Sends a frame, once the handshake is complete.
    func send(_ frame: Frame) {
        guard isEstablished, isOpen else { return }
        do {
            try session.send(frame)
            flush()
            // If a peer causes answers faster than it reads them, this side stops reading its requests.
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

    /// Writes sent frames now instead of at the end of the turn, because somebody is waiting for them.
    func hurry() { connection.hurry() }

    /// Ends the channel once everything sent is written; TLS tells the peer that nothing follows.
    func close() {
        session.close()
        flush()
        connection.closeAfterSending(deadline: loop.now + limits.closingTime)
    }

    /// Continues a deferred handshake.
    func proceed() {
        do {
            try measured { () throws(SecurityError) in try session.proceed() }
            takeIn()
        } catch {
            flush()
            fail(ChannelEnd(error))
        }
    }

    /// Ends the channel at once, without telling the peer; the owner gets the reason.
    func abort(_ text: String) {
        guard failure == nil else { return connection.close() }
        failure = ChannelEnd(text: text)
        connection.close()
    }

    /// Ends the channel unless the peer answers a probe in time.
    func probe() { connection.probe(within: limits.probingTime) }

    // MARK: Queries

    /// On a server, whether the peer has shown that it knows the account.
    var isHinted: Bool { session.isHinted }

    /// On a server, whether the peer resumes an earlier session, which only a member can do.
    var isResuming: Bool { session.isResuming }

    /// False once the channel is closing or has ended.
    var isOpen: Bool { connection.isOpen }

    var localAddress: SocketAddress? { connection.localAddress }

    var remoteAddress: SocketAddress? { connection.remoteAddress }

    /// How much the stream has carried.
    var progress: TransportProgress {
        let delivered = connection.acknowledgedCount ?? connection.writtenCount
        return TransportProgress(
            received: receivedCount, delivered: delivered,
            waiting: connection.writtenCount - delivered + UInt64(connection.backlog))
    }

    /// Whether sent bytes wait here, because the peer reads slowly.
    var hasBacklog: Bool { backlog > 0 }

    /// The number of sent bytes that wait here.
    var backlog: Int { connection.backlog }

    /// The account of the session; nil before a server knows which one is meant.
    var account: AccountIdentifier? { session.account }

    /// The admission that the peer showed in the handshake, if it showed one.
    var shownAdmission: RosterStatement? { session.shownAdmission }

    /// A secret that only the two ends of this channel know.
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

    /// Takes a step of the handshake and reports its processor time, even if it fails.
    private func measured(_ step: () throws(SecurityError) -> Void) throws(SecurityError) {
        guard noteWork != nil else { return try step() }
        let began = ProcessorTime.now
        defer { noteWork?(began.elapsed) }
        try step()
    }

    /// Handles what the session has decrypted.
    private func takeIn() {
        do {
            flush()
            establish()
            // Records are read one at a time, so that the frames before one that can't be decrypted are still handled.
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

    /// Tells the owner once that the handshake is complete, and who the peer is.
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

    /// Closes the channel if the peer reads nothing of a full backlog for too long.
    ///
    /// The bytes that TCP has acknowledged show that a slow peer still reads. The backlog shows it too late, because
    /// this machine's kernel takes more bytes only once it has sent a large part of its own.
    private func watchReader() {
        let taken = connection.acknowledgedCount
        readingTimer.set(after: limits.readingTime) { [unowned self] in checkReader(since: taken) }
    }

    /// Closes the channel if the peer has acknowledged no bytes beyond this number.
    private func checkReader(since taken: UInt64?) {
        guard isPaused, isOpen else { return }
        if connection.acknowledgedCount == taken {
            giveUp("the other side has read nothing for \(limits.readingTime)")
        } else {
            watchReader()
        }
    }

    /// Closes the channel at the end of the turn, when the sender is done.
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

    /// The reason why this side ended the channel, which the end of the stream does not say.
    private var failure: ChannelEnd?

    /// Translates the end of the stream; a server that hangs up on a client's first message has probably refused it.
    private func end(for end: StreamConnection.End) -> ChannelEnd {
        let isSilent = !isEstablished && session.role == .client && (end == .closedByPeer || end == .reset)
        var text = Self.text(end)
        // Only an encrypted message of the peer ends a session in order; anyone can end the stream below.
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
