/// Explains why a search shows an item or an activity, or why it does not.
package struct SearchExplanation: Equatable, Sendable {
    package var outcome: Outcome
    /// The thing's title, if it is known and has one.
    package var title: String?
    /// The app that has the item or saved the activity.
    package var app: String?
    /// The index that the item is in.
    package var index: String?
    /// The words of the search that the thing lacks.
    package var words: [String] = []
    /// The place among the results for the words, counted from 1.
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
        /// This device has no data of the item or activity.
        case unknown = 2
        case deleted = 3
        case expired = 4
        /// The person hid the activity on this machine.
        case hidden = 5
        /// The app did not make the activity eligible for search.
        case ineligible = 6
        /// The activity is current, and neither searched nor saved, because this machine is private.
        case isPrivate = 7
        /// The person has switched off searching of the app.
        case appOff = 8
        /// The item or activity has no searchable text.
        case wordless = 9
        /// The index of words is being built, and does not have the item's words yet.
        case gathering = 10
        /// A batch with the item has not been merged yet.
        case merging = 11
        /// The item or activity lacks some of the words.
        case lacksWords = 12
        /// The item or activity has the words, but there are too many better results.
        case rankedBelow = 13
        /// The activity is current on another device; searches find it there, and here once it has ended.
        case goingOn = 14
        /// The activity is left out, because there are too many activities.
        case leftOut = 15
        /// A better result about the same thing is shown in its place.
        case joined = 16
        /// The item that the activity is about is not in the index.
        case itemless = 17
    }
}
