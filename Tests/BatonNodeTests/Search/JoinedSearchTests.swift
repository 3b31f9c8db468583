import BatonCore
import BatonStore
import Support
import Testing

@testable import BatonNode

/// Searches that ask two sources and tell all results at once.
@Suite struct `Searching in two sources at once` {
    private static let present = PresentTime(LateSource.now) { _ in 0 }

    /// The lines that a search has logged.
    private final class Lines { var all: [String] = [] }

    private static func joined(
        _ first: LateSource, _ second: LateSource?, _ lines: Lines = Lines()
    ) -> JoinedSearches {
        let searches = JoinedSearches(first, log: Log { lines.all.append($0) })
        searches.second = second
        return searches
    }

    private typealias Found = Result<SearchFinding, StoreFailure>

    /// Searches for words, and returns the answer; the closure is called once the question was asked.
    private static func find(
        _ text: String, in searches: JoinedSearches, _ sources: [LateSource], most: Int = 50,
        for wish: SearchWish = SearchWish(), meanwhile: () -> Void = {}
    ) throws -> Found {
        var answers: [Found] = []
        searches.find(text, most: most, in: SearchScope(), for: wish) { answers.append($0) }
        meanwhile()
        var generator = SeededGenerator(seed: 1)
        while let source = sources.first(where: \.isWaiting) { source.answerOne(&generator) }
        #expect(answers.count == 1)
        return try #require(answers.first)
    }

    private static func source(_ titles: String...) throws -> LateSource {
        try LateSource(titles.map { IndexedItem($0, $0) })
    }

    // MARK: The same results as one source

    @Test(arguments: Seeds.first(6))
    func `sorted queries find the same results in the same order as one source over all items`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(90, &generator)
        let searches = Self.joined(items.first, items.second)
        for text in ["*", "own_number >= 0", #"own_text == "e*"cd"#, #"title == "*cup*""#] {
            let query = try SearchQuery(text, at: Self.present)
            for _ in 0..<6 {
                let sorts = (0..<generator.number(0...2)).map { _ in
                    QuerySort(
                        generator.pick(["own_number", "own_text", "title"]),
                        isDescending: generator.chance(50))
                }
                let sorting = try #require(QueryOrder(sorts))
                let most = generator.number(0...110)
                var (expected, found): (Found?, Found?)
                items.whole.find(
                    query, most: min(most, Limits.foundItems), sorting: sorting, in: SearchScope(),
                    for: SearchWish()
                ) { expected = $0 }
                searches.find(query, most: most, sorting: sorting, in: SearchScope(), for: SearchWish()) {
                    found = $0
                }
                items.answerAll(&generator)
                let (one, two) = (try #require(try expected?.get()), try #require(try found?.get()))
                #expect(two.things.names == one.things.names, "\(text) by \(sorts)")
                #expect(two.coverage == .whole && one.coverage == .whole)
            }
        }
    }

    @Test(arguments: Seeds.first(6))
    func `words find the same results as one source over all items, the best rank first`(seed: UInt64) throws
    {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(90, &generator)
        let searches = Self.joined(items.first, items.second)
        for text in ["tea", "green tea", "cup ", "le"] {
            var (expected, found): (Found?, Found?)
            items.whole.find(text, most: 90, in: SearchScope(), for: SearchWish()) { expected = $0 }
            searches.find(text, most: 90, in: SearchScope(), for: SearchWish()) { found = $0 }
            items.answerAll(&generator)
            let (one, two) = (try #require(try expected?.get()), try #require(try found?.get()))
            #expect(Set(two.things.names) == Set(one.things.names) && two.things.count == one.things.count)
            let scores = two.things.compactMap(\.rank?.score)
            #expect(scores == scores.sorted(by: >) && scores.count == two.things.count)
            var few: Found?
            searches.find(text, most: 7, in: SearchScope(), for: SearchWish()) { few = $0 }
            items.answerAll(&generator)
            #expect(try few?.get().things.names == Array(two.things.names.prefix(7)))
        }
    }

    @Test(arguments: Seeds.first(10))
    func `no result of a second source is told after it went away`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(40, &generator)
        let searches = Self.joined(items.first, nil)
        let query = try SearchQuery("*", at: Self.present)
        var (asked, answered) = (0, 0)
        for _ in 0..<30 {
            if generator.chance(50) { searches.second = generator.chance(60) ? items.second : nil }
            let (second, wasThere) = (searches.second, searches.second != nil)
            var isSame = true
            asked += 1
            searches.find(query, most: 40, sorting: .indexed, in: SearchScope(), for: SearchWish()) {
                result in
                answered += 1
                let found = Set((try? result.get().things.names) ?? [])
                #expect(found.subtracting(items.secrets).count == 40 - items.secrets.count)
                #expect(found.isSuperset(of: items.secrets) == (wasThere && isSame || items.secrets.isEmpty))
                #expect(found.isDisjoint(with: items.secrets) || searches.second === second)
            }
            items.answerAll(&generator) { generator in
                guard generator.chance(20) else { return }
                // Removing the source may give the answer at once.
                isSame = false
                searches.second = searches.second == nil ? items.second : nil
            }
        }
        #expect(asked == answered)
    }

    @Test func `without a second source, the answer of the first one is passed on at once`() throws {
        let first = try Self.source("tea", "tea cup")
        let searches = Self.joined(first, nil)
        let found = try Self.find("tea", in: searches, [first]).get()
        #expect(found.things.count == 2 && first.questions == 1)
    }

