import BatonCore
import Support

/// A phase of a world's life in which one device does not recover, and all the others must work without it.
extension World {
    /// How long writers go on: longer than a silent connection may last and the attempt after it takes.
    private var enduringTime: Duration {
        limits.acknowledgingTime + limits.openingTime + limits.closingTime + .seconds(5)
    }

    /// How long the others may take to agree once nobody writes; refused writes are tried again within that time.
    private var agreeingTime: Duration { .seconds(30) + limits.retryPause.upperBound * 2 }

    /// Lets all but one device recover.
    ///
    /// The others must agree, acknowledge new writes, collect tombstones that all have, and drop every connection over
    /// which nothing comes.
    func endure(_ fault: LastingFault) {
        begin(.enduring)
        if profile.hasRoster {
            endFaults()
            endRubbish()
            // A device that stands still may have revoked another one, and not said so yet.
            for node in nodes { node.recover() }
            partFromOutcasts()
        }
        let candidates = honest.filter { canSpare($0) && areMembers(without: $0) }
        guard !candidates.isEmpty else { return }
        let victim = streams["lasting"].pick(candidates)
        tell("\(victim.name) does not recover: \(fault); all others do")
        marks[.lasting] += 1
        endFaults()
        endRubbish()
        let others = honest.filter { $0 !== victim }
        for node in others { node.recover() }
        connect(others)
        for link in links where !link.concerns(victim) { link.repair() }
        afflict(victim, with: fault)
        for link in links { link.proceed() }
        let judged = fault.takesPart ? honest : others
        let probes = Probes()
        // Each connection therefore has something in transit from the beginning.
        for node in judged { probes.write(at: node) }
        let before = victim.connectionsOfPeers
        let (end, report) = (now + enduringTime, profile.collects)
        while now < end, violation == nil {
            if streams["lasting"].chance(10) { probes.write(at: streams["lasting"].pick(judged)) }
            if fault == .full, streams["lasting"].chance(5) { probes.tryToWrite(at: victim) }
            if report, streams["lasting"].chance(5) { streams["lasting"].pick(judged).report() }
            // An activity that was taken over by a clock years back counts as long forgotten elsewhere.
            if profile[.goOn] > 0, streams["lasting"].chance(5) { streams["lasting"].pick(judged).goOn() }
            goOn(for: .seconds(1))
        }
        if fault.isSilent { judgeConnections(of: victim, before) }
        // Machines with one identity take turns, and need to meet again and again to agree.
        if hasTwins { return judgeAnswers(probes, without: victim, fault) }
        let rest = now + agreeingTime
        while now < rest, violation == nil { goOn(for: .seconds(1)) }
        if violation == nil { judge(judged, probes, without: victim, fault) }
        if violation == nil, report { judgeCollection(judged) }
    }

    /// Strikes the one device with the lasting fault.
    private func afflict(_ victim: SimulatedNode, with fault: LastingFault) {
        if fault != .gone {
            victim.recover()
            for link in links where link.concerns(victim) { link.repair() }
        }
        switch fault {
        case .full: victim.isFull = true
        case .stuck: victim.isStuck = true
        case .still: victim.pause()
        case .mute, .deaf:
            victim.silence = fault
            for (one, two) in links.filter({ $0.concerns(victim) }).flatMap(\.open) {
                for end in [one, two] { end.isStuck = end.isSilenced }
            }
        case .gone:
            victim.isAway = true
            for endpoint in victim.endpoints { endpoint.cut() }
        case .clock:
            victim.clock.offset = .seconds(31_557_600) * streams["lasting"].pick([10, -10])
        }
    }

    /// Lets time pass; devices that have lost a connection look for another.
    private func goOn(for time: Duration) {
        for link in links where link.open.isEmpty && link.isUsable { link.connect(in: self) }
        if !play(until: now + time) { violate(.convergence, "too much happens at once") }
    }

