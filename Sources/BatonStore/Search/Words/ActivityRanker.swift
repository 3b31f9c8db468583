import BatonCore

/// Ranks the activities that a search by words finds.
struct ActivityRanker {
    let store: SearchedStore
    let request: WordRequest

    /// Ranks the activities that have all words or a similar meaning, and returns the best that are still in the store.
    ///
    /// `text` is nil if no activity has all words.
    func best(of matches: ActivityMatches, _ text: TextRank?) throws(StoreFailure) -> [RankedThing] {
        var ranked = matches.found.map { (identity: $0.identity, thing: rank($0, text)) }
        ranked.sort { $0.thing.precedes($1.thing) }
        let most = ThingGrouper.firstMost(request)
        var (best, related) = ([RankedThing](), RelatedItems(store.index, at: request.now))
        // Several activities may be about the same thing, so further activities are read until there are enough groups.
        var rest = ranked[...]
        while !rest.isEmpty, ThingGroup.groups(of: best).count < most {
            let step = rest.prefix(most)
            rest = rest.dropFirst(step.count)
            let present = try store.saved.present(step.map(\.identity))
            for (identity, thing) in step where present.contains(identity) {
                if try related.have(thing.names) { best.append(thing) }
            }
        }
        return best
    }

    private func rank(_ match: ActivityMatches.Match, _ text: TextRank?) -> RankedThing {
        let activity = match.activity
        let score = match.places.isEmpty ? 0 : text?.score(match.places, sizes: activity.text.sizes) ?? 0
        let rank = ItemRank(
            text: score, meaning: request.nearness.activities[match.identity] ?? 0,
            use: store.recent.use(of: match.identity) ?? store.saved.use(of: match.identity),
            activity.facts, at: request.now)
        return RankedThing(
            subject: .activity(activity), rank: rank, names: activity.names, age: ItemAge(activity.found))
    }
}
