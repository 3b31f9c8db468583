import BatonCore

/// The limits of the work that one search does.
///
/// A simulated world has too few items to reach the real limits. So the simulator chooses limits at random, between
/// tiny and real values.
package struct SearchLimits: Equatable, Sendable {
    /// The largest number of items with all words that are ranked.
    ///
    /// If more items have all words, only the items in memory are ranked, which are the newest and those opened last.
    package var rankedItems = 4000
    /// The largest number of items that are in memory because they are the newest.
    package var newestItems = 4096
    /// The largest number of items that are in memory because the person opened them last.
    package var openedItems = 1024
    /// The largest number of ended activities in memory.
    ///
    /// These are the activities with the latest changes.
    package var activities = Limits.finishedActivities
    /// The largest number of bytes that the ended activities may take in memory.
    package var activityBytes = 8 << 20
    /// The largest number of completions that are looked up for incomplete words.
    package var completions = SearchTerm.completionsMost
    /// The largest number of items that one step of a query reads.
    package var stepItems = 200
    /// The largest number of activities that one step of a query reads.
    package var stepActivities = 100
    /// The largest number of rows whose scopes one step of a query reads.
    package var stepScopes = 1_000
    /// The largest number of candidates that a query reads from the full-text table at once.
    package var wordsAtOnce = 5_000
    /// The number of items that a query finds in addition to the wanted number before it leaves out older items.
    package var spareItems = 20
    /// The smallest number of candidates that a query reads in the order of its results, so that it can stop early.
    package var walkedItems = 200
    /// The largest number of steps for one page of a query.
    ///
    /// Otherwise, a search by a person might wait long for the page.
    package var pageSteps = 16

    package init() {}
}