    /// Checks that every connection that was open before is over by now: its bytes were never acknowledged.
    private func judgeConnections(of victim: SimulatedNode, _ before: [Endpoint]) {
        for endpoint in before where !endpoint.isCut {
            // Nothing is in transit to a device that lacks nothing, so that its silence does not show.
            guard endpoint.session.backlog()?.toSend ?? 1 > 0 else { continue }
            violate(
                .convergence, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.node.name) still waits for \(victim.name), which has been silent for \(enduringTime)"
            )
        }
    }

    /// How long the others had, as a sentence says it.
    private func patience(with victim: SimulatedNode, _ fault: LastingFault) -> String {
        "\(agreeingTime) after the last write, while \(victim.name) stays as it is (\(fault))"
    }

    /// Checks that every writer was told whether its write is stored.
    private func judgeAnswers(_ probes: Probes, without victim: SimulatedNode, _ fault: LastingFault) {
        guard let node = probes.unanswered.first else { return }
        violate(
            .acknowledgedIsKept, about: Violation.Subject(at: node),
            "\(node.name) has not said whether it keeps a write, \(patience(with: victim, fault))")
    }

    /// Checks that the others have each other's writes, and know that they agree.
    private func judge(
        _ others: [SimulatedNode], _ probes: Probes, without victim: SimulatedNode, _ fault: LastingFault
    ) {
        let patience = patience(with: victim, fault)
        judgeAnswers(probes, without: victim, fault)
        // A device in the middle of a snapshot from a silent one gives no snapshot to others until it has the end, or
        // its person declares the other device gone.
        guard !others.contains(where: \.isInSnapshot) else {
            return tell("a snapshot of \(victim.name) has not come to its end")
        }
        for write in probes.acknowledged {
            for node in others where !node.has(write) {
                violate(
                    .convergence, about: Violation.Subject([write], at: node),
                    "\(write.told(in: self)) has not reached \(node.name), \(patience)")
            }
        }
        let claims = others.map(\.contents.complete)
        for (node, claim) in zip(others, claims) where claim != claims[0] {
            violate(
                .convergence, about: Violation.Subject(at: node),
                "\(node.name) and \(others[0].name) do not claim the same, \(patience)")
        }
        for node in others {
            for endpoint in node.endpoints
            where others.contains(where: { $0 === endpoint.peer }) && !endpoint.session.isClosed
                && !endpoint.session.isInStep
            {
                violate(
                    .convergence, about: Violation.Subject(at: node),
                    "\(node.name) does not know that it is in step with \(endpoint.peer.name), \(patience)")
            }
        }
        guard others.allSatisfy(\.isSettled) else { return }
        let expected = others[0].visible
        for node in others {
            // A client state that a range removed comes back only with the next comparison.
            let different = expected.differences(from: node.visible).subtracting(statesGivenUp)
            guard !different.isEmpty else { continue }
            let records = different.sorted()
            violate(
                .convergence, about: Violation.Subject(records: records, at: node),
                "\(node.name) and \(others[0].name) show something else in \(records.map(\.told)), \(patience): "
                    + "\(node.told(records[0], in: self)) and \(others[0].told(records[0], in: self))"
            )
        }
    }

    /// Checks that the others collect every tombstone that each device, including the absent one, has reported as
    /// durable.
    private func judgeCollection(_ others: [SimulatedNode]) {
        for node in others { node.waitedForSetBack = false }
        for _ in 0..<3 {
            for node in others { node.report() }
            goOn(for: .seconds(5))
        }
        // The connection may be over by now, and a machine with the same identity may have reported.
        for node in others where !node.waitedForSetBack {
            let (contents, roster) = (node.contents, node.roster)
            let reports = roster.compactMap { contents.reports[$0] }
            guard node.membership.mayCollect, node.isSettled, reports.count == roster.count,
                reports.allSatisfy({ $0.isWithin(contents.complete) })
            else { continue }
            for tombstone in node.tombstones(
                coveredBy: reports.map(ledger.lineage.expanded) + [contents.complete])
            {
                violate(
                    .bounds, about: Violation.Subject([tombstone], at: node),
                    "\(node.name) still has \(tombstone.told(in: self)), which all have said to have for good"
                )
            }
        }
    }
}

