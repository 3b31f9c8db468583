package import BatonCore

/// One result of a search: an item, an activity, or several of them about the same thing.
package struct ShownThing: Equatable, Sendable {
    package var thing: FoundThing
    /// The rank of the thing among the results; nil if the results are not ranked.
    package var rank: ItemRank?
    /// The position of the thing among the results of a query; nil if the thing was found by words.
    package var position: QueryPosition?
    /// The lives that wrote the items, in ascending order.
    package var writers: [Life] = []
    /// The devices where the activities took place, in ascending order.
    package var devices: [DeviceIdentifier] = []
    /// The part of the thing's texts that contains the words of the search.
    package var snippet: Snippet?
    /// The requested attributes of the item, or of the activity if there is no item; nil if no attributes were
    /// requested.
    package var attributes: Fields?
    /// The time at which the first of the joined results expires; nil if none of them expires.
    package var expiration: WallTime?
    /// The results about the same thing that were joined into this result, the best first.
    ///
    /// This is empty if there was only one.
    var parts: [ShownThing] = []
}

extension ShownThing {
    /// Creates the result of an item, by default without a rank.
    init(_ item: StoredItem, _ rank: ItemRank? = nil) {
        self.init(
            thing: .item(FoundItem(item.name, item.content)), rank: rank, writers: [item.writer],
            expiration: item.expiration)
    }

    /// Joins results about the same thing, the best first; returns nil if there are none.
    init?(joining all: [ShownThing]) {
        if all.count == 1 {
            self = all[0]
            return
        }
        let item = all.lazy.compactMap(\.thing.item).first
        let activity = all.lazy.compactMap(\.thing.activity).first
        guard let thing = FoundThing(item, activity) else { return nil }
        self.init(
            thing: thing, rank: all[0].rank, position: all[0].position,
            writers: Set(all.flatMap(\.writers)).sorted(),
            devices: Set(all.flatMap(\.devices)).sorted(),
            attributes: (all.first { $0.thing.item != nil } ?? all[0]).attributes,
            expiration: all.compactMap(\.expiration).min(), parts: all)
    }

    /// Adds the snippet, which is the part of the item's texts or of the activity's summary that contains the words.
    mutating func addSnippet(of texts: @autoclosure () -> [String], by maker: inout SnippetMaker) {
        let summary = [thing.activity?.summary].compactMap(\.self)
        snippet = maker.snippet(title: thing.title, texts: texts() + summary)
    }

    /// Shows the requested attributes instead of the title, the description and the address.
    mutating func show(_ attributes: FetchedAttributes, of fields: Fields) {
        var (item, activity) = (thing.item, thing.activity)
        item?.title = nil
        item?.summary = nil
        item?.url = nil
        activity?.title = nil
        activity?.summary = nil
        activity?.url = nil
        if let bare = FoundThing(item, activity) { thing = bare }
        self.attributes = Fields { writer in
            for field in fields where attributes.contains(field.name) { writer.add(field) }
        }
    }

    /// The approximate number of bytes that the result takes in an answer.
    package var byteCount: Int {
        let texts = (thing.title?.utf8.count ?? 0) + (thing.summary?.utf8.count ?? 0)
        let further = (thing.url?.utf8.count ?? 0) + (snippet?.text.utf8.count ?? 0)
        return 512 + (attributes?.encodedCount ?? 0) + texts + further
    }
}
