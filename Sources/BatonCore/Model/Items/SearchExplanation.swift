/// Tells why a search shows an item or an activity, or why it does not.
package struct SearchExplanation: Equatable, Sendable {
    package var outcome: Outcome
    /// The thing's title, if it is known and has one.
    package var title: String?
    /// The app that has the item or saved the activity.
    package var app: String?
    /// The index that the item is in.
    package var index: String?
    /// The words that were searched for and that the thing does not have.
    package var words: [String] = []
    /// The place among the results of the words, from 1.
    package var place: Int?

    package init(_ outcome: Outcome, title: String? = nil, app: String? = nil, index: String? = nil) {
        self.outcome = outcome
        self.title = title
        self.app = app
        self.index = index
    }

    package enum Outcome: UInt64, CaseIterable, Sendable {
        /// A search shows it.
        case shown = 1
        /// Nothing of it is here.
        case unknown = 2
        case deleted = 3
        case expired = 4
        /// The person hid it on this machine.
        case hidden = 5
        /// Its app did not make it eligible for search.
        case ineligible = 6
        /// It goes on, and nothing of it is saved, because this machine is private.
        case isPrivate = 7
        /// The person has switched searching of the app off.
        case appOff = 8
        /// It has no text that is searched.
        case wordless = 9
        /// The words of the items are being gathered, and its words are not yet.
        case gathering = 10
        /// A batch that has it has not been merged yet.
        case merging = 11
        /// It lacks some of the words.
        case lacksWords = 12
        /// It has the words, and others are better.
        case rankedBelow = 13
        /// It goes on on another device; searches find it there, and here once it has ended.
        case goingOn = 14
        /// It is left out, because there are too many activities.
        case leftOut = 15
        /// A better result about the same thing is shown in its place.
        case joined = 16
        /// The item that the activity is about is not in the index.
        case itemless = 17
    }
}