extension SimulatedNode {
    /// The writes of one record, as a story shows them.
    fileprivate func told(_ identity: RecordIdentity, in world: World) -> [String] {
        contents.record(identity)?.survivingWrites.map { $0.told(in: world) } ?? []
    }
}

/// Writes made while one device does not recover, and the answers to them.
private final class Probes {
    private(set) var acknowledged: [Write] = []
    private var waiting: [Int: SimulatedNode] = [:]
    private var count = 0

    /// The nodes at which a writer still waits for an answer.
    var unanswered: [SimulatedNode] { waiting.sorted { $0.key < $1.key }.map(\.value) }

    /// Writes at a node that works and must store the write.
    func write(at node: SimulatedNode) {
        write(at: node) { [self] writes in acknowledged += writes }
    }

    /// Writes at a node that may refuse the write, and must report that.
    func tryToWrite(at node: SimulatedNode) { write(at: node) { _ in } }

    private func write(at node: SimulatedNode, then: @escaping ([Write]) -> Void) {
        let world = node.world
        let lane = world.streams["lasting"].pick(Lane.allCases)
        let draft = Journal.Draft(
            .full(Write.Content(fields: Fields())), world.streams["lasting"].key(lane, of: world.profile.keys)
        )
        count += 1
        let number = count
        waiting[number] = node
        node.write(lane, [draft]) { [self] writes in
            waiting[number] = nil
            then(writes)
        } failed: { [self] _ in
            waiting[number] = nil
        }
    }
}

extension SimulatedNode {
    /// Removes every fault of the device.
    func recover() {
        (isAway, isFull, isStuck, silence) = (false, false, false, nil)
        if holdsIndex { holdsIndex = false }
        resume()
        start()
    }

    /// Returns the tombstones here that every one of those vectors covers, without those that wait for others.
    ///
    /// It does not ask `Record.tombstone`, by which nodes collect: a mistake there would stay unseen here, too.
    func tombstones(coveredBy vectors: [VersionVector]) -> [Write] {
        Lane.allCases.flatMap { tombstones(of: $0, coveredBy: vectors) }
    }

    private func tombstones(of lane: Lane, coveredBy vectors: [VersionVector]) -> [Write] {
        let isCovered = { (tombstone: Write) in vectors.allSatisfy { $0.covers(tombstone.dot) } }
        let writes = contents.allRecords.filter { $0.identity.kind.lane == lane }.flatMap(\.survivingWrites)
        let clears = writes.filter { $0.identity.kind.isClear && $0.isFull }
        // The deletions that a clear left bear the dots of the cleared writes, which others may have without the clear.
        let last = clears.filter { !isCovered($0) }.map(\.stamp.time).max() ?? .zero
        let isRemovable = { (write: Write) in
            isCovered(write) && write.isCollectable && write.stamp.time > last
        }
        let deletions = writes.filter { $0.action == .deletion }
        // So a clear stays as long as a deletion that it may have left.
        let left = deletions.filter { !isRemovable($0) }.map(\.stamp.time).min()
        let kept = contents.unseenClears
        return deletions.filter(isRemovable)
            + clears.filter { clear in
                isCovered(clear) && clear.isCollectable && !kept.contains(clear.identity)
                    && left.map { clear.stamp.time < $0 } ?? true
            }
    }

    /// The other sides of its connections that have not given them up.
    fileprivate var connectionsOfPeers: [Endpoint] {
        world.links.filter { $0.concerns(self) }.flatMap(\.connections).flatMap { [$0.0, $0.1] }
            .filter { $0.peer === self && !$0.isCut }
    }
}

extension [RecordIdentity: [FieldName: [UInt8]]] {
    /// Returns the records that only one of the two has, or that have other fields.
    fileprivate func differences(from other: Self) -> Set<RecordIdentity> {
        Set(keys).union(other.keys).filter { self[$0] != other[$0] }
    }
}
