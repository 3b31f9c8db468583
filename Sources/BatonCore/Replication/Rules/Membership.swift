/// The devices that this device talks to and waits for, as far as the roster and devices' records say.
///
/// This is the one place that decides about them. The driver of the sessions gives it every record that the store took,
/// asks it when a session begins, and again whenever it says that the roster has grown.
package struct Membership: Sendable {
    package let own: DeviceIdentifier
    package private(set) var roster = Roster()
    /// The revocations to be kept beside the store.
    package private(set) var revocations = KeptRevocations()
    /// The statements in the store that are read when a process begins, by what they say of which device.
    ///
    /// Revocations of owners are not among them, because they are never skipped.
    private var statements: [RecordIdentity: SkippedStatement.Subject] = [:]
    /// The number of these statements that were not to be skipped when this was last decided.
    private var statementsHeld = 0
    /// The records of the revocations of devices that the roster holds.
    private var revocationRecords: [DeviceIdentifier: RecordIdentity] = [:]
    /// The records of devices, each with its stamp; only an owner's admission makes one possible (`DeviceProof`).
    private var records: [DeviceIdentifier: Entry] = [:]
    /// The declarations that devices are gone, by the device and by the author.
    private var removals: [DeviceIdentifier: [DeviceIdentifier: Device.Removal]] = [:]
    /// The devices with which a session is open: a connected device is not gone, whatever someone said.
    package var connected: Set<DeviceIdentifier> = [] {
        didSet { for device in connected.symmetricDifference(oldValue) { judge(device) } }
    }
    /// The devices for which tombstones are kept, this one among them: the members, except devices that are gone.
    package private(set) var waitedFor: Set<DeviceIdentifier>
    /// The other devices for which tombstones are kept.
    package private(set) var others: Set<DeviceIdentifier> = []
    /// The reports that peers have sent since this began.
    ///
    /// A session sends a report once: that of a device which is gone at the moment must be at hand when it is back.
    private var told = Reports()

    /// The record of a device.
    private struct Entry: Equatable, Sendable {
        var stamp: Stamp
        /// The device's description of itself; nil if the record has another form.
        var device: Device?
    }

    package init(own: DeviceIdentifier) { (self.own, waitedFor) = (own, [own]) }

    /// Begins with the statements and the records of devices that a store holds.
    ///
    /// Anybody with an owner's key can write any number of statements, so they are taken one by one, and those that are
    /// skipped are not read unless they count by now. Revocations come first: they say which certificates are worth
    /// holding.
    package init(
        own: DeviceIdentifier, storedIn store: some AccountStore, by verifier: some StatementVerifier
    ) throws(StoreFailure) {
        self.init(own: own)
        let lane = store.lane(.activities)
        for isRevocation in [true, false] {
            _ = try lane.records(of: .rosterStatement, besides: .skippedStatement) { record in
                if record.isRevocation == isRevocation { learnRecord(record, by: verifier) }
                return false
            }
        }
        if try lane.hasSkipped { try takeSkipped(in: lane, by: verifier) }
        _ = try lane.records(of: .device) { record in
            learnRecord(record, by: verifier)
            return false
        }
    }

    /// Takes the skipped statements that count by now: they may be about any device that an owner admitted.
    private mutating func takeSkipped(
        in lane: some LaneStore, by verifier: some StatementVerifier
    ) throws(StoreFailure) {
        roster.skip(revocationsOf: [])
        let (admitted, keptUnknown) = (roster.admitted, roster.keptUnknown)
        let about = admitted.union(keptUnknown)
        let skipped = try lane.statements(about: about, admissionsOf: keptUnknown, skippedOnly: true)
        for record in skipped { learnRecord(record, by: verifier) }
        roster.settle(about)
    }

    // MARK: Commands

    /// Learns a record as it is now; returns whether the standing of any device may have changed.
    ///
    /// Records of other kinds, and records that can't be read, say nothing.
    @discardableResult
    package mutating func learnRecord(_ record: Record, by verifier: some StatementVerifier) -> Bool {
        guard let key = record.key else { return false }
        switch record.identity.kind {
        case .rosterStatement:
            do throws(CBORError) {
                let statement = try RosterStatement(key)
                guard let meaning = verifier.verify(statement) else { return false }
                let isNews = add(statement, meaning: meaning)
                noteStatement(record.identity, meaning, isNews: isNews)
                return isNews
            } catch {
                return false
            }
        case .device:
            do throws(CBORError) {
                return learn(record, of: try DeviceName(key).identifier)
            } catch {
                return false
            }
        default: return false
        }
    }

    /// Learns a revocation that was kept beside the store; returns nil if it is not valid.
    package mutating func learnKeptRevocation(
        _ key: RecordKey, by verifier: some StatementVerifier
    ) -> RosterStatement? {
        do throws(CBORError) {
            let statement = try RosterStatement(key)
            guard case .revocation = statement, let meaning = verifier.verify(statement) else { return nil }
            _ = add(statement, meaning: meaning)
            return statement
        } catch {
            return nil
        }
    }

    /// Adds a statement to the roster, and judges anew the devices that it concerns; returns whether it is news.
    private mutating func add(_ statement: RosterStatement, meaning: VerifiedStatement) -> Bool {
        revocations.add(statement, meaning: meaning)
        guard roster.add(meaning) else { return false }
        switch meaning {
        case .admission(let admission): judgeAll(afterAdmitting: admission.device)
        case .deviceRevocation(let device, _): judgeAll(for: device)
        case .ownerRevocation: for device in roster.devices { judgeAll(for: device) }
        }
        return true
    }

    // MARK: Skipped statements

    private mutating func noteStatement(
        _ identity: RecordIdentity, _ meaning: VerifiedStatement, isNews: Bool
    ) {
        switch meaning {
        case .admission(let admission): statements[identity] = .admission(admission.device)
        case .deviceRevocation(let device, _):
            statements[identity] = .revocation(device)
            if isNews { revocationRecords[device] = identity }
        case .ownerRevocation: break
        }
    }

    /// Returns statements to skip from now on, if many were taken: those that the roster does not hold, and revocations
    /// beyond those that it is to hold.
    package mutating func surplusStatements() -> [SkippedStatement] {
        guard statements.count >= statementsHeld + Limits.statementsTaken else { return [] }
        let (held, strays) = (roster.heldAdmissions, roster.surplusStrays)
        let surplus = statements.filter { identity, subject in
            switch subject {
            case .admission: !held.contains(identity)
            case .revocation(let device):
                revocationRecords[device] != identity || strays.contains(device)
            }
        }
        statementsHeld = statements.count - surplus.count
        return surplus.map { SkippedStatement($0, $1) }.sorted { $0.identity < $1.identity }
            .prefix(Self.skippedAtOnce).map { $0 }
    }

    /// The most statements that one transaction notes: more than the batches on the way from one device bring meanwhile,
    /// so that ever fewer are left however fast they come.
    private static let skippedAtOnce = 16_384

    /// Called when the store has noted these statements, so that it finds them again by their devices.
    package mutating func handleSkipped(_ skipped: [SkippedStatement]) {
        var revoked: Set<DeviceIdentifier> = []
        for statement in skipped {
            statements[statement.identity] = nil
            guard case .revocation(let device) = statement.subject,
                revocationRecords[device] == statement.identity
            else { continue }
            revocationRecords[device] = nil
            revoked.insert(device)
        }
        roster.skip(revocationsOf: revoked)
        for device in revoked { judgeAll(for: device) }
    }

    /// Takes the skipped statements about these devices.
    package mutating func settle(
        _ devices: Set<DeviceIdentifier>, with records: [Record], by verifier: some StatementVerifier
    ) {
        for record in records { learnRecord(record, by: verifier) }
        roster.settle(devices)
        for device in devices { judgeAll(for: device) }
    }

    // MARK: Devices' records

    private mutating func learn(_ record: Record, of name: DeviceIdentifier) -> Bool {
        let before = records[name]
        guard before != nil || records.count < Limits.deviceRecords || roster.names(name) || name == own
        else { return false }
        let entry = Entry(stamp: record.incarnation, device: record.device)
        guard entry != before else { return false }
        records[name] = entry
        let named = (before?.device?.removals ?? []) + (entry.device?.removals ?? [])
        for removal in before?.device?.removals ?? [] { removals[removal.device]?[name] = nil }
        for removal in entry.device?.removals ?? [] { removals[removal.device, default: [:]][name] = removal }
        for device in Set(named.map(\.device)) { judge(device) }
        judge(name)
        return true
    }

    /// Decides about a device that connects, whose certificate was checked; the chain that it showed is its admission.
    ///
    /// That admission counts like one that came as a record, so if it is news it must be entered as a record.
    package mutating func meet(
        _ peer: DeviceIdentifier, showing shown: RosterStatement?, by verifier: some StatementVerifier
    ) -> Meeting {
        var entering: RosterStatement?
        // The roster with what the peer shows, even if that is not entered: it tells why the peer is refused.
        var asked = roster
        if let shown, case .admission(let admission) = verifier.verify(shown), admission.device == peer,
            asked.add(.admission(admission))
        {
            // An undone admission is no news to anyone, and nothing is taken from a device that was revoked. Skipped
            // statements about the device are read before it is let in.
            if asked.isMember(peer) || asked.standing(of: peer) == .unsettled,
                asked.admitters(of: peer).contains(admission.owner)
            {
                (roster, entering) = (asked, shown)
                judgeAll(afterAdmitting: peer)
            }
        }
        return Self.reason(against: peer, by: asked).map { .refused($0, entering: entering) }
            ?? .welcome(entering: entering)
    }

    // MARK: The devices it talks to

    /// Returns why an open session must end at once, without a further byte of the account; nil if it may go on.
    package func refusal(of peer: DeviceIdentifier) -> CloseReason? {
        Self.reason(against: peer, by: roster)
    }

    private static func reason(against peer: DeviceIdentifier, by roster: Roster) -> CloseReason? {
        switch roster.standing(of: peer) {
        case .member: nil
        case .unknown: CloseReason(.notMember, "no owner of this account admitted that device")
        case .revoked: CloseReason(.notMember, "that device was revoked")
        case .undone: CloseReason(.notMember, "the owner that admitted that device was revoked")
        case .surplus: CloseReason(.notMember, "the owner of that device admitted too many devices before it")
        case .unsettled: CloseReason(.busy, "it is still being read whether that device was revoked")
        }
    }

    // MARK: The devices it waits for

    /// Finds whether tombstones wait for a device.
    private mutating func judge(_ device: DeviceIdentifier) {
        guard device != own else { return }
        if roster.names(device), !isRevoked(device), !isRemoved(device) {
            waitedFor.insert(device)
            others.insert(device)
        } else {
            waitedFor.remove(device)
            others.remove(device)
        }
    }

    /// Judges a device whose standing may have changed, and the devices that it declares gone.
    private mutating func judgeAll(for device: DeviceIdentifier) {
        judge(device)
        for removal in records[device]?.device?.removals ?? [] { judge(removal.device) }
    }

    /// Judges a device that was admitted, and those of whose places it may have taken one.
    private mutating func judgeAll(afterAdmitting device: DeviceIdentifier) {
        judgeAll(for: device)
        for other in others where !roster.names(other) { judge(other) }
    }

    /// Whether tombstones may be garbage-collected at all: a device that knows of nobody waits for nobody.
    ///
    /// So a device writes its own record only after it has claimed all that a member claimed. The account's first
    /// device writes it at once.
    package var mayCollect: Bool { records[own] != nil }

    /// Returns what a device says about itself; nil if it has no record, or the roster does not name it.
    package func device(_ device: DeviceIdentifier) -> Device? {
        roster.names(device) || device == own ? records[device]?.device : nil
    }

    /// Returns the stamp of a device's record, if it has one.
    package func recordStamp(of device: DeviceIdentifier) -> Stamp? { records[device]?.stamp }

    /// Handles reports that a peer sent; returns those that are to be kept.
    package mutating func learnReports(_ reports: Reports) -> Reports {
        // Only the last report counts: a device that lost what it had reports less, and nobody keeps what it lost.
        told.forget(Set(reports.sorted.map(\.device)))
        told.join(reports)
        return reports.of(others)
    }

    /// The reports of the devices that are waited for; to be kept whenever there are more such devices than before.
    package var heeded: Reports { told.of(others) }

    /// The devices that no longer belong to the account, or are gone: what they said is forgotten, and those of their
    /// writes that nobody claims are adopted.
    package var gone: Set<DeviceIdentifier> { known.subtracting(waitedFor) }

    /// Since when a device is gone, by what members said last; also for a device that is connected just now.
    ///
    /// A declaration names the record that its author knew of the device. So whatever the device writes anew ends it,
    /// and nobody can declare a device gone for good.
    package func removed(_ device: DeviceIdentifier) -> WallTime? {
        let seen = records[device]?.stamp ?? .least
        return removals[device]?.lazy
            .filter { author, removal in
                author != device && removal.seen == seen && roster.isMember(author)
            }
            .map(\.value.date).max()
    }

    /// Since when a device has left, as it said itself.
    package func left(_ device: DeviceIdentifier) -> WallTime? { records[device]?.device?.left }

    /// Whether a device has left the account, as it said itself.
    package func hasLeft(_ device: DeviceIdentifier) -> Bool { left(device) != nil }

    /// Whether a device was revoked, or the owner who admitted it was.
    package func isRevoked(_ device: DeviceIdentifier) -> Bool {
        roster.hasEnded(device)
    }

    /// Whether a device was admitted and is part of the account now.
    package func isPresent(_ device: DeviceIdentifier) -> Bool {
        roster.isMember(device) && departure(of: device) == nil
    }

    /// Why a device is no part of the account now; nil if it is.
    package func departure(of device: DeviceIdentifier) -> DeviceDeparture? {
        guard !isRevoked(device) else { return .revoked }
        if left(device) != nil { return .left }
        return isRemoved(device) ? .removed : nil
    }

    /// The other devices that were ever admitted or revoked, in order: those that are part of the account, or those
    /// that departed.
    ///
    /// A record alone makes no device: any member can write one of any.
    package func others(departed isDeparted: Bool) -> [DeviceIdentifier] {
        roster.devices.filter { $0 != own && (departure(of: $0) != nil) == isDeparted }
    }

    /// All devices that stand in a statement, and this one.
    package var known: Set<DeviceIdentifier> { Set(roster.devices).union([own]) }

    private func isRemoved(_ device: DeviceIdentifier) -> Bool {
        // A device that said it left and is still here has only not gone yet.
        left(device) != nil || removed(device) != nil && !connected.contains(device)
    }
}

/// The decision about a device that connects.
package enum Meeting: Equatable, Sendable {
    /// It is accepted; the admission that it showed is to be entered in the roster, if it is news.
    case welcome(entering: RosterStatement?)
    /// It is refused with that reason, and sent nothing else. If it may be let in soon, the admission that it showed is
    /// to be entered all the same.
    case refused(CloseReason, entering: RosterStatement? = nil)
}

extension Record {
    /// Whether this is a statement of the roster that revokes a device or an owner.
    fileprivate var isRevocation: Bool {
        guard let key else { return false }
        do throws(CBORError) {
            if case .revocation = try RosterStatement(key) { return true }
            return false
        } catch {
            return false
        }
    }
}
