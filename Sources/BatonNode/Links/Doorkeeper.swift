import BatonCore
import BatonNetwork
import BatonSecurity

/// Sees to connections whose peers are not known yet: what they may cost, and who makes room for whom.
///
/// Places are few. When there is none, the oldest connection of whoever has the most makes room, and of those first one
/// that has not shown that it knows the account: a device does that with its first words, so those who only hold places
/// don't keep it out. What costs the processor something is begun only so often in a second; the rest waits in turn.
final class Doorkeeper: ChannelOwner {
    /// What answers; nothing while no account is open.
    var server: TLSServer?
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    /// Takes over a channel whose peer has shown who it is.
    private let admit: (Channel, Peer) -> Void

    private var strangers: [ObjectIdentifier: Stranger] = [:]
    /// How many there are of each source.
    private var counts: [SocketAddress.Host: Int] = [:]
    /// How many there were so far.
    private var number: UInt64 = 0
    private var handshakes: RateLimit
    /// Those whose handshakes were put off, the first first.
    private var waiting: [Channel] = []
    private var turnTimer: TimerToken?
    private var lines: RateLimit
    /// How many were refused without a line in the log.
    private var untold = 0

    /// A connection whose peer is not known yet.
    private struct Stranger {
        let channel: Channel
        let source: SocketAddress.Host
        /// The larger, the newer.
        let number: UInt64
    }

    init(
        on loop: EventLoop, limits: Limits, log: Log, admit: @escaping (Channel, Peer) -> Void
    ) {
        (self.loop, self.limits, self.log, self.admit) = (loop, limits, log, admit)
        handshakes = RateLimit(
            perSecond: limits.handshakesPerSecond, burst: limits.handshakesAtOnce, now: loop.now)
        lines = RateLimit(
            perSecond: max(1, limits.toldRefusals / 60), burst: limits.toldRefusals, now: loop.now)
    }

    /// Begins to find out who that is.
    func receive(_ connection: StreamConnection) {
        guard let server, let source = connection.remoteAddress?.host.subscriber else {
            return connection.close()
        }
        makeRoom(for: source)
        do {
            let session = try TLSSession(server: server)
            let channel = Channel(connection, session: session, on: loop, limits: limits)
            session.mayBegin = { [unowned self, unowned channel] in mayBegin(channel) }
            try channel.start(self)
            number += 1
            strangers[ObjectIdentifier(channel)] = Stranger(channel: channel, source: source, number: number)
            counts[source, default: 0] += 1
        } catch {
            connection.close()
            log.warn("a connection could not be taken: \(error)")
        }
    }

    // MARK: Places

    /// Has a connection go if there is no place for one more of that source.
    private func makeRoom(for source: SocketAddress.Host) {
        if counts[source, default: 0] >= limits.strangersPerSource {
            sendAway(oldest { $0.source == source })
        } else if strangers.count >= limits.strangers {
            let most = counts.values.max()
            sendAway(oldest { counts[$0.source] == most })
        }
    }

    /// The oldest of some, and of them one that has not shown that it knows the account, if there is any.
    private func oldest(_ isMeant: (Stranger) -> Bool) -> Stranger? {
        strangers.values.filter(isMeant).min { left, right in
            left.channel.isHinted == right.channel.isHinted
                ? left.number < right.number : right.channel.isHinted
        }
    }

    private func sendAway(_ stranger: Stranger?) {
        guard let stranger else { return }
        forget(stranger.channel)
        stranger.channel.abort("there are too many whom nobody knows, and it was the oldest")
    }

    private func forget(_ channel: Channel) {
        guard let stranger = strangers.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        waiting.removeAll { $0 === channel }
        let left = counts[stranger.source, default: 1] - 1
        counts[stranger.source] = left > 0 ? left : nil
    }

    // MARK: Turns

    /// Whether a handshake may begin; if not, it has its turn in a while.
    private func mayBegin(_ channel: Channel) -> Bool {
        if waiting.isEmpty, handshakes.take(at: loop.now) { return true }
        waiting.append(channel)
        planTurn()
        return false
    }

    private func planTurn() {
        guard turnTimer == nil, !waiting.isEmpty else { return }
        turnTimer = loop.schedule(after: handshakes.pause) { [unowned self] in
            turnTimer = nil
            while !waiting.isEmpty, handshakes.take(at: loop.now) { waiting.removeFirst().proceed() }
            planTurn()
        }
    }

    // MARK: Channels

    func channel(_ channel: Channel, established peer: Peer) {
        forget(channel)
        admit(channel, peer)
    }

    func channel(_ channel: Channel, received frame: Frame) { channel.close() }

    func channel(_ channel: Channel, refused reason: CloseReason) { channel.close() }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        forget(channel)
        guard lines.take(at: loop.now) else { return untold += 1 }
        let from = channel.remoteAddress.map { " from \($0)" } ?? ""
        let others = untold == 0 ? "" : "; before it \(untold) more were refused"
        untold = 0
        log.tell("a connection\(from) was refused: \(end.text)\(others)")
    }
}
