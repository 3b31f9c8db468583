import BatonCore
import BatonStore
import Support
import Testing

@testable import BatonNode

/// A source of searches over a store in a temporary folder, which answers only when the test says so.
final class LateSource: SearchSource {
    private let folder: TemporaryFolder
    private let reader: SearchReader
    /// The answers that were not given yet, oldest first.
    private var waiting: [() -> Void] = []
    /// The numbers of the searches with pages whose results the source holds.
    private(set) var held: Set<UInt64> = []
    /// The number of questions that were asked.
    private(set) var questions = 0
    /// The failure of all further questions; nil if they don't fail.
    var failure: StoreFailure?
    /// The suggestions for each text.
    var suggestions: [SearchSuggestion] = []

    static let now = WallTime(milliseconds: 1_000_000)

    /// Creates a source with these items.
    init(_ items: [IndexedItem]) throws {
        folder = try TemporaryFolder()
        let account = AccountIdentifier(high: 1, low: 2)
        let store = try SQLiteStore(folder: folder.path, account: account)
        var journal = Journal(life: Life(high: 5, low: 1), latest: .zero)
        let drafts = items.map { Journal.Draft(.full($0.item.content($0.name)), $0.name.key) }
        for start in stride(from: 0, to: drafts.count, by: 100) {
            let some = Array(drafts[start..<min(start + 100, drafts.count)])
            let transaction = journal.transaction(.index, some, now: Self.now)
            _ = try store.commit(try #require(transaction))
        }
        reader = try SearchReader(folder: folder.path, stop: SearchStop())
    }

    var isWaiting: Bool { !waiting.isEmpty }

    /// Gives one of the answers that were not given yet.
    func answerOne(_ generator: inout SeededGenerator) {
        waiting.remove(at: generator.number(0...waiting.count - 1))()
    }

    /// Drops the results that are held for a search, as if another database had replaced the store.
    func lose(_ number: UInt64) {
        held.remove(number)
        reader.end(number)
    }

    private func ask<Value>(
        for wish: SearchWish, then: @escaping (Result<Value, StoreFailure>) -> Void,
        _ question: () throws(StoreFailure) -> Value
    ) {
        questions += 1
        let result: Result<Value, StoreFailure>
        do throws(StoreFailure) {
            result = if let failure { .failure(failure) } else { .success(try question()) }
        } catch {
            result = .failure(error)
        }
        waiting.append { then(wish.hasEnded ? .failure(StoreFailure(.failed, "cancelled")) : result) }
    }

    func find(
        _ text: String, most: Int, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        ask(for: wish, then: then) { () throws(StoreFailure) in
            try reader.find(text, most: most, at: Self.now, in: scope)
        }
    }

    func find(
        _ query: SearchQuery, most: Int, sorting: QueryOrder, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        ask(for: wish, then: then) { () throws(StoreFailure) in
            try reader.find(query, most: most, sorting: sorting, at: Self.now, in: scope)
        }
    }

    func begin(
        _ number: UInt64, _ search: PagedSearch, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        ask(for: wish, then: then) { () throws(StoreFailure) in
            let page = try reader.begin(number, search, at: Self.now, in: scope)
            if !page.isLast { held.insert(number) }
            return page
        }
    }

    func nextPage(
        of number: UInt64, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        ask(for: wish, then: then) { () throws(StoreFailure) in
            let page = try reader.nextPage(number, at: Self.now, in: scope)
            if page?.isLast ?? true { held.remove(number) }
            return page
        }
    }

    func end(_ number: UInt64) {
        held.remove(number)
        reader.end(number)
    }

    func suggest(
        _ text: String, most: Int, in scope: SearchScope, except apps: Set<String>, for wish: SearchWish,
        then: @escaping (Result<[SearchSuggestion], StoreFailure>) -> Void
    ) {
        ask(for: wish, then: then) { Array(suggestions.prefix(most)) }
    }
}

/// An item with its name.
struct IndexedItem {
    let name: ItemName
    var item: Item

    init(_ identifier: String, _ title: String, app: String = "org.example", indexed: Int64 = 1) {
        name = ItemName(app: app, index: "default", identifier: identifier)
        item = Item(indexed: WallTime(milliseconds: indexed))
        item.attributes[.title] = .plain(.string(title))
    }

    /// Draws an item whose time and values often equal those of others, or are missing.
    static func drawn(_ number: Int, _ generator: inout SeededGenerator) throws -> IndexedItem {
        let words = ["tea", "green", "coffee", "cup", "leaf", "pot"]
        let title = (["tea"] + (0..<generator.number(0...4)).map { _ in generator.pick(words) })
            .joined(separator: " ")
        var drawn = IndexedItem(
            "\(number)", title, app: generator.pick(["org.example", "org.other"]),
            indexed: Int64(generator.number(0...30)))
        let values: [(name: String, value: PropertyValue)] = [
            ("own_number", .integer(Int64(generator.number(-5...5)))),
            ("own_text", .string(generator.pick(["a", "A", "é", "e", "", "漢"]))),
        ]
        for (name, value) in values where generator.chance(80) {
            drawn.item.attributes[try #require(CustomAttribute(name: name)).field] = .plain(value)
        }
        return drawn
    }
}

/// The items of one source, divided between two, and three sources over them.
struct DividedItems {
    let whole, first, second: LateSource
    /// The names of the items of the second source.
    let secrets: Set<ItemName>

    /// Divides drawn items at random.
    init(_ count: Int, _ generator: inout SeededGenerator) throws {
        var items: [IndexedItem] = []
        for number in 0..<count { items.append(try .drawn(number, &generator)) }
        let share = generator.pick([5, 50, 50, 95])
        let areSecret = items.map { _ in generator.chance(share) }
        try self.init(items) { areSecret[$0] }
    }

    /// Divides items; the closure says whether the item at a place of the list is in the second source.
    init(_ items: [IndexedItem], isSecret: (Int) -> Bool) throws {
        let divided = items.enumerated().map { (indexed: $1, isSecret: isSecret($0)) }
        whole = try LateSource(items)
        first = try LateSource(divided.filter { !$0.isSecret }.map(\.indexed))
        second = try LateSource(divided.filter(\.isSecret).map(\.indexed))
        secrets = Set(divided.filter(\.isSecret).map(\.indexed.name))
    }

    /// Gives answers of all sources, in any order, until no answer is waiting.
    ///
    /// The closure is called before each answer.
    func answerAll(_ generator: inout SeededGenerator, before: (inout SeededGenerator) -> Void = { _ in }) {
        while true {
            let sources = [whole, first, second].filter(\.isWaiting)
            guard !sources.isEmpty else { return }
            before(&generator)
            generator.pick(sources).answerOne(&generator)
        }
    }
}

extension [ShownThing] {
    /// The names of the items among the results.
    var names: [ItemName] { compactMap(\.thing.item?.name) }
}
