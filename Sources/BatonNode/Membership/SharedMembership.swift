import BatonCore
import BatonSecurity
import Synchronization

/// Who belongs to the account, as the loop learns it and as handshakes ask it.
///
/// Both do so on the loop's thread; TLS can't know that, and asks what may be asked from anywhere.
final class SharedMembership: Sendable {
    private let membership: Mutex<Membership>
    private let verifier: RosterVerifier

    /// What a device knows that has those records.
    init(of credentials: Credentials, knowing records: [Record]) {
        let verifier = RosterVerifier(root: credentials.root)
        var membership = Membership(own: credentials.device)
        for record in records { membership.take(record, by: verifier) }
        self.verifier = verifier
        self.membership = Mutex(membership)
    }

    // MARK: Commands

    /// Takes note of records as they are now; answers whether anyone may stand otherwise than before.
    func take(_ records: [Record]) -> Bool {
        let telling = records.filter { [.rosterStatement, .device].contains($0.identity.kind) }
        guard !telling.isEmpty else { return false }
        return membership.withLock { [verifier] membership in
            telling.reduce(false) { membership.take($1, by: verifier) || $0 }
        }
    }

    /// A device is at the door, with what it showed.
    func meet(_ device: DeviceIdentifier, showing admission: RosterStatement?) -> Meeting {
        membership.withLock { [verifier] in $0.meet(device, showing: admission, by: verifier) }
    }

    /// The devices with which a session is open.
    func note(connected: Set<DeviceIdentifier>) { membership.withLock { $0.connected = connected } }

    /// A peer told what devices have: what of that is to be kept.
    func take(_ told: Reports) -> Reports { membership.withLock { $0.take(told) } }

    // MARK: Queries

    /// Asks something of what is known.
    func look<Answer: Sendable>(_ question: (Membership) -> Answer) -> Answer {
        membership.withLock { question($0) }
    }

    /// Why there is no session with that device, if there is to be none.
    func refusal(of device: DeviceIdentifier) -> CloseReason? { look { $0.refusal(of: device) } }

    /// What the roster says of a device.
    func standing(of device: DeviceIdentifier) -> DeviceStanding {
        look { $0.roster.standing(of: device) }
    }
}
