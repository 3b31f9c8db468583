import BatonCore

/// The activities that a search by words finds, and the numbers of all activities that it may show.
struct ActivityMatches {
    /// The number of all activities that the search may show.
    var all = 0
    /// The number of activities that have each phrase.
    var counts: [Int]
    var found: [Match] = []

    /// An activity that has all phrases or a similar meaning.
    struct Match {
        let identity: RecordIdentity
        let activity: SearchedActivity
        /// The places of the phrases in the activity's text; empty if only the meaning is similar.
        let places: [TextRank.Place]
    }

    init(phraseCount: Int) { counts = [Int](repeating: 0, count: phraseCount) }
}
