/// The numbers of all calls on the wire.
///
/// Each case has the name of the type of its call.
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
    case queryItems = 42
    case suggestSearches = 44
    case rememberSearch = 45
    case forgetSearches = 46
    case explainItem = 47
    case explainActivity = 48
    case openStream = 50
    case acceptStream = 51
    case openInApp = 52
    case reportOpened = 53
    case watchSearch = 54
    case beginSearch = 55
    case nextPage = 56
    case endSearch = 57
    case countActivityOpening = 58
    case requestReindexing = 59
    case setAddresses = 60
    case awaitTexts = 61
    case listPlaces = 64
    case probeAddress = 65
    case findItem = 66
    case examineApp = 68
    case suggestActivities = 70
    case donateAction = 71
    case deleteDonations = 72
    case listFocuses = 73
    case switchFocus = 74
    case changeFocus = 75
    case awaitFocus = 76
    case listEntityTypes = 77
    case describeEntityTypes = 78
    case forgetEntityTypes = 79
    case setLock = 80
    case removeLock = 81
    case lockAccount = 82
    case unlockAccount = 83
    case demandUnlocked = 84

    /// The class of calls with this number, by the memory that such a call may need.
    ///
    /// The node uses the class to reserve memory before it reads the arguments.
    package var weight: LocalCallWeight {
        switch self {
        case .getStatus, .listAccounts, .listDevices, .getSettings, .getDigest, .cancelInvitation, .endSearch:
            .control
        case .awaitInvitation, .answerJoiner, .awaitReindexing, .awaitBackup, .awaitEvent, .watchActivities,
            .watchSearch, .openStream, .awaitTexts, .awaitFocus:
            .wait
        case .listActivities, .searchItems, .queryItems, .beginSearch, .nextPage, .suggestSearches,
            .suggestActivities,
            .listRegistrations, .listFocuses, .switchFocus, .changeFocus, .listEntityTypes:
            .list
        case .changeIndex: .index
        default: .ordinary
        }
    }

    /// Whether a person, or an app in their hands, uses what may be protected by a call with this number.
    ///
    /// Apps index in the background, so changes of indexes are no use in this sense.
    package var isUse: Bool {
        switch self {
        case .startActivity, .updateActivity, .listActivities, .watchActivities, .continueActivity,
            .searchItems,
            .queryItems, .beginSearch, .nextPage, .watchSearch, .suggestSearches, .suggestActivities,
            .findItem,
            .openInApp, .countOpening:
            true
        default: false
        }
    }

    /// The maximum size of a request with this number, in bytes.
    var requestBytes: Int { weight == .index ? Limits.frameBytes : Limits.requestBytes }
}

/// A class of calls that may need about the same memory.
package enum LocalCallWeight: Equatable, Sendable {
    /// A short call about the node, which the node answers even when memory is scarce.
    case control
    /// A call that the node answers when something happens, and that needs no memory before that.
    case wait
    /// A call that reads or changes an activity or something small.
    case ordinary
    /// A call whose answer may fill a frame.
    case list
    /// A call that changes an index, and whose request may fill a frame.
    case index

    /// The maximum size of the answer in bytes.
    private var answerBytes: Int {
        switch self {
        case .control, .wait: 0
        case .ordinary, .index: 2 * Limits.activityBytes
        case .list: Limits.frameBytes
        }
    }

    /// Returns the largest number of bytes of memory that a request of `byteCount` bytes can need until it is answered.
    ///
    /// If a request has many small values, the decoded values need forty times the memory of the encoded ones.
    package func memory(for byteCount: Int) -> Int {
        if byteCount <= Self.smallBytes, self == .control || self == .wait { return 0 }
        let bound = self == .index ? Limits.indexPortionBytes : Limits.requestBytes
        return answerBytes + Self.spread * min(byteCount, bound)
    }

    private static let spread = 40
    private static let smallBytes = 256
}
