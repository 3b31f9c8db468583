/// Explains why a search shows an item or an activity, or why it does not.
package struct SearchExplanation: Equatable, Sendable {
    package var outcome: Outcome
    /// The title of the item or activity; nil if it is unknown or there is none.
    package var title: String?
    /// The app that indexed the item or saved the activity.
    package var app: String?
    /// The index that contains the item.
    package var index: String?
    /// The words of the search that do not occur in the item or activity.
    package var words: [String] = []
    /// The rank among the results of the search, counted from 1.
    package var place: Int?

    package init(_ outcome: Outcome, title: String? = nil, app: String? = nil, index: String? = nil) {
        self.outcome = outcome
        self.title = title
        self.app = app
        self.index = index
    }

    package enum Outcome: UInt64, CaseIterable, Sendable {
        /// A search shows the item or activity.
        case shown = 1
        /// This device knows nothing of the item or activity.
        case unknown = 2
        case deleted = 3
        case expired = 4
        /// The person hid the activity on this machine.
        case hidden = 5
        /// The app did not make the activity eligible for search.
        case ineligible = 6
        /// The activity is current on this machine, and the machine is private.
        ///
        /// So the activity is not searched and won't be saved.
        case isPrivate = 7
        /// The person has turned off searching for this app.
        case appOff = 8
        /// The item or activity has no searchable text.
        case wordless = 9
        /// The full-text index is still being built, and does not contain the item yet.
        case gathering = 10
        /// A batch with the item has not been merged yet.
        case merging = 11
        /// The item or activity lacks some of the words.
        case lacksWords = 12
        /// The item or activity has all words, but there are too many better results.
        case rankedBelow = 13
        /// The activity is current on another device.
        ///
        /// A search on that device finds it. A search here finds it after it has ended.
        case goingOn = 14
        /// The search leaves the activity out, because there are too many activities.
        case leftOut = 15
        /// The search shows a better result about the same thing instead.
        case joined = 16
        /// The activity is about an item that is not in the index.
        case itemless = 17
    }
}
