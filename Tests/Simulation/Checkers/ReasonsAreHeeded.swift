import BatonCore
import Support

/// Promises 2 and 9: a reason to do something that comes while the same thing is under way, or can't be done yet, is
/// remembered until it is done.
///
/// A batch that is kept is acknowledged with the next frame, even if a batch of the other lane comes before it. Reports
/// that arrive while others are being kept are kept as well, and those that the peer can't be sent yet are sent later. At rest
/// each session has read what the store took, has compared it, and has passed on the reports that the peer could take,
/// and each device has looked for tombstones since the last report came. Without this checker such a reason shows only
/// if nothing else leads to the same action.
final class ReasonsAreHeeded: Checker {
    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint, _ world: World) {
        endpoint.other?.watched.reportsKnown = summary.reports
    }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        switch message {
        case .acknowledgement(let number): endpoint.watched.acknowledgedNumber = number
        case .reports(let reports): endpoint.watched.reportsSent.join(reports)
        default: break
        }
    }

    func noteArrived(_ message: PeerMessage, at endpoint: Endpoint, _ world: World) {
        if case .reports(let reports) = message { endpoint.watched.reportsArrived.join(reports) }
    }

    func noteFramesTaken(_ endpoint: Endpoint, _ world: World) {
        guard !endpoint.node.isFaulty, !endpoint.session.isClosed else { return }
        judgeReports(of: endpoint, world)
        let watched = endpoint.watched
        guard watched.acknowledgedNumber < watched.keptNumber else { return }
        world.violate(
            .convergence, about: Violation.Subject(at: endpoint.node),
            "\(endpoint.node.name) has kept the batches of \(endpoint.peer.name) up to \(watched.keptNumber), and "
                + "acknowledges no more than \(watched.acknowledgedNumber)")
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest where node.isUp && !node.isStuck && !node.isFull {
            judgeCollecting(at: node, world)
            for endpoint in node.endpoints where endpoint.session.isInStep {
                guard let other = endpoint.other, !other.isCut, other.session.isOpen, !other.node.isFaulty
                else { continue }
                judgeReading(over: endpoint, world)
                judgeReports(over: endpoint, world)
            }
        }
    }

    private func judgeReading(over endpoint: Endpoint, _ world: World) {
        let (node, watched) = (endpoint.node, endpoint.watched)
        for lane in Lane.allCases
        where watched.unread.contains(lane) && !(lane == .index && node.holdsIndex) {
            world.violate(
                .convergence, about: Violation.Subject(at: node),
                "\(node.name) took something in \(lane), and has not looked since for what \(endpoint.peer.name) lacks"
            )
        }
        guard watched.isUncompared, endpoint.session.features.contains(Features.repair) else { return }
        world.violate(
            .convergence, about: Violation.Subject(at: node),
            "\(node.name) took something, and has not compared since with \(endpoint.peer.name)")
    }

    /// Checks that no report is forgotten that the store is to keep, or that the peer can take.
    private func judgeReports(of endpoint: Endpoint, _ world: World) {
        let (node, peer, watched) = (endpoint.node, endpoint.peer, endpoint.watched)
        let unkept = watched.reportsArrived.beyond(watched.reportsAsked)
        if !watched.awaitsReports, let (device, report) = unkept.sorted.first {
            world.violate(
                .bounds, about: Violation.Subject(at: node),
                "\(node.name) does not keep that \(world.name(of: device)) has for good: \(report.told(in: world))"
            )
        }
        guard endpoint.session.isInStep, endpoint.session.features.contains(Features.collection),
            !peer.isFaulty
        else { return }
        var known = watched.reportsSent
        known.join(watched.reportsArrived)
        // A peer may have forgotten one since, because its device was given up for a while.
        known.join(watched.reportsKnown)
        known.join(peer.contents.reports)
        let due = watched.reportsToPass.within(node.contents.complete).within(peer.contents.complete)
        // The reports of a device are forgotten once it is gone.
        let members = [node, peer].map { $0.account.membership.others.union([$0.identity.device]) }
        demand(
            due.beyond(known).sorted.filter { report in members.allSatisfy { $0.contains(report.device) } },
            in: known,
            over: endpoint, world)
    }

    /// Demands that these reports are known to the peer, of which a side of the connection was to tell it.
    private func demand(
        _ reports: [(device: DeviceIdentifier, vector: VersionVector)], in known: Reports,
        over endpoint: Endpoint, _ world: World
    ) {
        for (device, report) in reports {
            // A report need not name the lives that others of it follow.
            let lacking = report.beyond(world.ledger.lineage.expanded(known[device] ?? VersionVector()))
            guard !lacking.isEmpty else { continue }
            world.violate(
                .bounds, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.node.name) has not told \(endpoint.peer.name) that \(world.name(of: device)) has for good: "
                    + lacking.told(in: world))
        }
    }

    /// Checks that the peer knows the reports about devices for which it waits, if it has everything that they cover.
    private func judgeReports(over endpoint: Endpoint, _ world: World) {
        guard endpoint.session.features.contains(Features.collection) else { return }
        let (node, peer) = (endpoint.node, endpoint.peer)
        let others = peer.account.membership.others
        let due = node.account.collector.reports.within(peer.contents.complete).of(others)
        demand(due.sorted, in: peer.contents.reports, over: endpoint, world)
    }

    /// Checks that a device has looked for tombstones since it learnt the last report.
    private func judgeCollecting(at node: SimulatedNode, _ world: World) {
        guard world.profile.collects, node.account.membership.mayCollect,
            !node.endpoints.contains(where: { $0.session.isPeerSetBack }),
            node.reportsWhenCollecting != node.contents.reports
        else { return }
        world.violate(
            .bounds, about: Violation.Subject(at: node),
            "\(node.name) learnt what other devices have for good, and has not looked for tombstones since")
    }
}
