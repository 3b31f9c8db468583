/// Decides which devices this device connects to, and for which devices it keeps tombstones.
///
/// It decides from the roster and from the devices' records.
///
/// The driver of the sessions passes in every record that was stored. The driver asks for a decision when a session
/// begins. It asks again whenever a record has changed whether a device belongs to the account.
package struct Membership: Sendable {
    package let own: DeviceIdentifier
    package private(set) var roster = Roster()
    /// The revocations to store in files beside the databases.
    package private(set) var revocations = KeptRevocations()
    /// The statements that are read from the store when the process starts, each with its kind and its device.
    ///
    /// Revocations of owners are not in this list, because they are never skipped.
    private var statements: [RecordIdentity: SkippedStatement.Subject] = [:]
    /// The number of these statements that were left when surplus statements were last removed.
    private var statementsHeld = 0
    /// For each revoked device, the record of the revocation that the roster holds.
    private var revocationRecords: [DeviceIdentifier: RecordIdentity] = [:]
    /// The records of devices, each with its stamp.
    ///
    /// A device can write its record only if an owner admitted it (`DeviceProof`).
    private var records: [DeviceIdentifier: Entry] = [:]
    /// The declarations that devices are gone.
    ///
    /// The first key is the device that is gone, and the second key is the author.
    private var removals: [DeviceIdentifier: [DeviceIdentifier: Device.Removal]] = [:]
    /// The devices with which a session is open.
    ///
    /// A connected device is not gone, even if a member declared it gone.
    package var connected: Set<DeviceIdentifier> = [] {
        didSet { for device in connected.symmetricDifference(oldValue) { judge(device) } }
    }
    /// The devices for which tombstones are kept: all members except the devices that are gone.
    ///
    /// This device is included.
    package private(set) var waitedFor: Set<DeviceIdentifier>
    /// The other devices for which tombstones are kept.
    package private(set) var others: Set<DeviceIdentifier> = []
    /// The reports that peers have sent since the process started.
    ///
    /// A session sends a report only once. So the report of a device that is gone is kept, in case the device returns.
    private var told = Reports()

    /// The record of a device.
    private struct Entry: Equatable, Sendable {
        var stamp: Stamp
        /// The device's description of itself; nil if the record can't be read.
        var device: Device?
    }

    package init(own: DeviceIdentifier) { (self.own, waitedFor) = (own, [own]) }

    /// Creates the membership from the statements and the devices' records in a store.
    ///
    /// Anybody with an owner's key can write any number of statements. So they are read one by one, and skipped
    /// statements are read only if they matter now. Revocations are read first, because they decide which certificates
    /// need to be kept.
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

    /// Reads the skipped statements that matter now.
    ///
    /// They may be about any device that an owner admitted.
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

    /// Takes note of the current state of a record; returns whether this may have changed any device's standing.
    ///
    /// Records of other kinds, and records that can't be read, are ignored.
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

    /// Takes note of a revocation from a file beside the databases; returns nil if the revocation is not valid.
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

    /// Adds a statement to the roster; returns whether the statement says something new.
    ///
    /// If it does, the devices that it concerns are judged again.
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

    /// Returns the statements to skip from now on, if many statements were added since the last time.
    ///
    /// These are the admissions and revocations that the roster does not hold, and the revocations beyond its limits.
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

    /// The largest number of statements that one transaction notes as skipped.
    ///
    /// In the same time, a peer can only send fewer statements. So the surplus shrinks however fast statements arrive.
    private static let skippedAtOnce = 16_384

    /// Called when the store has noted these statements as skipped.
    ///
    /// From then on, the store finds them by their devices.
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

    /// Adds the skipped statements about these devices, after the store has read them.
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

    /// Decides whether to accept a device that connects.
    ///
    /// The device's certificate was checked already. `shown` is the admission that belongs to the certificate.
    ///
    /// The admission has the same effect as one that arrived as a record. So if it is news, the caller must also store
    /// it as a record.
    package mutating func meet(
        _ peer: DeviceIdentifier, showing shown: RosterStatement?, by verifier: some StatementVerifier
    ) -> Meeting {
        var entering: RosterStatement?
        // A copy of the roster with the admission that the peer shows. It decides why the peer is refused, even if the
        // admission is not added to the real roster.
        var asked = roster
        if let shown, case .admission(let admission) = verifier.verify(shown), admission.device == peer,
            asked.add(.admission(admission))
        {
            // An admission by a revoked owner is not added, and neither is an admission of a revoked device. If there
            // are skipped statements about the device, they are read before the device is accepted.
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

    /// Returns why an open session must end before it sends more data of the account; nil if the session may continue.
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
        case .unsettled: CloseReason(.busy, "this device is still reading whether that device was revoked")
        }
    }

    // MARK: The devices it waits for

    /// Decides anew whether tombstones are kept for a device.
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

    /// Judges a device whose standing may have changed, and also the devices that it has declared gone.
    private mutating func judgeAll(for device: DeviceIdentifier) {
        judge(device)
        for removal in records[device]?.device?.removals ?? [] { judge(removal.device) }
    }

    /// Judges a device that was just admitted, and a device that it may have displaced in the roster.
    private mutating func judgeAll(afterAdmitting device: DeviceIdentifier) {
        judgeAll(for: device)
        for other in others where !roster.names(other) { judge(other) }
    }

    /// Whether this device may garbage-collect tombstones, which is only the case when it has its own record.
    ///
    /// A new device does not know the other devices yet, so it would wait for none of them. It therefore writes its own
    /// record only after it has claimed everything that some member claimed. The account's first device writes its
    /// record immediately.
    package var mayCollect: Bool { records[own] != nil }

    /// Returns a device's description of itself; nil if the device has no record, or if the roster does not name it.
    package func device(_ device: DeviceIdentifier) -> Device? {
        roster.names(device) || device == own ? records[device]?.device : nil
    }

    /// Returns the stamp of a device's record; nil if there is no record.
    package func recordStamp(of device: DeviceIdentifier) -> Stamp? { records[device]?.stamp }

    /// Takes note of reports that a peer sent; returns the ones to store.
    package mutating func learnReports(_ reports: Reports) -> Reports {
        // A device's last report replaces its earlier ones. If a device has lost writes, it reports less than before,
        // and must not count as having the lost writes.
        told.forget(Set(reports.sorted.map(\.device)))
        told.join(reports)
        return reports.of(others)
    }

    /// The reports of the other devices that are waited for.
    ///
    /// They must be stored whenever another device becomes one that is waited for.
    package var heeded: Reports { told.of(others) }

    /// The devices that no longer belong to the account, or are gone.
    ///
    /// Their reports are forgotten. Those of their writes that nobody claims are adopted.
    package var gone: Set<DeviceIdentifier> { known.subtracting(waitedFor) }

    /// Returns when a device was declared gone, by the latest declaration of a member; nil if there is none.
    ///
    /// The device may still be connected.
    ///
    /// A declaration contains the stamp of the device's record that its author knew. So it is no longer valid when the
    /// device writes its record again, and nobody can declare a device gone permanently.
    package func removed(_ device: DeviceIdentifier) -> WallTime? {
        let seen = records[device]?.stamp ?? .least
        return removals[device]?.lazy
            .filter { author, removal in
                author != device && removal.seen == seen && roster.isMember(author)
            }
            .map(\.value.date).max()
    }

    /// Returns when a device left the account, according to its own record; nil if it has not left.
    package func left(_ device: DeviceIdentifier) -> WallTime? { records[device]?.device?.left }

    /// Whether a device has left the account, according to its own record.
    package func hasLeft(_ device: DeviceIdentifier) -> Bool { left(device) != nil }

    /// Whether a device, or the owner that admitted it, was revoked.
    package func isRevoked(_ device: DeviceIdentifier) -> Bool {
        roster.hasEnded(device)
    }

    /// Whether a device was admitted and is part of the account now.
    package func isPresent(_ device: DeviceIdentifier) -> Bool {
        roster.isMember(device) && departure(of: device) == nil
    }

    /// Returns why a device is not part of the account now; nil if it is part of the account.
    package func departure(of device: DeviceIdentifier) -> DeviceDeparture? {
        guard !isRevoked(device) else { return .revoked }
        if left(device) != nil { return .left }
        return isRemoved(device) ? .removed : nil
    }

    /// Returns the other devices that were ever admitted or revoked, sorted.
    ///
    /// These are either all that are part of the account now, or all that no longer are.
    ///
    /// The devices are taken from the roster and not from the records, because an admitted device may not have written
    /// its record yet.
    package func others(departed isDeparted: Bool) -> [DeviceIdentifier] {
        roster.devices.filter { $0 != own && (departure(of: $0) != nil) == isDeparted }
    }

    /// This device, and all devices that were ever admitted or revoked.
    package var known: Set<DeviceIdentifier> { Set(roster.devices).union([own]) }

    private func isRemoved(_ device: DeviceIdentifier) -> Bool {
        // A device that declared that it left counts as removed even while it is still connected.
        left(device) != nil || removed(device) != nil && !connected.contains(device)
    }
}

/// The decision about a device that connects.
package enum Meeting: Equatable, Sendable {
    /// The device is accepted.
    ///
    /// If the admission that it showed is news, `entering` is this admission, which must be stored as a record.
    case welcome(entering: RosterStatement?)
    /// The device is refused with a reason, and nothing else is sent to it.
    ///
    /// If the device may be accepted soon, `entering` is the admission that it showed, which must be stored anyway.
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
