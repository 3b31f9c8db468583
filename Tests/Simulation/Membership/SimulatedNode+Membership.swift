import BatonCore
import Support

/// The papers with which a device of a world with a roster came into the account.
struct Papers {
    /// The owner whose key this machine has, or nil.
    let owner: OwnerIdentifier?
    /// The chain by which it was admitted, or claims to have been.
    let chain: RosterStatement
}

extension OwnAdmission {
    init(_ identity: SessionIdentity, _ papers: Papers? = nil) {
        self.init(
            device: identity.device, name: identity.name, statement: papers?.chain, owner: papers?.owner)
    }
}

/// The members of the account, as a node knows them.
///
/// In worlds with a roster, devices learn of members from records, as in the product. In the others every device knows
/// all members at once.
extension SimulatedNode {
    var membership: Membership { account.membership }

    /// The devices for which it keeps tombstones.
    var roster: Set<DeviceIdentifier> { membership.waitedFor }

    /// Whether it learns of members from records.
    var hasPapers: Bool { papers != nil }

    /// Joins an account with a roster.
    func take(_ papers: Papers, isFirst: Bool) {
        (self.papers, self.isFirst) = (papers, isFirst)
        var journal = journal
        journal.signer = signer
        account = Account(
            in: journal, admitted: OwnAdmission(identity, papers),
            knowing: Membership(own: identity.device), keeping: [], lacking: [], by: world.authority,
            havingWritten: VersionVector(), reports: Reports(), quarantined: [], contacts: [],
            keepingFinished: finishedDays, at: clocks, limits: world.limits,
            drawingFrom: SeededGenerator(seed: world.seed, for: "lives of \(number) as a member"))
        noteMembership()
        drive { $0.start(isFirst: isFirst, in: self) }
    }

    /// Returns the members by what is stored; where no statements are, those that everyone knows.
    func storedMembership() throws(StoreFailure) -> Membership {
        if hasPapers {
            return try Membership(own: identity.device, storedIn: store, by: world.authority)
        }
        var membership = Membership(own: identity.device)
        for record in world.plainRecords(of: world.members) {
            membership.learnRecord(record, by: world.authority)
        }
        return membership
    }

    /// The process has begun with the stored records of the roster.
    func noteMembership() {
        if hasPapers { world.noteStatements(contents.statements, at: self, isAnew: true) }
    }

    /// Notes skipped statements in the store; few worlds have enough of them.
    func skip(_ skipped: [SkippedStatement]) {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = skipped.map(\.note)
        do throws(StoreFailure) {
            _ = try store.commit(transaction)
            drive { $0.handleSkipped(skipped, in: self) }
        } catch {
            drive { $0.handleRosterFailure(error, of: .skip, in: self) }
        }
    }

    /// Reads the skipped statements about devices.
    func seek(_ devices: Set<DeviceIdentifier>, admissionsOf kept: Set<DeviceIdentifier>) {
        do throws(StoreFailure) {
            let records = try store.lane(.activities).statements(about: devices, admissionsOf: kept)
            drive { $0.handleFound(records, about: devices, in: self) }
            endRefused()
            keepRevocations()
        } catch {
            drive { $0.handleRosterFailure(error, of: .sought, in: self) }
        }
    }

    /// Learns who is a member and who is no longer, in a world without a roster.
    func learnPlainly(of devices: Set<DeviceIdentifier>) {
        guard !hasPapers else { return }
        _ = drive {
            $0.learn(world.plainRecords(of: devices), verified: [:], at: .zero, in: self)
        }
    }

    /// Some work was stored: the roster learns of it before anything else is done.
    func learn(_ records: [Record], at time: HybridTime) {
        guard hasPapers, isUp else { return }
        world.noteStatements(records.compactMap(\.key?.statement), at: self, isAnew: false)
        // Sessions that the roster does not allow end before anything is done in answer.
        if account.learn(records, verified: [:], at: time, in: self) { endRefused() }
        keepRevocations()
        drive { _ in }
    }

