import BatonCore
import Support

/// The phases of a world's life, in order.
extension World {
    /// Lets apps write and faults happen.
    func trouble() {
        for step in 0..<profile.steps where violation == nil {
            let end = now + .milliseconds(profile.pace)
            planStep(step)
            neighbour?.planStep(step)
            if !play(until: end) { violate(.convergence, "too much happens at once") }
        }
    }

    /// Enters the events of the next step.
    private func planStep(_ step: Int) {
        for operation in Operation.allCases where profile[operation] > 0 {
            let concern = operation.rawValue
            let event = PlannedEvent(step, .operation(operation), in: self)
            align(.planning(event), concern)
            guard streams[concern].number(0...999) < profile[operation] else { continue }
            plan(event, concern) { self.perform(operation) }
        }
        for fault in Fault.allCases where fault.isOfWorld {
            let event = PlannedEvent(step, .fault(fault), in: self)
            align(.planning(event), fault.rawValue)
            guard happens(fault) else { continue }
            plan(event, fault.rawValue) { self.strike(fault) }
        }
        for link in links { tryToConnect(link, in: step) }
    }

    /// Enters an event of the present step, unless it is dropped.
    private func plan(_ event: PlannedEvent, _ concern: String, _ action: @escaping () -> Void) {
        let due = now + .milliseconds(streams[concern].number(0...profile.pace))
        guard takesPlace(event) else { return }
        enter(at: due) { [unowned self] in
            align(.happening(event), concern)
            action()
        }
    }

    private func tryToConnect(_ link: Link, in step: Int) {
        let event = PlannedEvent(step, .connection(link.one.number, link.two.number), in: self)
        align(.planning(event), "connecting")
        let isWanted = streams["connecting"].number(0...999) < profile.connecting
        guard isWanted, link.isUsable, link.open.isEmpty, takesPlace(event) else { return }
        link.connect(in: self)
    }

    /// Ends all faults, and brings all devices back.
    func heal() {
        tell("all heals")
        endFaults()
        endRubbish()
        for node in nodes { node.recover() }
        // Everyone sees the activities that apps begin from now on, whatever was written with other times.
        if profile[.strangeTime] > 0 { for node in nodes { node.apps?.beginAnew() } }
        for link in links {
            link.repair()
            // A side that still believes in a connection that the other one gave up finds out.
            for (one, two) in link.connections where one.isCut != two.isCut { one.cut() }
            link.proceed()
        }
        partFromOutcasts()
        setSomeClocksRight()
        // Some worlds lose every connection, so that all nodes meet anew, one after the other.
        if streams["phases"].chance(50), plays(.cutting) { cutAll() }
    }

    /// Where days pass, people set their clocks right in half of all worlds; in the others wrong clocks stay wrong.
    private func setSomeClocksRight() {
        guard profile[.day] > 0 else { return }
        var clocks = SeededGenerator(seed: seed, for: "clocks set right")
        guard clocks.chance(50), nodes.contains(where: { $0.clock.offset != .zero }) else { return }
        tell("people set their clocks right")
        for node in nodes { node.clock.offset = .zero }
    }

    /// Removes the faulty device, and declares every absent device gone.
    func endRubbish() {
        for node in nodes where node.isFaulty {
            remove(node)
        }
        dismiss(roster.subtracting(nodes.map(\.identity.device)))
    }

    func cutAll() {
        for node in nodes { for endpoint in node.endpoints { endpoint.cut() } }
    }

    /// Connects all devices that are not connected.
    func connectAll() {
        for link in streams["phases"].shuffled(links) where link.open.isEmpty && link.isUsable {
            link.connect(in: self)
            play(until: now + .milliseconds(streams["phases"].pick([0, 1, 10, 1000])))
        }
    }

    /// Lets writers write without rest; a write of one of them from the beginning must still reach everyone.
    ///
    /// This is not demanded if three or more machines have one identity and all of them stay connected. A snapshot from
    /// one of them starts over when another one connects, so that it may never end.
    func goOnWithoutRest() {
        tell("writers never rest")
        begin(.restless)
        connectAll()
        let author = streams["restless"].pick(honest)
        var probe: [Write] = []
        author.write(in: streams["restless"].pick(Lane.allCases), burst: 1) { probe = $0 }
        // A connection that carries one write at a time can't keep up with a write every 20 ms, and a stream that
        // never ends claims nothing.
        let pause = max(profile.batchBytes, profile.constants.sentBytes) < 1000 ? 10 : 1
        // A device that takes a snapshot from one of two machines with one identity starts over when the other one
        // connects, so that it takes longer there.
        let mustArrive = !hasThreeOfOneIdentity
        for step in 0..<(profile[.clone] > 0 && mustArrive ? 2500 : 500) where violation == nil {
            if step % pause == 0 { writeWithoutRest(PlannedEvent(step, .restlessWrite, in: self)) }
            play(until: now + .milliseconds(20))
            for link in links where link.open.isEmpty { link.connect(in: self) }
            if !probe.isEmpty, honest.allSatisfy({ node in probe.allSatisfy { node.has($0) } }) {
                marks[.restlessReached] += 1
                return
            }
        }
        if violation == nil, mustArrive, !probe.isEmpty {
            violate(
                .convergence, about: Violation.Subject(probe),
                "\(probe[0].told(in: self)) did not reach everyone while writers never rested")
        }
    }

