package import BatonCore

extension LocalFailure.Code {
    /// What the exit status means, as the manual has it.
    package var meaning: String {
        switch self {
        case .failed: "it failed, for a reason that it says"
        case .usage: "it was not understood: see --help"
        case .noNode: "no node is running on this home"
        case .notInitialised: "the home is not initialised"
        case .alreadyInitialised: "the home is initialised already"
        case .nodeRunning: "another node runs on this home"
        case .portTaken: "the port is taken"
        case .wrongCode: "the code is wrong, or that of another account"
        case .invitationOver: "the code was used already or is over"
        case .unreachable: "the host can't be reached"
        case .notFound:
            "there is no such activity or device, or more than one; or what it points to is not on this machine"
        case .versionMismatch: "the command and the node are of different versions"
        case .storage: "the disk refused"
        case .notAllowed: "this machine has not the right to do so"
        case .tooLarge: "it is larger than the limits allow"
        case .otherState: "what a job stored last is not what was expected"
        case .quota: "the app would have more in its indexes, or this machine more activities, than it may"
        case .unknownAccount:
            "there is no account of that name on this machine, or several and none was named"
        case .takenOver: "the activity went on on another device, which took it over"
        case .streamBroken: "a stream broke before each side had all that the other said"
        }
    }
}
