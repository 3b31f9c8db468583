import BatonCore
import Support

/// Drives `Account`, as the product's node does.
extension SimulatedNode {
    /// Gives the account an event, and carries out the effects.
    @discardableResult
    func drive<Value>(_ event: (inout Account) -> Value) -> Value {
        let value = event(&account)
        guard !isDriving else { return value }
        isDriving = true
        while let effect = account.nextEffect() { perform(effect) }
        isDriving = false
        setAccountTimer()
        apps?.judge()
        return value
    }

    /// Called after a session has handled something or has ended.
    func handleProgress() {
        if account.awaitsStep { drive { $0.handleProgress(in: self) } }
    }

    /// Has the writes that the closure names sent and stored; returns false if they are beyond limits.
    @discardableResult
    func write(_ own: Work.OwnWrite, naming name: (inout Journal) -> StoreTransaction?) -> Bool {
        drive { account in
            let ticket = account.writing.write(durably: own.isBatch, naming: name)
            if let ticket { ownWrites[ticket] = own }
            return ticket != nil
        }
    }

    private func perform(_ effect: Account.Effect) {
        if !isUp, !effect.isDoneWhileEnding { return }
        switch effect {
        case .writing(let effect): perform(effect)
        case .activities(let effect): apps?.perform(effect)
        case .roster(.entered): isFirst = false
        case .roster(.returned(let devices)):
            world.tell("\(name) says that \(devices.map(world.name)) are back")
            world.marks[.returned] += devices.count
        case .roster(.warn(let text)): say(text)
        case .roster(.skip(let skipped)): skip(skipped)
        case .roster(.seek(let devices, let kept)): seek(devices, admissionsOf: kept)
        case .roster(.write), .roster(.waitForFewer), .roster(.waitForMore): break
        case .collector(let effect): perform(effect)
        case .expiry(.askSharedLives):
            demandClocksAgree()
            enter(.askSharedLives)
        case .expiry(.sweep(let request, let lane)): enter(.sweep(request, lane))
        case .settling(.settle(let lane, _)): settleSoon(lane)
        case .twin(let effect): world.noteTwin(effect, at: self)
        case .quarantine(.quarantined(let write)): say("a write was set aside: \(write.reason)")
        case .quarantine(.void(let device)): world.tell("\(name) drops what \(world.name(of: device)) forged")
        case .quarantine(.refuse(let device)):
            world.tell("\(name) has got very many forgeries from \(world.name(of: device))")
        case .contacts(.keep(let note)): contactNotes.append(note)
        case .expiry(.tell(let text)), .expiry(.warn(let text)), .settling(.warn(let text)),
            .contacts(.warn(let text)):
            say(text)
        }
    }

    private func perform(_ effect: Writing.Effect) {
        switch effect {
        case .tellAhead(let transaction): tellAhead(transaction)
        case .keep(let transaction, let ticket, _):
            let own =
                ownWrites.removeValue(forKey: ticket) ?? publishing(ticket)
                ?? Work.OwnWrite(isBatch: false, seen: known, isOfAccount: true) { _ in }
            if transaction.isAdoption {
                world.tell("\(name) adopts \(transaction.writes.map { $0.told(in: world) })")
                world.marks[.adoptions] += transaction.writes.count
            }
            #if MISTAKES
                if Faults.isPlanted(.acknowledgedBeforeWrite) { acknowledge(transaction) }
                if Faults.isPlanted(.stagedRowsTakeDots), own.isBatch {
                    return later(generator.number(0...100)) { [self] in
                        enter(.write(transaction, own, ticket))
                    }
                }
            #endif
            enter(.write(transaction, own, ticket))
        case .begin(let life):
            note(life)
            demandLater(life)
            for lane in Lane.allCases { enter(.witness(nil, lane)) }
        case .witness(let life): for lane in Lane.allCases { enter(.witness(life, lane)) }
        case .beginOrder(let order):
            isOrderAsked = true
            enter(.beginOrder(order))
        case .meetAnew: meetAnew()
        case .refused(let failure): say("could not save a change: \(failure)")
        case .tell(let text), .warn(let text): say(text)
        }
    }

    private func perform(_ effect: TombstoneCollector.Effect) {
        switch effect {
        case .ask(let request):
            if case .collect = request { waitedFor = world.roster }
            enter(.ask(request))
        case .report(let complete, let lane): enter(.report(complete, lane))
        case .tell(let reports): for endpoint in endpoints { endpoint.tell(reports) }
        case .beginAnew:
            reported = VersionVector()
            world.noteLoss(at: self)
        case .adopt: break
        case .warn(let text): say(text)
        }
    }

    private func say(_ text: String) { world.tell("\(name) says: \(text)") }

    /// Continues the remaining work of a lane, at once or after a while, as a busy machine does.
    private func settleSoon(_ lane: Lane) {
        guard !world.isHealed, world.streams["settling"].chance(20) else { return enter(.settle(lane)) }
        later(world.streams["settling"].number(1...20) * world.profile.pace) { [self] in
            enter(.settle(lane))
        }
    }

