/// An intent that was not performed because the person is not authenticated.
package enum IntentAuthenticationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The session is locked.
    case locked(intent: String)
    /// The person did not prove who they are.
    case refused(intent: String)
    /// Nothing on the machine can tell who the person is.
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
