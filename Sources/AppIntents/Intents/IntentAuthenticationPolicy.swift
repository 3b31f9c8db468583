/// The authentication of the person that an intent requires before it is performed.
public enum IntentAuthenticationPolicy: Hashable, Sendable {
    /// Nothing: the intent may be performed while the session is locked.
    case alwaysAllowed
    /// The session of the person is not locked.
    case requiresAuthentication
    /// The person proves who they are on this machine.
    case requiresLocalDeviceAuthentication
}
