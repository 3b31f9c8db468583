/// The devices that this device talks to and waits for, as far as the roster and devices' records say.
///
/// This is the one place that decides about them. The driver of the sessions gives it every record that the store took,
/// asks it when a session begins, and again whenever it says that the roster has grown.
package struct Membership: Sendable {
    package let own: DeviceIdentifier
    package private(set) var roster = Roster()
    /// The devices that have a record, and whether they are gone according to it.
    private var recorded: [DeviceIdentifier: Absence] = [:]
    /// The devices with which a session is open: a connected device is not gone, whatever someone said.
    package var connected: Set<DeviceIdentifier> = [] {
        didSet { if connected != oldValue { findWaitedFor() } }
    }
    /// The devices for which tombstones are kept, this one among them: the members, and those that have a record and no
    /// statement, except devices that are gone.
    package private(set) var waitedFor: Set<DeviceIdentifier>
    /// The other devices for which tombstones are kept.
    package private(set) var others: Set<DeviceIdentifier> = []
    /// The reports that peers have sent since this began.
    ///
    /// A session sends a report once: that of a device which is gone at the moment must be at hand when it is back.
    private var told = Reports()

    /// Whether a device is gone, by its record.
    private struct Absence: Equatable, Sendable {
        /// Since when, as another device said: until it is met.
        var removed: WallTime?
        /// Since when, as it said itself: until it says otherwise.
        var left: WallTime?
    }

    package init(own: DeviceIdentifier) { (self.own, waitedFor) = (own, [own]) }

    // MARK: Commands

    /// Takes note of a record as it is now; returns whether the standing of any device may have changed.
    ///
    /// Records of other kinds, and records that can't be read, say nothing.
    @discardableResult
    package mutating func take(_ record: Record, by verifier: some StatementVerifier) -> Bool {
        let isNews = note(record, by: verifier)
        if isNews { findWaitedFor() }
        return isNews
    }

    private mutating func note(_ record: Record, by verifier: some StatementVerifier) -> Bool {
        let kind = record.identity.kind
        guard let key = record.key else { return kind == .device && forgetDevice(record.identity) }
        switch kind {
        case .rosterStatement:
            do throws(CBORError) {
                return roster.add(try RosterStatement(key), by: verifier)
            } catch {
                return false
            }
        case .device: return takeDevice(record, key)
        default: return false
        }
    }

    private mutating func takeDevice(_ record: Record, _ key: RecordKey) -> Bool {
        let name: DeviceName
        do throws(CBORError) { name = try DeviceName(key) } catch { return false }
        let before = recorded[name.identifier]
        do throws(CBORError) {
            recorded[name.identifier] = try record.fields.map { (fields) throws(CBORError) in
                let device = try Device(key: key, fields: fields)
                return Absence(removed: device.removed, left: device.left)
            }
        } catch {
            // A record in another form still belongs to a device, and nobody said that this device is gone.
            recorded[name.identifier] = Absence()
        }
        return recorded[name.identifier] != before
    }

    /// Called when the record of a device was deleted.
    private mutating func forgetDevice(_ identity: RecordIdentity) -> Bool {
        let device = recorded.keys.first { Device.key($0).identity == identity }
        return device.map { recorded.removeValue(forKey: $0) != nil } ?? false
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
            !roster.contains(admission)
        {
            asked.add(.admission(admission))
            // An undone admission is no news to anyone, and nothing is taken from a device that was revoked.
            if asked.isMember(peer), asked.admitters(of: peer).contains(admission.owner) {
                (roster, entering) = (asked, shown)
                findWaitedFor()
            }
        }
        #if DEBUG
            if Faults.isPlanted(.rosterNotAskedAtBeginning) { return .welcome(entering: entering) }
        #endif
        return Self.reason(against: peer, by: asked).map(Meeting.refused) ?? .welcome(entering: entering)
    }

    // MARK: The devices it talks to

    /// Returns why an open session must end at once, without a further byte of the account; nil if it may go on.
    package func refusal(of peer: DeviceIdentifier) -> CloseReason? {
        #if DEBUG
            if Faults.isPlanted(.rosterNotAskedInSessions) { return nil }
        #endif
        return Self.reason(against: peer, by: roster)
    }

    private static func reason(against peer: DeviceIdentifier, by roster: Roster) -> CloseReason? {
        switch roster.standing(of: peer) {
        case .member: nil
        case .unknown: CloseReason(.notMember, "no owner of this account admitted that device")
        case .revoked: CloseReason(.notMember, "that device was revoked")
        case .undone: CloseReason(.notMember, "the owner that admitted that device was revoked")
        }
    }

    // MARK: The devices it waits for

    private mutating func findWaitedFor() {
        waitedFor = known.filter { $0 == own || !isRevoked($0) && !isRemoved($0) }
        others = waitedFor.subtracting([own])
    }

    /// Whether tombstones may be garbage-collected at all: not before another device has entered this one in the
    /// account.
    ///
    /// A device that knows of nobody waits for nobody. So only the account's first device writes its own record.
    package var mayCollect: Bool { recorded[own] != nil }

    /// Whether a device has a record; a device that meets one without a record enters it.
    package func hasRecord(_ device: DeviceIdentifier) -> Bool { recorded[device] != nil }

    /// Handles reports that a peer sent; returns those that are to be kept.
    package mutating func take(_ reports: Reports) -> Reports {
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

    /// The connected devices whose records say that they are gone: each record is to be changed by `Device.draft`.
    package var returned: [DeviceIdentifier] {
        connected.filter { recorded[$0]?.removed != nil && recorded[$0]?.left == nil && !isRevoked($0) }
            .sorted()
    }

    /// Since when a device is gone, by what was said last; also for a device that is connected just now.
    package func removed(_ device: DeviceIdentifier) -> WallTime? { recorded[device]?.removed }

    /// Since when a device has left, as it said itself.
    package func left(_ device: DeviceIdentifier) -> WallTime? { recorded[device]?.left }

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

    /// All devices that have a record or stand in a statement, and this one.
    package var known: Set<DeviceIdentifier> { Set(recorded.keys).union(roster.devices).union([own]) }

    private func isRemoved(_ device: DeviceIdentifier) -> Bool {
        #if DEBUG
            if Faults.isPlanted(.removedWaitedFor) { return false }
        #endif
        // A device that said it left and is still here has only not gone yet.
        return left(device) != nil || removed(device) != nil && !connected.contains(device)
    }
}

/// The decision about a device that connects.
package enum Meeting: Equatable, Sendable {
    /// It is accepted; the admission that it showed is to be entered in the roster, if it is news.
    case welcome(entering: RosterStatement?)
    /// It is refused with that reason, and sent nothing else.
    case refused(CloseReason)
}
