import BatonCore
import Synchronization

/// A copy of the account's membership for TLS handshakes, which ask whether a session may be resumed.
///
/// The loop's thread sets and reads the copy. TLS may read it on any thread, because TLS does not know the loop's
/// thread.
final class RosterForHandshakes: Sendable {
    private let membership: Mutex<Membership>

    init(_ membership: Membership) { self.membership = Mutex(membership) }

    func set(_ membership: Membership) { self.membership.withLock { $0 = membership } }

    /// Returns the reason to refuse a session with a device; nil if a session is allowed.
    func refusal(of device: DeviceIdentifier) -> CloseReason? {
        membership.withLock { $0.refusal(of: device) }
    }
}
