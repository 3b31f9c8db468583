import BatonCore
import BatonStore
import Support

/// Promises 1 to 3 for searches: every stored item with all the words is found, and no other item, and devices in step
/// find the same in the same order.
final class SearchIsTrue: Checker {
    private static let stream = "searches"

    func noteCommit(at node: SimulatedNode, _ world: World) {
        if world.streams[Self.stream].chance(2) { judge(node, world) }
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest { judge(node, world) }
        compare(world)
    }

    /// Checks that nodes with the same items find the same, in the same order.
    private func compare(_ world: World) {
        let (queries, now) = ((0..<3).map { _ in world.query() }, world.honest.first?.wallTime)
        guard let now else { return }
        var first: (node: SimulatedNode, items: Set<WordTable.Item>, found: [SearchReader.Finding])?
        for node in world.honest {
            guard let contents = node.contents as? SQLiteContents, !contents.store.isUnsettled(.index) else {
                continue
            }
            let items = Set(WordTable(contents.allRecords).items)
            let found = contents.search { (reader) throws(StoreFailure) in
                var found: [SearchReader.Finding] = []
                for query in queries { found.append(try reader.find(query, most: 1000, at: now)) }
                return found
            }
            guard found.allSatisfy(\.isWhole) else { continue }
            guard let first else {
                first = (node, items, found)
                continue
            }
            guard first.items == items, first.node.visible == node.visible else { continue }
            world.marks[.itemsFound] += found.reduce(0) { $0 + $1.items.count }
            for (query, (mine, others)) in zip(queries, zip(found, first.found)) where mine != others {
                world.violate(
                    .convergence, about: Violation.Subject(at: node),
                    "\(node.name) finds \(mine.items.map(\.identifier)) for “\(query)”, and "
                        + "\(first.node.name) \(others.items.map(\.identifier))")
            }
        }
    }

    private func judge(_ node: SimulatedNode, _ world: World) {
        guard let contents = node.contents as? SQLiteContents else { return }
        let table = WordTable(contents.allRecords)
        guard !table.items.isEmpty else { return }
        contents.search { (reader) throws(StoreFailure) in
            for _ in 0..<2 {
                let query = world.query()
                let now = world.streams[Self.stream].pick([node.wallTime, WallTime(milliseconds: .min)])
                let most = world.streams[Self.stream].number(0...6)
                let all = try reader.find(query, most: 1000, at: now)
                let some = try reader.find(query, most: most, at: now)
                judge(all, some, most, table.matches(query, at: now), query, node)
            }
        }
    }

    /// Compares the found items with the stored ones.
    private func judge(
        _ all: SearchReader.Finding, _ some: SearchReader.Finding, _ most: Int,
        _ expected: [WordTable.Item], _ query: String, _ node: SimulatedNode
    ) {
        // Ended batches that are not merged may change the stored items.
        guard all.coverage != .merging else { return }
        guard all.corrected == nil else {
            // Other words were searched for, which is right only if no item has those that were typed.
            if !expected.isEmpty {
                node.world.violate(
                    .acknowledgedIsKept, about: Violation.Subject(at: node),
                    "\(node.name) does not find “\(query)” in \(expected[0].name), but looks for other words")
            }
            return
        }
        let (found, names) = (Set(all.items.map(\.name)), Set(expected.map(\.name)))
        node.world.marks[.itemsFound] += found.count
        if all.coverage == .refilling { node.world.marks[.searchesRefilled] += 1 }
        if let extra = found.subtracting(names).first ?? all.items.firstTwice {
            node.world.violate(
                .noResurrection, about: Violation.Subject(at: node),
                "\(node.name) finds “\(query)” in \(extra), which does not have it, is not there, or was found"
            )
        }
        if all.isWhole, let missing = names.subtracting(found).first {
            node.world.violate(
                .acknowledgedIsKept, about: Violation.Subject(at: node),
                "\(node.name) does not find “\(query)” in \(missing)")
        }
        let scores = all.things.map { $0.rank?.score ?? -1 }
        guard scores.allSatisfy({ $0 >= 0 }), scores == scores.sorted(by: >) else {
            return node.world.violate(
                .convergence, about: Violation.Subject(at: node),
                "\(node.name) finds “\(query)” in another order than by rank: \(scores)")
        }
        guard some.things.count == min(most, all.things.count),
            some.things.allSatisfy({ thing in all.things.contains { $0.thing == thing.thing } })
        else {
            return node.world.violate(
                .bounds, about: Violation.Subject(at: node),
                "\(node.name) finds \(some.things.count) and \(all.things.count) of “\(query)”, where \(most) are wanted"
            )
        }
    }
}

/// The words of all items of a store, read from their records one by one.
private struct WordTable {
    private(set) var items: [Item] = []

    struct Item: Hashable {
        let name: ItemName
        let expiration: WallTime?
        /// The words of each column, from the one with the highest weight to the one with the lowest.
        let words: [[String]]
    }

    init(_ records: [Record]) {
        for record in records {
            guard let text = SearchText(record), let name = ItemName(record) else { continue }
            let words = text.texts.map { text in
                text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
            }
            items.append(Item(name: name, expiration: record.plainExpiration, words: words))
        }
    }

    /// Returns the items that have all words and have not expired.
    func matches(_ query: String, at now: WallTime) -> [Item] {
        let terms = Term.all(of: query)
        // A search without words finds nothing.
        guard !terms.isEmpty else { return [] }
        return items.filter { item in
            item.expiration.map { $0 > now } ?? true
                && terms.allSatisfy { term in item.words.joined().contains(where: term.matches) }
        }
    }

    /// A word of a query; the last one may be the beginning of a word.
    private struct Term {
        let word: String
        let isOpen: Bool

        func matches(_ other: String) -> Bool { isOpen ? other.hasPrefix(word) : other == word }

        static func all(of query: String) -> [Term] {
            let words = query.split(separator: " ").map(String.init)
            return words.enumerated().map { place, word in
                Term(word: word, isOpen: place == words.count - 1 && !query.hasSuffix(" "))
            }
        }
    }
}

extension World {
    private static let words = ["red", "reed", "blue", "b", "4"]

    /// Returns some words for an item, or nil.
    func words() -> [String]? {
        guard streams["words"].chance(60) else { return nil }
        return (0..<streams["words"].number(1...4)).map { _ in streams["words"].pick(Self.words) }
    }

    /// Returns words that a person looks for.
    fileprivate func query() -> String {
        let words = (0..<streams["queries"].number(0...2)).map { _ in
            streams["queries"].pick(Self.words + ["item", "re", "1"])
        }
        return words.joined(separator: " ") + (streams["queries"].chance(50) ? " " : "")
    }
}

extension [FoundItem] {
    /// The name of an item that occurs twice.
    fileprivate var firstTwice: ItemName? {
        var names: Set<ItemName> = []
        return map(\.name).first { !names.insert($0).inserted }
    }
}

extension SearchReader.Finding {
    /// The items among the things that were found, in their order.
    var items: [FoundItem] { things.compactMap(\.thing.item) }
}
