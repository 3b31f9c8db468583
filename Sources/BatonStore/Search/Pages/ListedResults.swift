import BatonCore

/// The list of all results of a search by words, which is made when the search begins.
///
/// It does not have the content of the results. The content is read again for each page.
final class ListedResults {
    private var rest: ArraySlice<[Listed]>
    private let phrases: [Phrase]
    private let attributes: FetchedAttributes?
    let coverage: SearchCoverage
    let corrected: String?

    /// An item or an activity that is a result or a part of a joined result.
    private struct Listed {
        let item: ItemName?
        let activity: RecordIdentity?
        let rank: ItemRank?
    }

    /// The largest number of results that are read for one page.
    ///
    /// Any number of these results may have been deleted since the search began.
    private static let lookedMost = 2000

    init(_ finding: SearchFinding, of phrases: [Phrase], attributes: FetchedAttributes?) {
        rest =
            finding.things.map { found in
                (found.parts.isEmpty ? [found] : found.parts).map { part in
                    Listed(item: part.thing.item?.name, activity: part.activity, rank: part.rank)
                }
            }[...]
        self.phrases = finding.corrected.map { Phrase.all(of: $0 + " ") } ?? phrases
        self.attributes = attributes
        (coverage, corrected) = (finding.coverage, finding.corrected)
    }

    /// Whether no further results follow.
    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next results as they are now.
    ///
    /// It returns at most `most` results, and stops when they have about `bytes` bytes. Deleted results are skipped.
    func next(
        _ most: Int, bytes: Int, at now: WallTime, in scope: SearchScope, of store: SearchedStore
    ) throws(StoreFailure) -> [ShownThing] {
        var (things, size, looked) = ([ShownThing](), 0, 0)
        var maker = SnippetMaker(phrases)
        while things.count < most, size < bytes, looked < Self.lookedMost, let listed = rest.popFirst() {
            looked += 1
            guard let found = try present(listed, &maker, at: now, in: scope, of: store) else { continue }
            size += found.byteCount
            things.append(found)
        }
        return things
    }

    /// Returns a result as it is now; nil if none of its parts may be shown.
    private func present(
        _ listed: [Listed], _ maker: inout SnippetMaker, at now: WallTime, in scope: SearchScope,
        of store: SearchedStore
    ) throws(StoreFailure) -> ShownThing? {
        var (parts, texts) = ([ShownThing](), [String]?.none)
        var related = RelatedItems(store.index, at: now)
        for part in listed {
            if let name = part.item, !scope.appsOff.contains(name.app),
                let number = try store.index.tables.records.number(of: name.key.identity),
                let item = try store.index.records.item(number: number), !item.hasExpired(at: now),
                scope.admits(item)
            {
                var found = ShownThing(item, part.rank)
                if let attributes {
                    found.show(attributes, of: item.content.fields)
                } else if texts == nil {
                    texts = SearchText(item.content.fields)?.texts
                }
                parts.append(found)
            }
            if let identity = part.activity,
                let activity = try store.saved.queried([identity], nil, in: scope, at: now).first,
                try related.have(activity.names)
            {
                var found = ShownThing(
                    thing: .activity(activity.found), rank: part.rank,
                    devices: [activity.device].compactMap(\.self))
                if let attributes { found.show(attributes, of: activity.item.attributes.fields) }
                parts.append(found)
            }
        }
        guard var found = ShownThing(joining: parts) else { return nil }
        if attributes == nil { found.addSnippet(of: texts ?? [], by: &maker) }
        return found
    }
}

extension ShownThing {
    /// The identity of the activity's record; nil if the result has no activity.
    fileprivate var activity: RecordIdentity? {
        thing.activity.flatMap { KeyHash(text: $0.identifier) }.map {
            RecordIdentity(kind: .savedActivity, hash: $0)
        }
    }
}
