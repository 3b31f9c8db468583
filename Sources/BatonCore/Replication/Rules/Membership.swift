/// Whom a device talks to and whom it waits for, as far as it knows: the roster, and what devices' records say.
///
/// The one place in which that is decided. Whoever drives sessions gives it every record that the store took, asks it
/// when a session begins, and again whenever it says that the roster has grown.
package struct Membership: Sendable {
    package let own: DeviceIdentifier
    package private(set) var roster = Roster()
    /// The devices that have a record, and what it says of whether they are gone.
    private var recorded: [DeviceIdentifier: Absence] = [:]
    /// The devices with which a session is open: whoever is here is not gone, whatever someone said.
    package var connected: Set<DeviceIdentifier> = [] {
        didSet { if connected != oldValue { findWaitedFor() } }
    }
    /// The devices for which tombstones are kept, this one among them: the members, and those that have a record and no
    /// statement, except devices that are gone.
    package private(set) var waitedFor: Set<DeviceIdentifier>
    /// The other devices for which tombstones are kept.
    package private(set) var others: Set<DeviceIdentifier> = []
    /// What devices reported, as peers told since this began.
    ///
    /// In a session a report is told once: that of a device which is gone just now must be at hand when it is back.
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

    /// Takes note of a record as it is now; answers whether anyone may stand otherwise than before.
    ///
    /// Records of other kinds say nothing, nor does what can't be read.
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
            // A record of another form is one of a device all the same, of which nobody said that it is gone.
            recorded[name.identifier] = Absence()
        }
        return recorded[name.identifier] != before
    }

    /// The record of a device was deleted.
    private mutating func forgetDevice(_ identity: RecordIdentity) -> Bool {
        let device = recorded.keys.first { Device.key($0).identity == identity }
        return device.map { recorded.removeValue(forKey: $0) != nil } ?? false
    }

    /// A device is at the door, whose certificate was checked, with the chain that it showed as the admission that it
    /// is.
    ///
    /// That admission counts like one that came as a record: so the one that is news is to be entered as one.
    package mutating func meet(
        _ peer: DeviceIdentifier, showing shown: RosterStatement?, by verifier: some StatementVerifier
    ) -> Meeting {
        var entering: RosterStatement?
        // The roster with what the peer shows, also where that is not entered: it tells why the peer is refused.
        var asked = roster
        if let shown, case .admission(let admission) = verifier.verify(shown), admission.device == peer,
            !roster.contains(admission)
        {
            asked.add(.admission(admission))
            // An admission that is undone is nobody's news, and nothing is taken from a device that was revoked.
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

    // MARK: Whom it talks to

    /// Why a session that is open must end at once, without a further byte of the account; nothing if it may go on.
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
        case .undone: CloseReason(.notMember, "the owner who admitted that device was revoked")
        }
    }

    // MARK: Whom it waits for

    private mutating func findWaitedFor() {
        waitedFor = known.filter { $0 == own || belongs($0) && !isRemoved($0) }
        others = waitedFor.subtracting([own])
    }

    /// Whether traces may be let go at all: not before another device has entered this one in the account.
    ///
    /// A device that knows of nobody waits for nobody. So only the account's first device writes its own record.
    package var mayLetGo: Bool { recorded[own] != nil }

    /// Whether a device has a record; who meets one that has none enters it.
    package func hasRecord(_ device: DeviceIdentifier) -> Bool { recorded[device] != nil }

    /// A peer told what devices have: the reports that are to be kept.
    package mutating func take(_ reports: Reports) -> Reports {
        // The last one counts alone: a device that lost what it had reports less, and what is lost is kept by nobody.
        told.forget(Set(reports.sorted.map(\.device)))
        told.join(reports)
        return reports.of(others)
    }

    /// What was told of the devices that are waited for; to be kept whenever these are more than before.
    package var heeded: Reports { told.of(others) }

    /// The devices that are no part of the account any more, or gone: what they said is forgotten, and what they wrote
    /// and nobody claims is adopted.
    package var gone: Set<DeviceIdentifier> { known.subtracting(waitedFor) }

    /// The connected devices of which a record says that they are gone: it is to be changed by `Device.draft`.
    package var returned: [DeviceIdentifier] {
        connected.filter { recorded[$0]?.removed != nil && recorded[$0]?.left == nil && belongs($0) }.sorted()
    }

    /// Since when a device is gone, by what was said last; also of one that is connected just now.
    package func removed(_ device: DeviceIdentifier) -> WallTime? { recorded[device]?.removed }

    /// Since when a device has left, as it said itself.
    package func left(_ device: DeviceIdentifier) -> WallTime? { recorded[device]?.left }

    /// Why a device is no part of the account now; nil if it is.
    package func departure(of device: DeviceIdentifier) -> DeviceDeparture? {
        guard belongs(device) else { return .revoked }
        if left(device) != nil { return .left }
        return isRemoved(device) ? .removed : nil
    }

    /// The other devices that were ever admitted or revoked, in their order: those that are part of the account, or
    /// those that departed.
    ///
    /// A record alone makes no device: any member can write one of any.
    package func others(departed isDeparted: Bool) -> [DeviceIdentifier] {
        roster.devices.filter { $0 != own && (departure(of: $0) != nil) == isDeparted }
    }

    /// All devices that have a record or stand in a statement, and this one.
    package var known: Set<DeviceIdentifier> { Set(recorded.keys).union(roster.devices).union([own]) }

    private func belongs(_ device: DeviceIdentifier) -> Bool {
        switch roster.standing(of: device) {
        case .member, .unknown: true
        case .revoked, .undone: false
        }
    }

    private func isRemoved(_ device: DeviceIdentifier) -> Bool {
        #if DEBUG
            if Faults.isPlanted(.removedWaitedFor) { return false }
        #endif
        // Who has said so and is still here has only not gone yet.
        return left(device) != nil || removed(device) != nil && !connected.contains(device)
    }
}

/// What comes of it that a device is at the door.
package enum Meeting: Equatable, Sendable {
    /// It is let in; the admission that it showed is to be entered in the roster, if it is news.
    case welcome(entering: RosterStatement?)
    /// It is told why it is not, and nothing else.
    case refused(CloseReason)
}
