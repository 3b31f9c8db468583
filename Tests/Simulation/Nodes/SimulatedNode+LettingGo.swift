import BatonCore
import Support

/// Drives `LettingGo`, as the product's node does, and asks the store for it.
extension SimulatedNode {
    /// Gives letting go an event, and does what comes of it.
    func letGo(_ event: (inout LettingGo) -> Void) {
        guard isUp else { return }
        event(&letting)
        while let effect = letting.nextEffect() { perform(effect) }
        guard let deadline = letting.deadline, deadline != lettingDeadline else { return }
        lettingDeadline = deadline
        let run = run
        world.enter(at: max(deadline, world.now)) { [self] in
            guard run == self.run, lettingDeadline == deadline else { return }
            lettingDeadline = nil
            // While devices meet and one of them writes, nobody reports, so that only that write may be sent.
            guard !world.isMeeting else { return }
            later(0) { [self] in letGo { $0.handleDeadline(in: self, at: world.now) } }
        }
    }

    private func perform(_ effect: LettingGo.Effect) {
        switch effect {
        case .ask(let request): enter(.ask(request))
        case .report(let complete, let lane): enter(.report(complete, lane))
        case .tell(let reports): for endpoint in endpoints { endpoint.handle { $0.tellReports(reports) } }
        case .adopt(let writes, let lane): adopt(writes, in: lane)
        case .beginAnew:
            reported = VersionVector()
            world.noteLoss(at: self)
            begin(newLife())
            meetAnew()
        case .warn(let text): world.tell("\(name) says: \(text)")
        }
    }

    /// The time to report comes early.
    func report() {
        letGo {
            $0.handleCommit(at: world.now)
            $0.handleDeadline(in: self, at: world.now + world.limits.reportTime)
        }
    }

    /// A session opened.
    func handleOpening(of endpoint: Endpoint) {
        endpoint.session.tellReports(letting.reports)
        noteConnections()
    }

    /// Asks the store, and judges whether it may answer so.
    func answer(_ request: LettingGo.Request, _ group: inout Group) throws(StoreFailure) {
        var request = request
        if case .collect(var some) = request {
            some.most = generator.pick([1, 3, 1000])
            request = .collect(some)
        }
        let isTakingSnapshot = try isTakingSnapshot(request)
        let answer = try request.perform(on: store)
        switch answer {
        case .forgotten(givesUp: true, _), .abandoned(_, .some):
            if !isTakingSnapshot {
                world.violate(
                    .costFollowsChange, about: Violation.Subject(at: self),
                    "\(name) gives up all that it claims, and no snapshot was under way")
            }
            group.givesUp = true
        case .collected(let count) where count > 0: group.notices.append { self.noteLetGo(count) }
        case .reports(let known):
            group.notices.append { [self] in reported = known[identity.device] ?? reported }
        default: break
        }
        group.outcomes.append { self.letGo { $0.handle(answer, in: self) } }
    }

    /// Whether a device is sending a snapshot whose end the request gives up.
    private func isTakingSnapshot(_ request: LettingGo.Request) throws(StoreFailure) -> Bool {
        let senders: Set<DeviceIdentifier> =
            switch request {
            case .forget(let devices): devices
            case .abandonSnapshots(let device): [device]
            default: []
            }
        for device in senders where try !store.summary(for: device).snapshots.isEmpty { return true }
        return false
    }

    private func noteLetGo(_ count: Int) {
        world.tell("\(name) lets go of \(count) traces")
        world.marks[.tracesLetGo] += count
        if world.nodes.contains(where: { peer in
            peer !== self && !endpoints.contains { $0.peer === peer }
        }) {
            world.marks[.tracesLetGoWhileAway] += count
        }
    }

    /// Writes once more what devices of which nobody is left, and earlier lives of this one, wrote and lost.
    private func adopt(_ strays: [Write], in lane: Lane) {
        let latest = strays.map(\.dot.origin.life).max() ?? journal.life
        if latest >= journal.life { begin(newLife(after: latest.birth)) }
        guard let transaction = journal.adoption(of: strays, in: lane) else { return }
        world.tell("\(name) adopts \(transaction.writes.map { $0.told(in: world) })")
        world.marks[.adoptions] += transaction.writes.count
        enter(.write(transaction, Work.OwnWrite(isBatch: false, seen: known) { _ in }))
    }
}

extension SimulatedNode: AccountSurroundings {
    var waitedFor: Set<DeviceIdentifier>? {
        guard mayLetGo else { return nil }
        guard !endpoints.contains(where: { $0.session.isPeerSetBack }) else {
            waitedForSetBack = true
            return nil
        }
        return roster.subtracting([identity.device])
    }

    var isInStep: Bool { !endpoints.isEmpty && endpoints.allSatisfy { $0.session.isInStep } }
}
