import CoreSpotlight

/// A place in the app to which an activity leads.
enum Destination: Equatable, Sendable {
    /// A note that was found by a search.
    case note(String)
    /// A note that was being edited, also on another machine, as it was there.
    case editing(Note, line: Int)
    case search(String)

    /// Reads an activity, or returns nil for one of another kind.
    init?(_ activity: NSUserActivity) {
        let info = activity.userInfo ?? [:]
        switch activity.activityType {
        case CSSearchableItemActionType:
            guard let name = info[CSSearchableItemActivityIdentifier] as? String else { return nil }
            self = .note(name)
        case CSQueryContinuationActionType:
            guard let words = info[CSSearchQueryString] as? String else { return nil }
            self = .search(words)
        case Editing.activityType:
            guard let name = info["name"] as? String, let line = info["line"] as? Int else { return nil }
            guard let text = info["text"] as? String, let modified = info["modified"] as? Date else {
                // The system keeps only what `requiredUserInfoKeys` names of an activity that has ended.
                self = .note(name)
                return
            }
            self = .editing(Note(name: name, text: text, modified: modified), line: line)
        default: return nil
        }
    }
}