    /// Ends the sessions that the roster no longer allows, with all bytes in transit; the pending requests of ended
    /// sessions are dropped, too.
    private func endRefused() {
        for case .request(_, let endpoint, _) in work
        where membership.refusal(of: endpoint.peer.identity.device) != nil {
            endpoint.failedLanes = Set(Lane.allCases)
        }
        work.removeAll(where: \.isInVain)
        for endpoint in endpoints {
            guard let reason = membership.refusal(of: endpoint.peer.identity.device) else { continue }
            world.tell("\(name) ends a session with \(endpoint.peer.name): \(reason)")
            world.marks[.sessionsEndedByRoster] += 1
            endpoint.failedLanes = Set(Lane.allCases)
            endpoint.cut()
        }
    }

    /// Returns whether a peer that begins a session is let in.
    func letsIn(_ peer: SimulatedNode) -> Bool {
        guard hasPapers, peer.hasPapers else { return true }
        // A peer that is refused with one chain tries the next.
        return peer.ownChains.contains { letsIn(peer, showing: $0) }
    }

    private func letsIn(_ peer: SimulatedNode, showing shown: RosterStatement) -> Bool {
        if case .admission(let admission) = world.authority.verify(shown),
            admission.device == peer.identity.device
        {
            world.noteStatements([shown], at: self, isAnew: false)
        }
        let refusal = drive { $0.meet(peer.identity.device, showing: shown, in: self) }
        guard let refusal else { return true }
        world.tell("\(name) does not let \(peer.name) in: \(refusal)")
        world.marks[.refusedByRoster] += 1
        return false
    }

    /// The chains that it can show, the best first; if none that it knows of is valid, the one with which it joined.
    private var ownChains: [RosterStatement] {
        guard let papers else { return [] }
        let known = membership.roster.admissions(of: identity.device, at: wallTime)
        return known.isEmpty ? [papers.chain] : known.map(\.statement)
    }

    /// A session opened or ended.
    func noteConnections() {
        guard isUp else { return }
        let connected = Set(endpoints.filter { $0.session.isOpen }.map(\.peer.identity.device))
        drive { $0.recordConnected(connected, in: self) }
    }

    /// Declares a device gone.
    func dismiss(_ device: DeviceIdentifier) {
        world.tell("\(name) says that \(world.name(of: device)) is gone")
        world.marks[.removed] += 1
        let seen = membership.recordStamp(of: device)
        let draft = drive { $0.ownRecord { $0.remove(device, seen: seen, at: wallTime) } }
        let told = { [unowned self] in drive { $0.handleOwnRecord(in: self) } }
        write(.activities, [draft], then: { _ in told() }, failed: { _ in told() })
    }

    /// Signs this device's record in a world with a roster, and marks its activities there and where a member makes such up.
    var signer: (any DeviceSigner)? {
        papers.flatMap { SimulatedSigner(identity.device, admittedBy: $0.chain) }
            ?? world.plainSigner(of: identity.device)
    }

    /// Returns what it adds to the writes that it sends, under names of its own.
    func takeForgeries() -> [Write] {
        defer { forgeries = [] }
        let life = Life(after: account.writing.journal.clock.latest, of: identity.device, random: .max)
        let origin = Origin(life: life, lane: .activities)
        let largest = Stamp(time: HybridTime(value: UInt64(Int64.max)), life: life)
        return forgeries.enumerated().compactMap { place, draft in
            draft.write(Dot(origin: origin, sequence: 1, place: UInt32(place)), at: largest)
        }
    }
}

extension RecordKey {
    /// The roster statement in the key, or nil.
    var statement: RosterStatement? {
        guard kind == .rosterStatement else { return nil }
        do throws(CBORError) { return try RosterStatement(self) } catch { return nil }
    }
}
