package import BatonCore

extension LocalFailure.Code {
    /// The meaning of the exit status with this code, as the manual page explains it.
    package var meaning: String {
        switch self {
        case .failed: "it failed; the message says why"
        case .usage: "the arguments were not understood; see --help"
        case .noNode: "no node is running"
        case .notInitialised: "there is no account here yet"
        case .alreadyInitialised: "there is already an account here"
        case .nodeRunning: "another node is already running"
        case .portTaken: "the port is in use"
        case .wrongCode: "the code or the passphrase is wrong, or belongs to another account"
        case .invitationOver: "the code was already used, or is no longer valid"
        case .unreachable: "the host can't be reached"
        case .notFound:
            "no activity or device matches, or several do; or the file that an activity points to is not on this machine"
        case .versionMismatch: "the command and the node have different versions"
        case .storage: "reading or writing the disk failed"
        case .notAllowed: "this machine or this user is not allowed to do it"
        case .tooLarge: "the data is larger than the limits allow"
        case .otherState: "the stored client state is not the expected one"
        case .quota: "the app has reached its limit of items, or this machine its limit of activities"
        case .unknownAccount:
            "this machine has no account of that name, or has several and none was named"
        case .takenOver: "another machine took over the activity"
        case .streamBroken: "a stream broke before both sides had received everything"
        case .problemFound: "`baton doctor` found something that does not work"
        case .batchNotBegun: "the batch was not begun, or was lost with a node that restarted"
        case .locked: "the content is protected and locked; see `baton help unlock`"
        }
    }
}
