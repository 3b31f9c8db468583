import BatonCore

/// The limits of the work that one search does.
///
/// The simulator draws them between tiny and real values, because a simulated world has too few items for the real
/// ones.
package struct SearchLimits: Equatable, Sendable {
    /// If more items than this have all words, only those in memory are ranked: the newest, and those that were opened.
    package var rankedItems = 4000
    /// The number of newest items in memory.
    package var newestItems = 4096
    /// The most items that are in memory because they were opened last.
    package var openedItems = 1024
    /// The most ended activities in memory, which are those with the latest changes.
    package var activities = Limits.finishedActivities
    /// The most completions that are looked up for words that were typed in part.
    package var completions = SearchTerm.completionsMost
    /// A step of a query looks at this many items at most.
    package var stepItems = 200
    /// A step of a query looks at this many activities at most.
    package var stepActivities = 100
    /// The most rows whose scopes are looked at in one step of a query.
    package var stepScopes = 1_000
    /// The most candidates with words that a query takes at once.
    package var wordsAtOnce = 5_000
    /// How many items a query finds in addition to those wanted before it leaves out older ones.
    package var spareItems = 20
    /// A page of a query takes this many steps at most, so that a search by a person does not wait for it.
    package var pageSteps = 16

    package init() {}
}
