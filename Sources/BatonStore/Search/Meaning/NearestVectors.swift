import BatonCore

/// Collects the vectors that are most similar to the vector of a search.
struct NearestVectors {
    private let wanted: Embedding
    /// The numbers and scores of the most similar vectors, the best first.
    private(set) var best: [(number: Int64, score: Double)] = []

    init(to wanted: Embedding) { self.wanted = wanted }

    /// The largest number of vectors that are collected.
    private static let most = 200

    mutating func add(_ number: Int64, _ vector: [UInt8]) {
        let score = wanted.cosine(vector).map(Embedding.score) ?? 0
        guard score > 0, best.count < Self.most || score > best[best.count - 1].score else { return }
        if best.count == Self.most { best.removeLast() }
        var (low, high) = (0, best.count)
        while low < high {
            let middle = (low + high) / 2
            if best[middle].score < score { high = middle } else { low = middle + 1 }
        }
        best.insert((number, score), at: low)
    }
}
