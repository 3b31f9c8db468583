/// The rank of an item in a search: how well its texts match, and what else speaks for it.
package struct ItemRank: Equatable, Sendable {
    /// The score of the texts.
    package let text: Double
    /// The factor for how often and how recently the person opened it, on any device: from 1 up.
    package let use: Double
    /// The factor for what its app says about it: around 1.
    package let hint: Double
    /// The factor for how new it is: from 1 up.
    package let freshness: Double
    /// The score of how near the meaning of its text is to that of the search; zero without a program for that.
    package let meaning: Double

    package init(text: Double, use: Double, hint: Double, freshness: Double, meaning: Double = 0) {
        (self.text, self.use, self.hint, self.freshness) = (text, use, hint, freshness)
        self.meaning = meaning
    }

    /// The score by which items are ordered.
    package var score: Double { (text + meaning) * use * hint * freshness }
}
