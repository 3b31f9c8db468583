import Synchronization

/// Whether joiners are accepted; TLS handshakes ask it from any thread.
final class InvitationDoor: Sendable {
    private let open = Atomic(false)

    var isOpen: Bool {
        get { open.load(ordering: .relaxed) }
        set { open.store(newValue, ordering: .relaxed) }
    }
}
