/// The numbers of all kinds of replies on the wire.
///
/// The number 0 means a failure, which may answer any call. A case has the name of a reply's type. If a reply has
/// several kinds, each case has the name of one case of that reply.
package enum LocalReplyKind: UInt64, Sendable {
    case activity = 1
    case activities = 2
    case continuedActivity = 3
    case nodeStatus = 4
    case devices = 5
    case openInvitation = 6
    case joined = 7
    case newAccount = 8
    case admission = 9
    case index = 10
    case clientState = 11
    case reindexing = 12
    case digest = 13
    case settings = 14
    case pairingNotice = 15
    case settling = 16
    case search = 20
    case backupProgress = 21
    case backup = 22
    case restoration = 23
    case departure = 24
    case promotion = 25
    case accounts = 30
    case cancelInvitation = 31
    case places = 36
    case probe = 37
    case activityChanges = 40
    case registrations = 41
    case appEvent = 42
    case done = 43
    case suggestions = 44
    case explanation = 45
    case stream = 50
    case opened = 52
    case searchChanges = 53
    case searchPage = 54
    case texts = 55
    case appItems = 58
    case suggestedActivities = 70
    case focuses = 73
    case focusNotice = 76
    case entityTypes = 77
}
