import BatonCore
import BatonNetwork
import BatonSecurity

/// Limits the number and the cost of connections whose peers are not identified yet.
///
/// Only a limited number of these connections may exist. When the limit is reached, the source with the most
/// connections loses one: its oldest connection that has not shown that it knows the account, or else its oldest
/// connection. A member shows in its first message that it knows the account. Therefore, peers that only hold
/// connections open can't keep a member out.
///
/// Handshakes are limited per second and to a share of the thread's time. Further handshakes wait in a
/// `HandshakeQueue`. A hint does not let a handshake overtake the queue, because an attacker who delays a member's
/// connection could use the member's hint. A ticket that is used for the first time lets its handshake overtake,
/// because only a member can have a ticket.
final class Doorkeeper: ChannelOwner {
    /// The TLS server; nil while no account is open.
    var server: TLSServer?
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    /// Called to take over a channel whose peer is identified.
    private let admit: (Channel, Peer) -> Void

    private var strangers: [ObjectIdentifier: Stranger] = [:]
    /// The number of connections from each source.
    private var counts: [SocketAddress.Host: Int] = [:]
    /// The number of connections that were ever accepted.
    private var number: UInt64 = 0
    private var handshakes: RateLimit
    private var work: WorkBudget
    /// The connections whose handshakes are deferred.
    private var waiting = HandshakeQueue<Channel>()
    /// The sources from which members have connected.
    ///
    /// The most recent source comes last.
    private var memberSources: [SocketAddress.Host] = []
    /// The timer for the next turn of a deferred handshake.
    private let turnTimer: OwnedTimer
    /// Limits how many lines the log gets about refused connections.
    private var lines: RateLimit
    /// The number of connections that were refused since the last log line about refusals.
    private var untold = 0

    /// A connection whose peer is not identified yet.
    private struct Stranger {
        let channel: Channel
        let source: SocketAddress.Host
        /// The number of the connection.
        ///
        /// A newer connection has a larger number.
        let number: UInt64
        /// Whether the connection's handshake has begun.
        var hasBegun = false
    }

    /// The largest number of members' sources that are remembered.
    private static let memberSourceLimit = 64

    init(
        on loop: EventLoop, limits: Limits, log: Log, admit: @escaping (Channel, Peer) -> Void
    ) {
        self.loop = loop
        self.limits = limits
        self.log = log
        self.admit = admit
        turnTimer = OwnedTimer(on: loop)
        handshakes = RateLimit(
            perSecond: limits.handshakesPerSecond, burst: limits.handshakesAtOnce, now: loop.now)
        work = WorkBudget(share: limits.handshakeShare, burst: limits.handshakeBurst, now: loop.now)
        lines = RateLimit(
            perSecond: max(1, limits.toldRefusals / 60), burst: limits.toldRefusals, now: loop.now)
    }

    /// Begins the handshake on a new connection.
    func receive(_ connection: StreamConnection) {
        guard let server, let source = connection.remoteAddress?.host.subscriber else {
            return connection.close()
        }
        makeRoom(for: source)
        do {
            let session = try TLSSession(server: server)
            let channel = Channel(connection, session: session, on: loop, limits: limits)
            session.mayBegin = { [unowned self, unowned channel] in mayBegin(channel) }
            channel.noteWork = { [unowned self, unowned channel] in charge($0, to: channel) }
            try channel.start(self)
            number += 1
            strangers[ObjectIdentifier(channel)] = Stranger(channel: channel, source: source, number: number)
            counts[source, default: 0] += 1
        } catch {
            connection.close()
            log.warn("could not accept a connection: \(error)")
        }
    }

    // MARK: Places

    /// Ends a connection if there is no room for one more connection from a source.
    private func makeRoom(for source: SocketAddress.Host) {
        if counts[source, default: 0] >= limits.strangersPerSource {
            sendAway(leastWorthy { $0.source == source })
        } else if strangers.count >= limits.strangers {
            let most = counts.values.max()
            sendAway(leastWorthy { counts[$0.source] == most })
        }
    }

