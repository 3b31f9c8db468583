import BatonCore
import BatonNetwork
import BatonSecurity

/// Who owns a channel: first the doorkeeper, then what its peer turned out to want.
///
/// Calls come from the event loop. After `ended` nothing follows.
protocol ChannelOwner: AnyObject {
    /// The handshake is over; nothing was read from or said to the peer before.
    func channel(_ channel: Channel, established peer: Peer)
    func channel(_ channel: Channel, received frame: Frame)
    /// The peer sent what is no frame; close it, in words that fit.
    func channel(_ channel: Channel, refused reason: CloseReason)
    /// So little waits to be sent that more may follow.
    func channelDrained(_ channel: Channel)
    /// The connection is gone.
    func channel(_ channel: Channel, ended end: ChannelEnd)
}

extension ChannelOwner {
    func channelDrained(_: Channel) {}
}

/// Why a channel is gone.
struct ChannelEnd {
    /// For a log, and for who asks.
    let text: String
    /// Whether the peer turned us away: its TLS said so, or it hung up in the handshake as who does not know a hint.
    var isRefusal = false
    /// Whether it did so without a word.
    var isSilent = false
}

extension ChannelEnd {
    /// An error of the TLS session, with what OpenSSL says of it: the words that tell a stranger from a fault.
    init(_ error: SecurityError) {
        let message = error.message.last == "." ? String(error.message.dropLast()) : error.message
        let reasons = error.reasons.isEmpty ? "" : " (\(error.reasons.joined(separator: "; ")))"
        self.init(text: message + reasons, isRefusal: error.code == .refusedByPeer)
    }
}

/// A TCP stream, the TLS session on it, and the frames inside: the only way in which a node talks to others.
///
/// It holds its owner until it ends.
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
    private var isPaused = false
    /// Set while reading is paused.
    private let readingTimer: OwnedTimer
    /// Hears how much of the thread each step of the handshake took.
    var noteWork: ((Duration) -> Void)?
    /// Whether it is planned to give the channel up.
    private var isGivenUp = false

    /// Prepares the handshake of a session, which `start(_:)` begins.
    init(_ connection: StreamConnection, session: TLSSession, on loop: EventLoop, limits: Limits) {
        (self.connection, self.session, self.loop, self.limits) = (connection, session, loop, limits)
        (handshakeTimer, readingTimer) = (OwnedTimer(on: loop), OwnedTimer(on: loop))
    }

    /// The same for a session of one account alone.
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
            fail(ChannelEnd(text: "the handshake did not end within \(limits.openingTime)"))
        }
        flush()
    }

    /// Hands the channel on, within a call to the owner before.
    func pass(to owner: any ChannelOwner) { self.owner = owner }

    // MARK: Commands

    /// Sends a frame to a peer that is known.
    func send(_ frame: Frame) {
        guard isEstablished, isOpen else { return }
        do {
            try session.send(frame)
            flush()
            // Whoever makes the node answer faster than it reads the answers is not read any more itself.
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

    /// Ends the channel once what was sent is out; the peer is told that nothing follows.
    func close() {
        session.close()
        flush()
        connection.closeAfterSending(deadline: loop.now + limits.closingTime)
    }

    /// Goes on with a handshake that was put off.
    func proceed() {
        do {
            try measured { () throws(SecurityError) in try session.proceed() }
            takeIn()
        } catch {
            flush()
            fail(ChannelEnd(error))
        }
    }

    /// Ends the channel at once, without a word; who owns it hears why.
    func abort(_ text: String) {
        guard failure == nil else { return connection.close() }
        failure = ChannelEnd(text: text)
        connection.close()
    }

    // MARK: Queries

    /// On a server, whether the peer has shown that it knows the account.
    var isHinted: Bool { session.isHinted }

    /// On a server, whether the peer goes on from an earlier session as only a member can.
    var isResuming: Bool { session.isResuming }

    /// False once the channel was told to close, or has ended.
    var isOpen: Bool { connection.isOpen }

    var localAddress: SocketAddress? { connection.localAddress }

    var remoteAddress: SocketAddress? { connection.remoteAddress }

    /// Whether something that was sent is still here, because the peer reads slowly.
    var hasBacklog: Bool { backlog > 0 }

    /// How many bytes were sent and wait here.
    var backlog: Int { connection.backlog }

    /// The account of which this side speaks; nothing before a server knows which one is meant.
    var account: AccountIdentifier? { session.account }

    /// The admission that the device at the other end showed in the handshake, if it showed one.
    var shownAdmission: RosterStatement? { session.shownAdmission }

    /// A value that both ends of this very channel know, and nobody else.
    func exportedKey(label: String, count: Int) throws(SecurityError) -> [UInt8] {
        try session.exportKeyingMaterial(label: label, count: count)
    }

    // MARK: Events of the stream

    private func receive(_ bytes: Span<UInt8>) {
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

    /// Takes a step of the handshake, and tells what it cost, also if it failed.
    private func measured(_ step: () throws(SecurityError) -> Void) throws(SecurityError) {
        guard noteWork != nil else { return try step() }
        let began = ProcessorTime.now
        defer { noteWork?(began.elapsed) }
        try step()
    }

    /// Takes in what came, as far as the session has got with it.
    private func takeIn() {
        do {
            flush()
            establish()
            // A record at a time: what came whole before one that does not decrypt still counts.
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

    /// Tells the owner, once, who the peer is.
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

    /// Gives the channel up if the peer takes nothing of a full backlog for too long.
    ///
    /// A slow one takes something again and again. That is seen by what its side acknowledges: the kernel here holds
    /// much for it, and takes more only once a good part of that is gone.
    private func watchReader() {
        let taken = connection.acknowledgedCount
        readingTimer.set(after: limits.readingTime) { [unowned self] in checkReader(since: taken) }
    }

    /// Gives the channel up if the peer has acknowledged nothing since it had acknowledged that many bytes.
    private func checkReader(since taken: UInt64?) {
        guard isPaused, isOpen else { return }
        if connection.acknowledgedCount == taken {
            giveUp("it has read nothing for \(limits.readingTime)")
        } else {
            watchReader()
        }
    }

    /// Gives the channel up once whoever is sending has come to an end.
    private func giveUpLater() {
        guard !isGivenUp else { return }
        isGivenUp = true
        loop.afterTurn { [self] in giveUp("more than \(limits.backlogMost) bytes wait for it to read") }
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

    /// Why this side gave up, which the end of the stream does not say.
    private var failure: ChannelEnd?

    /// What the end of the stream means: who hangs up on a client's first words may have its reasons.
    private func end(for end: StreamConnection.End) -> ChannelEnd {
        let isSilent = !isEstablished && session.role == .client && (end == .closedByPeer || end == .reset)
        var text = Self.text(end)
        // An orderly end is one that the peer has said, encrypted; anyone can end the stream below.
        if isEstablished, end == .closedByPeer {
            text = "the connection was cut off: the other side had not closed the session"
        }
        return ChannelEnd(text: text, isRefusal: isSilent, isSilent: isSilent)
    }

    private static func text(_ end: StreamConnection.End) -> String {
        switch end {
        case .closedByPeer: "the other side hung up"
        case .reset: "the other side is gone"
        case .timedOut: "the other side did not answer in time"
        case .closedHere: "closed"
        case .failed(let error): "\(error)"
        }
    }
}