    private var hasThreeOfOneIdentity: Bool {
        Dictionary(grouping: honest, by: \.identity.device).values.contains { $0.count >= 3 }
    }

    private func writeWithoutRest(_ event: PlannedEvent) {
        align(.happening(event), "restless")
        guard takesPlace(event) else { return }
        streams["restless"].pick(honest).write(in: streams["restless"].pick(Lane.allCases), burst: 1) { _ in }
    }

    /// All connect, come to rest, and are judged.
    func comeToRest() {
        begin(.rest)
        // A device that takes a snapshot from one of two machines with one identity starts over when the other one
        // connects, which can't finish it. Where all connect at once again and again, that takes a while. And a snapshot
        // may have to go from one device to the next, with a meeting for each.
        for round in 0..<(profile[.clone] > 0 ? 25 : max(5, nodes.count + 2)) where violation == nil {
            guard round < 5 || links.contains(where: { $0.open.isEmpty && $0.isUsable }) else { break }
            connectAll()
            guard play() else { return violate(.convergence, "the nodes never fall silent") }
        }
        // Only comparing brings back client states that a range took.
        if violation == nil, !isComparing, !statesGivenUp.isEmpty {
            tell("devices compare from now on, because a client state was given up")
            beginComparing()
            cutAll()
            return comeToRest()
        }
        takeOverStrays()
        judgeAtRest()
    }

    /// Lets nodes compare, which brings back client states that a range took.
    ///
    /// Before that they take over unclaimed writes of their own earlier lives, as they do with the reports of every
    /// day.
    private func takeOverStrays() {
        for _ in 0..<(profile.constants.adoptedWrites < 100 ? 30 : 3)
        where !statesGivenUp.isEmpty && nodes.contains(where: \.hasOwnStrays) && violation == nil {
            for node in nodes { node.report() }
            guard play() else { return violate(.convergence, "nodes that take over never fall silent") }
        }
    }

    /// Lets all nodes report, and checks that no tombstone is left then, and nothing comes back.
    func collectAll() {
        tell("all report, each when it is time")
        begin(.collecting)
        dismissAbsent()
        guard play() else { return violate(.convergence, "reporting nodes never fall silent") }
        // A device that takes over writes of one that is gone may begin anew, and closes its connections.
        for _ in 0..<5 where violation == nil && links.contains(where: { $0.open.isEmpty && $0.isUsable }) {
            connectAll()
            guard play() else { return violate(.convergence, "reporting nodes never fall silent") }
        }
        judgeAtRest()
        judgeReports()
        // Someone adopted the writes that gone devices left behind and those that a device lost itself, unless a life of theirs is later than any here.
        for node in nodes where violation == nil && node.endpoints.allSatisfy({ $0.session.isInStep }) {
            for lane in Lane.allCases {
                let strays = node.ask { (store) throws(StoreFailure) in
                    try store.strays(of: node.membership.gone.union([node.identity.device]), in: lane)
                }
                guard let stray = strays.first, nodes.count > 1 else { continue }
                violate(
                    .costFollowsChange, about: Violation.Subject([stray], at: node),
                    "\(node.name) keeps \(stray.told(in: self)), which nobody adopts")
            }
        }
        // A clear of a gone device is claimed by nobody, and tombstones wait for it.
        guard violation == nil, nodes.allSatisfy({ $0.isSettled && $0.canTrustReports }) else { return }
        for node in nodes {
            for tombstone in node.tombstones(coveredBy: [node.contents.complete]) {
                violate(
                    .bounds, about: Violation.Subject([tombstone], at: node),
                    "\(node.name) still has \(tombstone.told(in: self)), which all have for good")
            }
        }
    }

    /// Delivers claimed writes again, after the tombstone that ended them was collected: every node must ignore them.
    func hearAgain() {
        for node in honest where violation == nil && !node.isInSnapshot {
            for lane in Lane.allCases { sendClaimed(of: lane, to: node) }
        }
    }

