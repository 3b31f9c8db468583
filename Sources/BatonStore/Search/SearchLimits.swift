import BatonCore

/// The limits of the work that one search does.
///
/// The simulator draws them from tiny to real, because the few items of a world reach none of the real ones.
package struct SearchLimits: Equatable, Sendable {
    /// If more items than this have all words, only those in memory are ranked: the newest, and those that were opened.
    package var rankedItems = 4000
    /// The number of newest items in memory.
    package var newestItems = 4096
    /// The most opened items in memory, those that were opened last.
    package var openedItems = 1024
    /// The most ended activities in memory, those that changed last.
    package var activities = Limits.finishedActivities
    /// The most words that complete those of a search that were typed in part.
    package var completions = SearchTerm.completionsMost
    /// A step of a query looks at this many items at most.
    package var stepItems = 200
    /// A step of a query looks at this many activities at most.
    package var stepActivities = 100
    /// The most rows whose scopes are looked at in one step of a query.
    package var stepScopes = 1_000
    /// The most candidates with words that a query takes at once.
    package var wordsAtOnce = 5_000
    /// Items that a query finds besides those wanted before older ones are left out.
    package var spareItems = 20
    /// A page of a query takes this many steps at most, so that a search by a person does not wait for it.
    package var pageSteps = 16

    package init() {}
}
