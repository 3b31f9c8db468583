import BatonCore

/// A search by words as it is asked: how many results are wanted, of which things, and when.
struct WordRequest {
    let most: Int
    let now: WallTime
    let scope: SearchScope
    /// Whether the parts of the texts where the words are belong to the results.
    var hasSnippets = true
    /// The things whose meaning is near to that of the words.
    var nearness = Nearness()
}
