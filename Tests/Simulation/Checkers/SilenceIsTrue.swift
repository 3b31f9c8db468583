import BatonCore
import Support

/// Promise 2, where a peer is silent: a connection is closed for silence only if nobody acknowledged or answered in that
/// time, and each one over which nobody does is closed in the end.
///
/// It counts by itself what arrived, and asks the session only whether it is open or closed.
final class SilenceIsTrue: Checker {
    /// How long a session may take to notice that its time is over.
    private static let patience = Duration.seconds(1)
    /// How long after it stood still a process may have read less than its machine has.
    private static let catchingUp = Duration.seconds(15)

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message else { return }
        endpoint.watched.silence.sent = batch.number
        endpoint.watched.silence.sendingSince = endpoint.watched.silence.sendingSince ?? world.now
        endpoint.watched.silence.waitingSince = endpoint.watched.silence.waitingSince ?? world.now
    }

    func noteArrived(_ message: PeerMessage, at endpoint: Endpoint, _ world: World) {
        guard case .acknowledgement(let number) = message else { return }
        let isAll = number >= endpoint.watched.silence.sent
        endpoint.watched.silence.acknowledged = number
        endpoint.watched.silence.waitingSince = isAll ? nil : world.now
        if isAll { endpoint.watched.silence.sendingSince = nil }
    }

    func noteClosed(_ reason: CloseReason, _ endpoint: Endpoint, _ world: World) {
        guard reason.code == .silent, !endpoint.node.isFaulty, !endpoint.peer.isFaulty,
            !isUnacknowledged(endpoint, world), !isUnanswered(endpoint, world)
        else { return }
        let silence = endpoint.watched.silence
        let ago = { (time: Instant?) in time.map { "\(world.now.since($0)) ago" } ?? "never" }
        world.violate(
            .convergence, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) closes to \(endpoint.peer.name) for its silence: \(reason); it was sent batch "
                + "\(silence.sent), acknowledged batch \(silence.acknowledged), was last heard "
                + "\(ago(silence.lastArrival)), last read something \(ago(silence.lastReading)), and owes an "
                + "acknowledgement since \(ago(silence.waitingSince))")
    }

    /// Whether the peer has acknowledged nothing for as long as it may.
    private func isUnacknowledged(_ endpoint: Endpoint, _ world: World) -> Bool {
        guard let since = endpoint.watched.silence.waitingSince else { return false }
        return world.now >= since + world.limits.acknowledgingTime
    }

    /// Whether the peer has neither answered a ping nor read anything that waited before it.
    private func isUnanswered(_ endpoint: Endpoint, _ world: World) -> Bool {
        let (silence, time) = (endpoint.watched.silence, world.limits.pongTime)
        guard silence.sendingSince != nil, endpoint.session.features.contains(Features.pings),
            silence.lastArrival.map({ world.now >= $0 + time }) ?? true
        else { return false }
        if let wentOn = endpoint.node.wentOn, world.now < wentOn + Self.catchingUp { return true }
        return !silence.readings.contains {
            world.now < $0.latest + time && world.now > $0.began + time
        }
    }

    func noteCommit(at node: SimulatedNode, _ world: World) { demandClosings(of: node, world) }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest { demandClosings(of: node, world) }
    }

    private func demandClosings(of node: SimulatedNode, _ world: World) {
        let wentOn = node.wentOn ?? Instant(nanoseconds: 0)
        guard !node.isFaulty, node.isUp, !node.isPaused, world.now > wentOn + Self.patience else { return }
        for endpoint in node.endpoints where !endpoint.session.isClosed && !endpoint.peer.isFaulty {
            guard let what = overdue(endpoint, since: wentOn, world) else { continue }
            world.violate(
                .convergence, about: Violation.Subject(at: node),
                "\(node.name) still waits for \(endpoint.peer.name), \(what)")
        }
    }

    /// Returns what a connection should not survive, or nil.
    private func overdue(_ endpoint: Endpoint, since wentOn: Instant, _ world: World) -> String? {
        let (limits, silence) = (world.limits, endpoint.watched.silence)
        guard endpoint.session.isOpen else {
            let isOver = world.now > endpoint.began + limits.openingTime + Self.patience
            return isOver ? "whose opening messages have not come since \(endpoint.began.told)" : nil
        }
        if let since = silence.waitingSince, world.now > since + limits.acknowledgingTime + Self.patience {
            return "which has acknowledged nothing since \(since.told)"
        }
        guard let sending = silence.sendingSince, endpoint.session.features.contains(Features.pings) else {
            return nil
        }
        // Bytes that were read last moment count once more.
        let heard = [silence.lastArrival, silence.lastReading].compactMap { $0 }
        let quiet = (heard + [sending, wentOn]).max() ?? sending
        let isOver = world.now > quiet + limits.pingPause + limits.pongTime * 2 + Self.patience
        return isOver ? "which has neither answered nor read anything since \(quiet.told)" : nil
    }
}
