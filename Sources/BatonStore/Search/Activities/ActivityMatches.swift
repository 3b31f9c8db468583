import BatonCore

/// The activities that a search by words may show, and those that it finds.
struct ActivityMatches {
    /// The number of all activities that the search may show.
    var all = 0
    /// The number of activities with each phrase.
    var counts: [Int]
    var found: [Match] = []

    /// An activity that has all phrases, or whose meaning is near.
    struct Match {
        let identity: RecordIdentity
        let activity: SearchedActivity
        /// Where the phrases stand; empty if only the meaning is near.
        let places: [TextRank.Place]
    }

    init(phraseCount: Int) { counts = [Int](repeating: 0, count: phraseCount) }
}