    private func sendClaimed(of lane: Lane, to node: SimulatedNode) {
        let complete = node.contents.complete
        let claimed = ledger.entries.map(\.write).filter {
            $0.dot.origin.lane == lane && complete.covers($0.dot)
        }
        var again = StoreTransaction(lane: lane, writes: claimed, completing: VersionVector(), clock: .zero)
        again.sender = complete
        let commit = node.ask { (store) throws(StoreFailure) in try store.commit(again) }
        guard !commit.changed.isEmpty else { return }
        let writes = commit.changed.flatMap(\.survivingWrites)
        violate(
            .noResurrection, about: Violation.Subject(writes, at: node),
            "\(node.name) takes what it claims once more, and has \(writes.map { $0.told(in: self) })")
    }

    /// Checks that nodes that are in step and have reported know each other's reports; otherwise tombstones stay for
    /// good.
    private func judgeReports() {
        for node in nodes where !profile.hasRoster {
            let gone = node.contents.reports.sorted.map(\.device).first { !roster.contains($0) }
            guard let gone else { continue }
            return violate(
                .bounds, about: Violation.Subject(at: node),
                "\(node.name) still has reports of \(name(of: gone)), which is gone")
        }
        guard profile.oldNodes == 0 else { return }
        for teller in nodes {
            let device = teller.identity.device
            // An empty report is not stored.
            guard !teller.contents.complete.isEmpty else { continue }
            guard let report = teller.contents.reports[device] else {
                return violate(
                    .bounds, about: Violation.Subject(at: teller), "\(teller.name) never reported")
            }
            for node in nodes where node !== teller && report.isWithin(node.contents.complete) {
                let known = node.contents.reports[device] ?? VersionVector()
                guard report.isWithin(known) else {
                    return violate(
                        .bounds, about: Violation.Subject(at: node),
                        "\(node.name) does not know that \(teller.name) has for good: "
                            + report.beyond(known).told(in: self))
                }
            }
        }
    }

    /// Lets machines that were cloned while they ran find out, and spreads what both wrote in one life.
    func letTwinsMeet() {
        let refuses = streams["refusing twins"].chance(50)
        // A connection that its other end has left is only noticed by a write, so the last rounds bring none.
        for round in 0..<10 where violation == nil {
            // A disk refuses what follows from the discovery, and then works again.
            for node in nodes {
                node.refusals = refuses && round < 6 ? streams["refusing twins"].number(0...2) : 0
            }
            for node in nodes where round < 8 {
                for lane in Lane.allCases where streams["twins"].chance(50) {
                    node.write(in: lane, burst: 1) { _ in }
                }
            }
            connectAll()
            guard play() else { return violate(.convergence, "the nodes never fall silent") }
            for node in streams["phases"].shuffled(nodes) { node.report() }
            guard play() else { return violate(.convergence, "reporting nodes never fall silent") }
        }
        isEnding = true
        judgeAtRest()
        if violation == nil { stopTwins() }
    }

    /// Ends all processes in order, and begins others, which must go on with the lives of those; then days pass.
    private func stopTwins() {
        for node in honest { node.stopInOrder() }
        play()
        for node in honest { node.start() }
        guard violation == nil, profile[.day] > 0 else { return }
        isExpiring = true
        for _ in 0..<3 where violation == nil {
            skipped += WallTime.day * 2
            cutAll()
            connectAll()
            guard play() else { return violate(.convergence, "nodes never fall silent after some days") }
            for node in honest { node.considerSweep() }
            guard play() else { return violate(.convergence, "sweeping nodes never fall silent") }
        }
    }

    /// Checks that nodes in step send their first messages and nothing else, and then only a new write.
    func reconnect() {
        tell("all meet again")
        begin(.meeting)
        for isChanged in [false, true] where violation == nil {
            cutAll()
            guard play() else {
                return violate(.costFollowsChange, "nodes without connections never fall silent")
            }
            let cost = CostOfMeeting(in: self)
            if isChanged {
                streams["phases"].pick(honest).write(in: .index, burst: 1) { writes in
                    cost.changed.formUnion(writes.map(\.dot))
                }
                play()
            }
            // A node that has not reported its durable claims does so now.
            let checked = nodes.allSatisfy(\.isSettled) && (plays(.collecting) || !profile.collects)
            meter = checked ? cost : nil
            connectAll()
            guard play() else { return violate(.costFollowsChange, "nodes in step never fall silent") }
            meter = nil
            if checked { cost.judge(self) }
        }
    }
}

extension SimulatedNode {
    /// Whether devices still have what they reported; all others wait for a lost write that one reported.
    fileprivate var canTrustReports: Bool {
        let (reports, complete) = (contents.reports, contents.complete)
        return Set(world.nodes.map(\.identity.device)).union(world.profile.hasRoster ? [] : world.roster)
            .allSatisfy { reports[$0].map { $0.isWithin(complete) } ?? false }
    }
}

extension Fault {
    /// Whether it strikes the world by itself, and not during an operation.
    fileprivate var isOfWorld: Bool {
        switch self {
        case .failedGroup, .fullInSnapshot, .failedUpkeep, .loseSender: false
        case .clockBehindBatch: false
        default: true
        }
    }
}
