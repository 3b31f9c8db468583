/// Finds out who sits at the machine, for intents that require it; a login service, or a fake in tests.
package protocol IntentAuthenticator: Sendable {
    /// Returns whether the person's session is there and not locked; throws if nothing on the machine can tell.
    func isSessionUnlocked() async throws -> Bool
    /// Has the person prove who they are on this machine; returns whether they did.
    func authenticate(reason: String) async throws -> Bool
}

/// An intent that was not performed because the person is not authenticated.
package enum IntentAuthenticationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The session is locked.
    case locked(intent: String)
    /// The person did not prove who they are.
    case refused(intent: String)
    /// Nothing on the machine can tell.
    case unavailable(intent: String)

    package var description: String {
        switch self {
        case .locked(let intent): "“\(intent)” needs an unlocked session. Unlock this machine first."
        case .refused(let intent): "“\(intent)” was not performed: authentication failed."
        case .unavailable(let intent):
            "“\(intent)” needs authentication, and neither logind nor polkit answers on this machine."
        }
    }
}
