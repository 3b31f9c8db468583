import BatonCore

/// Reads the content of groups, and makes one result of each group.
struct GroupReader {
    let index: LaneReader
    let phrases: [Phrase]
    /// Whether the results have snippets, which are the parts of the texts that contain the phrases.
    let hasSnippets: Bool

    /// Returns the results of groups that were ranked in the same read transaction.
    func results(of groups: [ThingGroup]) throws(StoreFailure) -> [ShownThing] {
        var (results, maker) = ([ShownThing](), SnippetMaker(phrases))
        for group in groups {
            var (parts, fields) = ([ShownThing](), Fields?.none)
            for member in group.members {
                switch member.subject {
                case .item(let number, let kept):
                    // The item exists, because it was ranked in the same read transaction.
                    let read = if let kept { kept } else { try index.records.item(number: number) }
                    guard let item = read else { continue }
                    parts.append(ShownThing(item, member.rank))
                    fields = fields ?? item.content.fields
                case .activity(let activity):
                    parts.append(
                        ShownThing(
                            thing: .activity(activity.found), rank: member.rank,
                            devices: [activity.device].compactMap(\.self), expiration: activity.expiration))
                }
            }
            guard var result = ShownThing(joining: parts) else { continue }
            if hasSnippets {
                result.addSnippet(of: fields.flatMap { SearchText($0)?.texts } ?? [], by: &maker)
            }
            results.append(result)
        }
        return results
    }
}
