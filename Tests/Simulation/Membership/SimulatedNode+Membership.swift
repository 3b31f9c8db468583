import BatonCore
import Support

/// What a device of a world with a roster knows of who belongs to the account, and what it holds itself.
struct Belonging {
    var membership: Membership
    /// The owner whose key this machine has, if it has one.
    let owner: OwnerIdentifier?
    /// What it was let in by, or says to have been.
    let chain: RosterStatement
    /// The chains by which this process let others in, and which were news.
    var shown: [RosterStatement] = []
    /// What is being said of others, and was not refused by the disk.
    var saying: Set<RecordIdentity> = []
}

/// How a node asks who belongs to the account: as the product's does, by `Membership`.
extension SimulatedNode {
    /// The devices for which it keeps traces.
    var roster: Set<DeviceIdentifier> { belonging?.membership.waitedFor ?? world.roster }

    /// The devices that are no part of the account, or gone, as far as it knows.
    var gone: Set<DeviceIdentifier> {
        belonging?.membership.gone ?? world.members.subtracting(world.roster)
    }

    /// Whether it knows enough of the account to let anything go.
    var mayLetGo: Bool { belonging?.membership.mayLetGo ?? true }

    /// What of the reports that a peer told is kept.
    func heeded(_ reports: Reports) -> Reports {
        belonging?.membership.take(reports) ?? reports.of(world.roster.subtracting([identity.device]))
    }

    /// What was told before, and is to be kept by now.
    var heeded: Reports { belonging?.membership.heeded ?? Reports() }

    /// The process has begun: it reads what its store knows.
    func readMembership() {
        guard belonging != nil else { return }
        var membership = Membership(own: identity.device)
        let records = [RecordKind.rosterStatement, .device].flatMap { kind in
            ask { (store) throws(StoreFailure) in try store.records(of: kind) }
        }
        for record in records { membership.take(record, by: world.authority) }
        belonging?.membership = membership
        belonging?.shown = []
        belonging?.saying = []
        world.noteStatements(contents.statements, at: self, isAnew: true)
        sayOwn()
    }

    /// Says what nobody may have said yet, or what a disk lost: its own chain, which is an admission, too, those of whom
    /// it let in, and that devices are not gone which are here.
    func sayOwn() {
        guard let belonging, world.nodes.contains(where: { $0 === self }) else { return }
        if case .admission(let admission) = world.authority.verify(belonging.chain),
            !belonging.membership.roster.contains(admission)
        {
            write(.activities, [.statement(belonging.chain)])
        }
        for statement in belonging.shown { sayIfMissing(.statement(statement)) }
        for endpoint in endpoints where endpoint.session.isOpen { enterRecord(of: endpoint.peer) }
        for device in belonging.membership.returned {
            guard let record = contents.record(Device.key(device).identity),
                let draft = Device.draft(removed: nil, in: record)
            else { continue }
            world.tell("\(name) says that \(world.name(of: device)) is back")
            world.marks[.returned] += 1
            write(.activities, [draft])
        }
    }

    /// Some work was kept: before anything else is done, the roster hears of it.
    func learn(_ records: [Record], by clock: HybridTime) {
        guard belonging != nil, isUp else { return }
        // What is said in answer must be later than what it answers.
        drive { $0.writing.witness(clock) }
        let before = roster
        world.noteStatements(records.compactMap(\.statement), at: self, isAnew: false)
        var isNews = false
        for record in records {
            if belonging?.membership.take(record, by: world.authority) ?? false { isNews = true }
        }
        guard isNews else { return }
        endRefused()
        considerWaiting(before)
    }

    /// Ends the sessions that the roster does not allow any more, with all that they have on the way; what was asked by
    /// sessions that have ended is not done, either.
    private func endRefused() {
        for case .request(_, let endpoint, _) in work
        where belonging?.membership.refusal(of: endpoint.peer.identity.device) != nil {
            endpoint.failedLanes = Set(Lane.allCases)
        }
        work.removeAll(where: \.isInVain)
        for endpoint in endpoints {
            guard let reason = belonging?.membership.refusal(of: endpoint.peer.identity.device) else {
                continue
            }
            world.tell("\(name) ends a session with \(endpoint.peer.name): \(reason)")
            world.marks[.sessionsEndedByRoster] += 1
            endpoint.failedLanes = Set(Lane.allCases)
            endpoint.cut()
        }
    }

