import BatonCore

/// The parameters of a search by words: the number of wanted results, the present time, and the scope of the search.
struct WordRequest {
    let most: Int
    let now: WallTime
    let scope: SearchScope
    /// Whether the results have snippets, which are the parts of their texts that contain the words.
    var hasSnippets = true
    /// The things whose meaning is similar to the meaning of the words.
    var nearness = Nearness()
}
