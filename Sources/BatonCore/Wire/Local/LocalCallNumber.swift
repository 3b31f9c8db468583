/// The numbers of all calls, which are part of the protocol.
///
/// Each is named as the type of its call.
package enum LocalCallNumber: UInt64, CaseIterable, Sendable {
    case startActivity = 1
    case updateActivity = 2
    case finishActivity = 3
    case listActivities = 4
    case continueActivity = 5
    case getStatus = 6
    case listDevices = 7
    case openInvitation = 8
    case awaitInvitation = 9
    case changeIndex = 10
    case endBatch = 11
    case discardBatch = 12
    case getClientState = 13
    case countOpening = 14
    case awaitReindexing = 15
    case acknowledgeReindexing = 16
    case getDigest = 17
    case getSettings = 18
    case changeSetting = 19
    case searchItems = 20
    case writeBackup = 21
    case restoreBackup = 22
    case awaitBackup = 23
    case answerJoiner = 24
    case revokeDevice = 25
    case removeDevice = 26
    case renameDevice = 27
    case listAccounts = 28
    case cancelInvitation = 29
    case promoteDevice = 30
    case leaveAccount = 31
    case resignActivity = 32
    case watchActivities = 33
    case forgetActivity = 34
    case sendActivity = 35
    case deleteSavedActivities = 36
    case registerApp = 37
    case listRegistrations = 38
    case awaitEvent = 39
    case reportSaved = 40
    case unforgetActivity = 41
    case openStream = 50
    case acceptStream = 51
    case setAddresses = 60

    /// How much memory the calls of this number may take.
    ///
    /// The node asks before it reads the arguments.
    package var weight: LocalCallWeight {
        switch self {
        case .getStatus, .listAccounts, .listDevices, .getSettings, .getDigest, .cancelInvitation: .control
        case .awaitInvitation, .answerJoiner, .awaitReindexing, .awaitBackup, .awaitEvent, .watchActivities,
            .openStream:
            .wait
        case .listActivities, .searchItems, .listRegistrations: .list
        case .changeIndex: .index
        default: .ordinary
        }
    }

    /// The most bytes that a request of this number may have.
    var requestBytes: Int { weight == .index ? Limits.frameBytes : Limits.requestBytes }
}

/// How much memory a call may take, as far as its number tells.
package enum LocalCallWeight: Equatable, Sendable {
    /// A short question about the node, which is always answered.
    case control
    /// The call is answered when something happens, and takes nothing until then.
    case wait
    /// The call reads or changes an activity, or something small.
    case ordinary
    /// The answer may fill a frame.
    case list
    /// The call changes an index, and may fill a frame itself.
    case index

    /// The most bytes that the answer may have.
    private var answerBytes: Int {
        switch self {
        case .control, .wait: 0
        case .ordinary, .index: 2 * Limits.activityBytes
        case .list: Limits.frameBytes
        }
    }

    /// Returns how many bytes of memory a request of that many bytes can take until it is answered.
    ///
    /// Many small values take forty times their bytes.
    package func memory(for byteCount: Int) -> Int {
        if byteCount <= Self.smallBytes, self == .control || self == .wait { return 0 }
        let bound = self == .index ? Limits.indexPortionBytes : Limits.requestBytes
        return answerBytes + Self.spread * min(byteCount, bound)
    }

    private static let spread = 40
    private static let smallBytes = 256
}