    @Test func `a second source that goes away does not delay the answer of the first one`() throws {
        let (first, second) = (try Self.source("tea"), try Self.source("tea cup"))
        let searches = Self.joined(first, second)
        let found = try Self.find("tea", in: searches, [first]) { searches.second = nil }.get()
        #expect(found.things.names.map(\.identifier) == ["tea"] && found.coverage == .whole)
        #expect(second.isWaiting, "its answer comes too late")
    }

    // MARK: Failures

    @Test func `a failure of the second source keeps the results of the first, and is logged once`() throws {
        let (first, second, lines) = (try Self.source("tea"), try Self.source("tea cup"), Lines())
        let searches = Self.joined(first, second, lines)
        second.failure = StoreFailure(.failed, "no memory")
        for _ in 0..<3 {
            let found = try Self.find("tea", in: searches, [first, second]).get()
            #expect(found.things.count == 1 && found.coverage != .whole)
        }
        #expect(lines.all == ["can't search the opened items of protected indexes: no memory"])
        searches.second = nil
        searches.second = second
        _ = try Self.find("tea", in: searches, [first, second]).get()
        #expect(lines.all.count == 2, "it was opened again")
    }

    @Test func `a failure of the first source is the failure of the search`() throws {
        let (first, second) = (try Self.source("tea"), try Self.source("tea cup"))
        first.failure = StoreFailure(.failed, "the disk failed")
        let searches = Self.joined(first, second)
        let found = try Self.find("tea", in: searches, [second, first])
        #expect(found == .failure(StoreFailure(.failed, "the disk failed")))
    }

    @Test func `a cancelled search fails in both sources, and nothing is logged`() throws {
        let (first, second, lines) = (try Self.source("tea"), try Self.source("tea cup"), Lines())
        let (searches, wish) = (Self.joined(first, second, lines), SearchWish())
        let found = try Self.find("tea", in: searches, [second, first], for: wish) { wish.end() }
        #expect(throws: StoreFailure.self) { try found.get() }
        #expect(lines.all.isEmpty && !second.isWaiting)
    }

    // MARK: Corrections

    @Test func `results of a correction count only if no source has found the typed text`() throws {
        let corrected = try Self.source("coffee", "coffee pot")
        let typed = try Self.source("cofee")
        let nothing = try Self.source("other")
        for sources in [[corrected, typed], [typed, corrected]] {
            let searches = Self.joined(sources[0], sources[1])
            let found = try Self.find("cofee", in: searches, sources).get()
            #expect(found.things.names.map(\.identifier) == ["cofee"] && found.corrected == nil)
        }
        for sources in [[corrected, nothing], [nothing, corrected]] {
            let searches = Self.joined(sources[0], sources[1])
            let found = try Self.find("cofee", in: searches, sources).get()
            #expect(found.things.count == 2 && found.corrected == "coffee")
        }
    }

    @Test func `the correction with the best result counts if both sources corrected the text`() throws {
        let better = try Self.source("coffee")
        let worse = try Self.source("cofees and many other words in a long title")
        let same = try Self.source("coffee pot")
        for sources in [[better, worse], [worse, better]] {
            let alone = try Self.find("cofeee", in: Self.joined(worse, nil), [worse]).get()
            #expect(alone.corrected == "cofees")
            let found = try Self.find("cofeee", in: Self.joined(sources[0], sources[1]), sources).get()
            #expect(found.things.names.map(\.identifier) == ["coffee"] && found.corrected == "coffee")
        }
        let found = try Self.find("cofeee", in: Self.joined(better, same), [better, same]).get()
        #expect(found.things.count == 2 && found.corrected == "coffee")
    }

    // MARK: Suggestions

    /// Returns the texts that are suggested.
    private static func suggestions(_ first: [String], _ second: [String], most: Int) throws -> [String] {
        let (one, other) = (try source(), try source())
        one.suggestions = first.map { SearchSuggestion($0, .title, typed: []) }
        other.suggestions = second.map { SearchSuggestion($0, .title, typed: []) }
        let searches = joined(one, other)
        var (found, generator) = ([String](), SeededGenerator(seed: 1))
        searches.suggest("t", most: most, in: SearchScope(), except: [], for: SearchWish()) { result in
            found = ((try? result.get()) ?? []).map(\.text)
        }
        for source in [other, one] { source.answerOne(&generator) }
        return found
    }

    @Test func `at most half of the suggestions come from the second source, and none comes twice`() throws {
        #expect(try Self.suggestions(["a", "b", "c"], ["d", "e", "f"], most: 4) == ["a", "d", "b", "e"])
        #expect(try Self.suggestions(["a", "b", "c"], ["d", "e", "f"], most: 3) == ["a", "d", "b"])
        #expect(try Self.suggestions(["a", "b", "c"], ["d"], most: 4) == ["a", "d", "b", "c"])
        #expect(try Self.suggestions(["a"], ["d", "e", "f"], most: 4) == ["a", "d", "e", "f"])
        #expect(try Self.suggestions(["a", "b"], ["A", "c"], most: 4) == ["a", "b", "c"])
        #expect(try Self.suggestions(["a", "b"], ["c"], most: 1) == ["a"])
    }

    @Test func `a failed second source leaves the suggestions of the first one`() throws {
        let (first, second) = (try Self.source(), try Self.source())
        first.suggestions = [SearchSuggestion("tea", .word, typed: [])]
        second.failure = StoreFailure(.failed, "no memory")
        let searches = Self.joined(first, second)
        var (found, generator) = ([String](), SeededGenerator(seed: 1))
        searches.suggest("t", most: 5, in: SearchScope(), except: [], for: SearchWish()) { result in
            found = ((try? result.get()) ?? []).map(\.text)
        }
        for source in [second, first] { source.answerOne(&generator) }
        #expect(found == ["tea"])
    }
}
