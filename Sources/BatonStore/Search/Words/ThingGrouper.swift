import BatonCore

/// Joins items and activities about the same things, and ranks only the items that the best groups need.
struct ThingGrouper {
    private let ranker: ItemRanker
    private let recent: RecentItems
    private let request: WordRequest
    /// The ranked activities, the best first.
    private let activities: [RankedThing]

    /// The number of items that are ranked first for each result that is wanted.
    private static let firstShare = 3
    /// The factor by which more items are ranked if many results are about the same things.
    private static let growth = 8

    init(store: SearchedStore, request: WordRequest, activities: [RankedThing]) {
        ranker = ItemRanker(store: store, request: request)
        recent = store.recent
        self.request = request
        self.activities = activities
    }

    /// The number of items that are ranked first, and the number of activities that are looked at in one step.
    static func firstMost(_ request: WordRequest) -> Int { firstShare * request.most }

    /// The number of items that are ranked first.
    var firstMost: Int { Self.firstMost(request) }

    /// Returns the best groups, best first; of equally good groups, the one that was indexed later comes first.
    ///
    /// Nil if items that were left out of the candidates may be among the best.
    func groups(of candidates: WordCandidates) throws(StoreFailure) -> [ThingGroup]? {
        let items = ScoredItems(candidates, request, recent)
        // The best few are nearly always enough, and sorting many takes a while.
        if let best = items.best(firstMost), let groups = try groups(ordered: best.ordered) { return groups }
        return try groups(ordered: items.ordered)
    }

    private func groups(ordered: ScoredItems) throws(StoreFailure) -> [ThingGroup]? {
        var most = firstMost
        while true {
            guard let ranked = try ranker.best(most, of: ordered) else { return nil }
            let groups = ThingGroup.groups(of: ranked + activities)
            // If many of the ranked items are about the same things, more items are ranked.
            guard groups.count < request.most, ranked.count == most,
                most < ordered.items.count || ordered.floor != nil
            else { return Array(groups.prefix(request.most)) }
            most *= Self.growth
        }
    }
}