    /// Returns the connection that is ended to make room.
    ///
    /// This is the oldest connection that has not shown that it knows the account, or else the oldest connection.
    ///
    /// Handshakes that have begun are spared as long as they are at most half of the connections. Each of them waits
    /// for its peer, and would therefore be the oldest. Otherwise, a flood of waiting connections would end all of
    /// them.
    private func leastWorthy(_ isMeant: (Stranger) -> Bool) -> Stranger? {
        let some = strangers.values.filter(isMeant)
        let begun = some.filter { $0.hasBegun && !$0.channel.isResuming }
        let idle = some.filter { !$0.hasBegun && !$0.channel.isResuming }
        let silent = idle.filter { !$0.channel.isHinted }
        if !silent.isEmpty { return Self.oldest(silent) }
        if begun.count > some.count / 2 {
            let unhinted = begun.filter { !$0.channel.isHinted }
            return Self.oldest(unhinted.isEmpty ? begun : unhinted)
        }
        return Self.oldest(idle.isEmpty ? some : idle)
    }

    private static func oldest(_ strangers: [Stranger]) -> Stranger? {
        strangers.min { $0.number < $1.number }
    }

    private func sendAway(_ stranger: Stranger?) {
        guard let stranger else { return }
        forget(stranger.channel)
        stranger.channel.abort("there are too many unidentified connections, and it was the oldest")
    }

    private func forget(_ channel: Channel) {
        guard let stranger = strangers.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        waiting.remove(channel, from: stranger.source)
        channel.noteWork = nil
        let left = counts[stranger.source, default: 1] - 1
        counts[stranger.source] = left > 0 ? left : nil
    }

    // MARK: Turns

    /// Returns whether a handshake may begin now.
    ///
    /// If it may not, the handshake is deferred.
    private func mayBegin(_ channel: Channel) -> Bool {
        guard let source = strangers[ObjectIdentifier(channel)]?.source else { return false }
        if waiting.isEmpty, takeTurn() {
            noteBegun(channel)
            return true
        }
        waiting.append(
            channel, from: source, isMembers: memberSources.contains(source), isHinted: channel.isHinted)
        planTurn()
        return false
    }

    /// Returns whether one more handshake may begin now.
    ///
    /// If so, counts the handshake.
    private func takeTurn() -> Bool { work.allows(at: loop.now) && handshakes.take(at: loop.now) }

    private func noteBegun(_ channel: Channel) { strangers[ObjectIdentifier(channel)]?.hasBegun = true }

    private func planTurn() {
        guard !turnTimer.isSet, !waiting.isEmpty else { return }
        turnTimer.set(after: max(handshakes.pause, work.pause)) { [unowned self] in takeTurns() }
    }

    /// Begins all deferred handshakes that may begin now.
    private func takeTurns() {
        while !waiting.isEmpty, takeTurn() {
            guard let channel = waiting.removeFirst() else { break }
            noteBegun(channel)
            channel.proceed()
        }
        planTurn()
    }

    /// Charges the processor time of a step of a handshake.
    ///
    /// Steps before the handshake's turn are free, because they are cheap. The steps of a resumed session are free,
    /// too, because only members can resume sessions.
    private func charge(_ time: Duration, to channel: Channel) {
        guard strangers[ObjectIdentifier(channel)]?.hasBegun ?? false else { return }
        work.charge(time)
    }

    /// Remembers the source of a member's connection.
    private func noteSource(of channel: Channel, _ peer: Peer) {
        guard case .device = peer, let source = strangers[ObjectIdentifier(channel)]?.source else { return }
        memberSources.removeAll { $0 == source }
        memberSources.append(source)
        if memberSources.count > Self.memberSourceLimit { memberSources.removeFirst() }
    }

    // MARK: Channels

    func channel(_ channel: Channel, established peer: Peer) {
        noteSource(of: channel, peer)
        forget(channel)
        admit(channel, peer)
    }

    func channel(_ channel: Channel, received frame: Frame) { channel.close() }

    func channel(_ channel: Channel, refused reason: CloseReason) { channel.close() }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        forget(channel)
        // A check of the port, such as by `baton doctor`, sends nothing. In this case, nothing was refused.
        guard !end.isWordless else { return }
        guard lines.take(at: loop.now) else { return untold += 1 }
        let from = channel.remoteAddress.map { " from \($0)" } ?? ""
        let others = untold == 0 ? "" : "; \(untold) more were refused before it"
        untold = 0
        log.tell("a connection\(from) was refused: \(end.text)\(others)")
    }
}