    private func setAccountTimer() {
        guard isUp, let deadline = account.deadline, deadline != accountDeadline else { return }
        accountDeadline = deadline
        let run = run
        world.enter(at: max(deadline, world.now)) { [self] in
            guard run == self.run, accountDeadline == deadline else { return }
            accountDeadline = nil
            // While devices meet and one of them writes, nobody reports, so that only that write may be sent.
            guard !world.isMeeting else { return publishDue() }
            later(0) { [self] in
                world.tell("\(name) reaches its own deadline: \(toldDeadlines(until: clocks.steady))")
                drive { $0.handleDeadline(in: self) }
            }
        }
    }

    /// Publishes the changes of activities whose time has come, and does nothing else.
    private func publishDue() {
        guard let due = account.activities.deadline, due <= clocks.steady else { return }
        let clocks = clocks
        drive { $0.activities.handleDeadline(at: clocks) }
    }

    /// Returns the write of an activity's change, if that is under way with this ticket.
    private func publishing(_ ticket: Writing.Ticket) -> Work.OwnWrite? {
        guard let name = account.publishing[ticket] else { return nil }
        return apps?.ownWrite(of: name)
    }

    /// Brings the time to report forward.
    func report() {
        drive { $0.report() }
    }

    /// Has all connections take the frames that wait, as they do before anything that does not come from the store.
    func takeLateFrames() { for endpoint in endpoints { endpoint.takeLateFrames() } }

    /// A session opened.
    func handleOpening(of endpoint: Endpoint) {
        endpoint.watched.reportsToPass.join(account.collector.reports)
        endpoint.session.tellReports(account.collector.reports)
        noteConnections()
    }

    /// Asks the store, and judges whether it may answer so.
    func answer(_ request: TombstoneCollector.Request, _ group: inout Group) throws(StoreFailure) {
        var request = request
        if case .collect(var some) = request {
            let drawn = generator.pick([1, 3, 1000])
            some.most = world.profile.constants.stepRecords ?? drawn
            request = .collect(some)
            reportsWhenCollecting = contents.reports
        }
        let isTakingSnapshot = try isTakingSnapshot(request)
        let (claimed, dropped) = (contents.complete, contents.dropped)
        let answer = try request.perform(on: store)
        if case .forget(let gone) = request {
            // A device that comes back is known anew.
            for endpoint in endpoints { endpoint.watched.reportsToPass.forget(gone) }
        }
        switch answer {
        case .forgotten(givesUp: true, _), .abandoned(_, .some):
            if !isTakingSnapshot {
                world.violate(
                    .costFollowsChange, about: Violation.Subject(at: self),
                    "\(name) gives up all that it claims, and no snapshot was under way")
            }
            group.claimedBefore = claimed
        case .collected(let count) where count > 0:
            demandReported(contents.dropped.beyond(dropped), for: waitedFor)
            group.notices.append { self.noteCollected(count) }
        case .reports(let known):
            group.reports = known
            group.notices.append { [self] in reported = known[identity.device] ?? reported }
        case .forgotten(_, let known), .kept(let known): group.reports = known
        default: break
        }
        group.outcomes.append { self.drive { $0.handleAnswer(answer, in: self) } }
    }

    /// Returns whether a device whose snapshot the request gives up is still sending it.
    private func isTakingSnapshot(_ request: TombstoneCollector.Request) throws(StoreFailure) -> Bool {
        let senders: Set<DeviceIdentifier> =
            switch request {
            case .forget(let devices): devices
            case .abandonSnapshots(let device): [device]
            default: []
            }
        for device in senders where try !store.summary(for: device).snapshots.isEmpty { return true }
        return false
    }

    private func noteCollected(_ count: Int) {
        world.tell("\(name) collects \(count) tombstones")
        world.marks[.tombstonesCollected] += count
        if world.nodes.contains(where: { peer in
            peer !== self && !endpoints.contains { $0.peer === peer }
        }) {
            world.marks[.tombstonesCollectedWhileAway] += count
        }
    }
}

extension SimulatedNode: AccountDriver {
    var isSomeoneSetBack: Bool {
        let isSomeone = endpoints.contains { $0.session.isPeerSetBack }
        if isSomeone { waitedForSetBack = true }
        return isSomeone
    }

    /// How long the person keeps expired items, or nil where no days pass, so that nothing is swept.
    ///
    /// The final writes count things beside expired ones, as no device does.
    var keepingExpired: Duration? {
        world.profile[.day] > 0 && (!world.isHealed || world.isExpiring)
            ? WallTime.day * Int(1 + identity.device.low % 3) : nil
    }

    var clocks: Clocks { Clocks(wall: wallTime, steady: world.now + world.skipped) }

    var isInStep: Bool { !endpoints.isEmpty && endpoints.allSatisfy { $0.session.isInStep } }
}

extension StoreTransaction {
    /// Whether it names lost writes once more.
    fileprivate var isAdoption: Bool { writes.contains { $0.stamp.life < $0.dot.origin.life } }
}
