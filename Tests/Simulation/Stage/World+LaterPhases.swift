import BatonCore
import Support

/// The last phases of a world's life.
///
/// Each is played in some worlds only, and draws from a stream of its own, so that all worlds are before it as they were
/// without it.
extension World {
    func playLaterPhases() {
        let phases: KeyValuePairs = [
            Phase.restarting: restartAll, .late: comeLate, .unreadable: sendUnreadable,
            .quarantining: mergeOverUnreadable, .refusingAccounts: refuseAccounts,
        ]
        for (phase, body) in phases
        where violation == nil && plays(phase) && streams[phase.rawValue].chance(chance(of: phase)) {
            begin(phase)
            body()
        }
    }

    /// How many worlds in a hundred play a phase.
    private func chance(of phase: Phase) -> Int {
        switch phase {
        case .quarantining: 20
        // Most where stores are lost, and devices are revoked and removed.
        case .refusingAccounts: profile.hasRoster || profile[.restore] > 0 ? 60 : 10
        default: 40
        }
    }

    // MARK: Restarting

    /// Ends processes while something is left to be done for a clear, and then all processes in order.
    ///
    /// The next ones must do the rest, although nothing else happens, and must go on with the lives of those that ended in
    /// order.
    private func restartAll() {
        let stream = Phase.restarting.rawValue
        tell("processes end while clears are left to be carried out")
        for node in honest {
            let lane = streams[stream].pick(Lane.allCases)
            let scope = streams[stream].scope()
            let key = streams[stream].key(lane, of: profile.keys)
            node.write(lane, [Journal.Draft(.full(Write.Content(scope: scope, fields: Fields())), key)])
            node.write(
                lane, [Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: lane))]
            ) { [unowned self] _ in crash(node, leaving: lane) }
        }
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        comeToRest()
        guard violation == nil else { return }
        tell("all processes end in order")
        for node in honest { node.stopInOrder() }
        play()
        for node in honest { node.start() }
        if violation == nil { comeToRest() }
    }

    /// Ends a process once the present step is done, and starts another one.
    private func crash(_ node: SimulatedNode, leaving lane: Lane) {
        let run = node.run
        enter(at: now) { [unowned self] in
            guard run == node.run, node.isUp else { return }
            let left = node.ask { (store) throws(StoreFailure) in try store.lane(lane).unsettled() }
            if left != Unsettled() { marks[.settledByNext] += 1 }
            node.crash()
            enter(at: now + .milliseconds(max(1, profile.pace))) { node.start() }
        }
    }

    // MARK: Coming back late

    /// Has a device join while another one is away, and that one come back while the new device is away.
    ///
    /// All devices that are there must enter it, although disks refuse that once, and the late one must learn of it and of
    /// what it reported.
    private func comeLate() {
        let stream = Phase.late.rawValue
        let candidates = honest.filter { canSpare($0) && isOnly($0) }
        guard profile.hasRoster, profile.collects, honest.count < Self.devicesMost, canInvite,
            !candidates.isEmpty
        else { return }
        let late = streams[stream].pick(candidates)
        tell("\(late.name) goes away")
        leave(late)
        let new = join()
        tell("\(new.name) joins")
        connect(honest.filter { $0 !== late })
        for node in honest where node !== new {
            node.entryRefusals = streams[stream].number(0...1)
        }
        connectAll()
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        connectAll()
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        for node in honest { node.entryRefusals = 0 }
        judgeMembership(of: new, but: late)
        for lane in Lane.allCases {
            let key = streams[stream].key(lane, of: profile.keys)
            new.write(lane, [Journal.Draft(.full(Write.Content(fields: Fields())), key)])
        }
        guard play() else { return violate(.convergence, "reporting nodes never fall silent") }
        tell("\(new.name) goes away, and \(late.name) comes back")
        leave(new)
        late.isAway = false
        late.refusals = streams[stream].number(0...2)
        connect(honest.filter { $0 !== new })
        connectAll()
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        late.refusals = 0
        judgeReport(of: new, at: late)
        new.isAway = false
        // The owner that admitted the new device may have been revoked before.
        partFromOutcasts()
        if violation == nil, honest.count > 1 { comeToRest() }
    }

    private func leave(_ node: SimulatedNode) {
        node.isAway = true
        for endpoint in node.endpoints { endpoint.cut() }
    }

    /// Checks that all devices which were there wait for a device that joined, unless its owner was revoked before.
    private func judgeMembership(of new: SimulatedNode, but late: SimulatedNode) {
        guard let chain = new.papers?.chain else { return }
        var roster = everyStatement
        roster.add(chain, by: authority)
        let device = new.identity.device
        guard roster.isMember(device) else { return }
        for node in honest where node !== late && node !== new && !node.roster.contains(device) {
            violate(
                .convergence, about: Violation.Subject(at: node),
                "\(new.name) joined, and \(node.name) does not know that it is a member")
        }
    }

    /// Checks that a device knows what another one reported, as all the others do.
    private func judgeReport(of new: SimulatedNode, at late: SimulatedNode) {
        let device = new.identity.device
        guard violation == nil, let report = new.contents.reports[device],
            report.isWithin(late.contents.complete), late.roster.contains(device),
            honest.allSatisfy({
                $0 === late || report.isWithin($0.contents.reports[device] ?? VersionVector())
            })
        else { return }
        marks[.cameLate] += 1
        let known = late.contents.reports[device] ?? VersionVector()
        guard !report.isWithin(known) else { return }
        violate(
            .bounds, about: Violation.Subject(at: late),
            "\(late.name) came back and does not know that \(new.name) has for good: "
                + report.beyond(known).told(in: self))
    }

    // MARK: Unreadable writes

    /// Has a device quarantine a write that it can't read, which something later overwrites.
    private func sendUnreadable() {
        let stream = Phase.unreadable.rawValue
        let node = streams[stream].pick(honest)
        guard let peer = honest.first(where: { $0.identity.device != node.identity.device }) else { return }
        let lane = streams[stream].pick(Lane.allCases)
        let key = Self.unreadableKey(in: lane)
        let life: Life = streams[stream].identifier()
        var transaction = StoreTransaction(lane: lane, writes: [], completing: VersionVector())
        let dot = Dot(origin: Origin(life: life, lane: lane), sequence: 1)
        transaction.quarantined = [
            QuarantinedWrite(
                dot: dot,
                target: QuarantinedWrite.Target(
                    identity: key.identity, incarnation: Stamp(time: .zero, life: life)),
                reason: "of another version", peer: peer.identity.device)
        ]
        tell("\(node.name) gets a write that it can't read")
        node.enter(
            .write(transaction, SimulatedNode.Work.OwnWrite(isBatch: false, seen: node.known) { _ in }, nil))
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        let quarantined = node.ask { (store) throws(StoreFailure) in try store.quarantined() }
        marks[.unreadable] += quarantined.count
        judgeAtRest()
        node.write(lane, [Journal.Draft(.full(Write.Content(fields: Fields())), key)])
        if violation == nil { comeToRest() }
        let left = node.ask { (store) throws(StoreFailure) in try store.quarantined() }
        if violation == nil, left.contains(where: { $0.dot == dot }) {
            violate(
                .unknownIsKept, about: Violation.Subject(records: [key.identity], at: node),
                "\(node.name) still quarantines a write that was overwritten")
        }
    }

    /// Returns the key of a record that nobody else writes.
    private static func unreadableKey(in lane: Lane) -> RecordKey {
        RecordKey(kind: RecordKind(rawValue: 8 + UInt64(lane.rawValue)), parts: 1) { $0.unsigned(1 << 31) }
    }

    // MARK: Being alone

    /// Has all devices but one go for good, and checks that what has expired there goes, too.
    func expireAlone() {
        guard !profile.hasRoster, let node = honest.first(where: isOnly) else { return }
        begin(.alone)
        tell("\(node.name) is left alone")
        for other in nodes where other !== node { remove(other) }
        dismiss(roster.subtracting([node.identity.device]))
        let name = ItemName(app: "org.expiring", index: "i", identifier: "alone")
        var item = Item(domain: nil)
        item.expiration = node.wallTime.advanced(by: .seconds(3600))
        node.write(.index, [Journal.Draft(.full(item.content(name)), name.key)])
        isExpiring = true
        // A clock that was set is trusted a day later.
        for _ in 0..<2 {
            guard play() else { return violate(.convergence, "a lone node never falls silent") }
            skipped += WallTime.day * 5
            node.considerSweep()
        }
        guard play() else { return violate(.convergence, "a lone node never falls silent") }
        if node.contents.record(name.key.identity)?.isThere == true {
            violate(
                .bounds, about: Violation.Subject(records: [name.key.identity], at: node),
                "\(node.name) is alone, and still has what expired long ago")
        }
    }
}
