import BatonCore

/// Groups items and activities that are about the same things.
///
/// It ranks only the items that the best groups need.
struct ThingGrouper {
    private let ranker: ItemRanker
    private let recent: RecentItems
    private let request: WordRequest
    /// The ranked activities, the best first.
    private let activities: [RankedThing]

    /// The number of items that are ranked at first for each wanted result.
    private static let firstShare = 3
    /// The factor by which more items are ranked if there are not enough groups.
    private static let growth = 8

    init(store: SearchedStore, request: WordRequest, activities: [RankedThing]) {
        ranker = ItemRanker(store: store, request: request)
        recent = store.recent
        self.request = request
        self.activities = activities
    }

    /// Returns the number of items that are ranked at first, and of activities that are read in one step.
    static func firstMost(_ request: WordRequest) -> Int { firstShare * request.most }

    /// The number of items that are ranked at first.
    var firstMost: Int { Self.firstMost(request) }

    /// Returns the best groups, the best first.
    ///
    /// If groups are equally good, the later one comes first.
    ///
    /// Returns nil if items that were left out of the candidates may be among the best.
    func groups(of candidates: WordCandidates) throws(StoreFailure) -> [ThingGroup]? {
        let items = ScoredItems(candidates, request, recent)
        // A few of the best items are nearly always enough, and sorting many items takes time.
        if let best = items.best(firstMost), let groups = try groups(ordered: best.ordered) { return groups }
        return try groups(ordered: items.ordered)
    }

    private func groups(ordered: ScoredItems) throws(StoreFailure) -> [ThingGroup]? {
        var most = firstMost
        while true {
            guard let ranked = try ranker.best(most, of: ordered) else { return nil }
            let groups = ThingGroup.groups(of: ranked + activities)
            // If many of the ranked items are about the same things, there are too few groups, and more items are
            // ranked.
            guard groups.count < request.most, ranked.count == most,
                most < ordered.items.count || ordered.floor != nil
            else { return Array(groups.prefix(request.most)) }
            most *= Self.growth
        }
    }
}
