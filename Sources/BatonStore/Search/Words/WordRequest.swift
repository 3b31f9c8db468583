import BatonCore

/// A search by words, with the wanted number of results, the present time, and the things that may be shown.
struct WordRequest {
    let most: Int
    let now: WallTime
    let scope: SearchScope
    /// Whether results include the parts of their texts where the words are.
    var hasSnippets = true
    /// The things whose meaning is near to that of the words.
    var nearness = Nearness()
}
