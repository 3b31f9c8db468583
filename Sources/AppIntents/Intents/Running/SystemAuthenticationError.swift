/// The reason why logind or polkit did not say that the person may perform an intent.
package enum SystemAuthenticationError: Error, Hashable, CustomStringConvertible {
    /// Neither logind nor polkit answers on this machine.
    case unavailable
    /// The process runs as another user than the one whose session it is in.
    case otherUser
    /// Nobody is logged in.
    case noSession
    /// polkit does not know the action of Baton.
    case notInstalled
    /// No program of the session can ask for a password.
    case noAgent
    /// polkit would perform the intent without asking anybody.
    case unasked
    /// The person closed the question.
    case dismissed
    /// Nobody answered the question in time.
    case unanswered
    /// The services gave another answer than their interfaces have.
    case failed(String)

    package var description: String {
        switch self {
        case .unavailable:
            "The intent needs authentication, and neither logind nor polkit answers on this machine. Run it on a machine with systemd-logind or polkit."
        case .otherUser:
            "The intent needs authentication, and this session belongs to another user. Log in as the user who runs the app."
        case .noSession:
            "The intent needs authentication, and you are not logged in on this machine. Log in first."
        case .notInstalled:
            "The intent needs authentication, and polkit does not know the action of Baton. Install Baton with `make install`, which puts org.baton.intents.policy into /usr/share/polkit-1/actions."
        case .noAgent:
            "The intent needs authentication, and nothing in this session can ask for your password. Run `pkttyagent --process $$` in this terminal first."
        case .unasked:
            "The intent needs your password, and polkit does not ask for it: it allows everything to root, or has a rule for org.baton.intents.perform. Run the app as yourself, without sudo and without such a rule."
        case .dismissed: "Cancelled: the question for your password was closed."
        case .unanswered: "Cancelled: nobody answered the question for your password. Run the intent again."
        case .failed(let reason): "The intent needs authentication, which failed: \(reason)."
        }
    }
}
