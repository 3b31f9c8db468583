import Synchronization

/// Whether the account accepts joiners at the moment.
///
/// TLS handshakes read this on any thread.
final class InvitationDoor: Sendable {
    private let open = Atomic(false)

    var isOpen: Bool {
        get { open.load(ordering: .relaxed) }
        set { open.store(newValue, ordering: .relaxed) }
    }
}