    /// Whether a peer that is at the door is let in.
    func letsIn(_ peer: SimulatedNode) -> Bool {
        guard belonging != nil, peer.belonging != nil else { return true }
        // Who is refused with one chain tries the next.
        return peer.ownChains.contains { letsIn(peer, showing: $0) }
    }

    private func letsIn(_ peer: SimulatedNode, showing shown: RosterStatement) -> Bool {
        let before = roster
        if case .admission(let admission) = world.authority.verify(shown),
            admission.device == peer.identity.device
        {
            world.noteStatements([shown], at: self, isAnew: false)
        }
        switch belonging?.membership.meet(peer.identity.device, showing: shown, by: world.authority) {
        case .refused(let reason):
            world.tell("\(name) does not let \(peer.name) in: \(reason)")
            world.marks[.refusedByRoster] += 1
            return false
        case .welcome(let entering?):
            belonging?.shown.append(entering)
            sayIfMissing(.statement(entering))
            considerWaiting(before)
        case .welcome, nil: break
        }
        enterRecord(of: peer)
        return true
    }

    /// The chains that it can show, the best first; if it knows of none that counts, the one that it came with.
    private var ownChains: [RosterStatement] {
        guard let belonging else { return [] }
        let known = belonging.membership.roster.admissions(of: identity.device, at: wallTime)
        return known.isEmpty ? [belonging.chain] : known.map(\.statement)
    }

    /// A session opened or ended.
    func noteConnections() {
        guard belonging != nil, isUp else { return }
        let before = roster
        belonging?.membership.connected = Set(
            endpoints.filter { $0.session.isOpen }.map(\.peer.identity.device))
        considerWaiting(before)
    }

    /// Forgets whom it waits for no longer, minds whom it waits for now, and says of who is here that it is not gone.
    private func considerWaiting(_ before: Set<DeviceIdentifier>) {
        sayOwn()
        let roster = roster
        if !roster.isSubset(of: before) { drive { $0.collector.heed(in: self) } }
        guard !before.isSubset(of: roster) else { return }
        drive { $0.collector.forgetGone(in: self) }
    }

    /// Enters a device in the account that has no record there.
    private func enterRecord(of peer: SimulatedNode) {
        let device = peer.identity.device
        guard let membership = belonging?.membership, membership.roster.isMember(device),
            !membership.hasRecord(device)
        else { return }
        sayIfMissing(.device(Device(identifier: device, name: peer.name, admitted: wallTime)))
    }

    /// Enters what has no record yet, once unless the disk refuses it.
    private func sayIfMissing(_ draft: Journal.Draft) {
        let identity = draft.key.identity
        guard contents.record(identity) == nil, belonging?.saying.insert(identity).inserted == true else {
            return
        }
        write(.activities, [draft])
    }

    /// Says that a device is simply gone.
    func dismiss(_ device: DeviceIdentifier) {
        world.tell("\(name) says that \(world.name(of: device)) is gone")
        world.marks[.removed] += 1
        if let record = contents.record(Device.key(device).identity),
            let draft = Device.draft(removed: wallTime, in: record)
        {
            return write(.activities, [draft])
        }
        write(
            .activities,
            [
                .device(
                    Device(
                        identifier: device, name: world.name(of: device), admitted: wallTime,
                        removed: wallTime))
            ])
    }
}

extension Journal.Draft {
    static func statement(_ statement: RosterStatement) -> Journal.Draft {
        Journal.Draft(.full(RosterStatement.content), statement.key)
    }

    static func device(_ device: Device) -> Journal.Draft {
        Journal.Draft(.full(Write.Content(fields: device.fields)), Device.key(device.identifier))
    }
}

extension Record {
    /// What the record says of the roster, if it does.
    fileprivate var statement: RosterStatement? {
        guard identity.kind == .rosterStatement, let key else { return nil }
        do throws(CBORError) { return try RosterStatement(key) } catch { return nil }
    }
}
