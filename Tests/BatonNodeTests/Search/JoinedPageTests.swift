import BatonCore
import BatonStore
import Support
import Testing

@testable import BatonNode

/// Searches that ask two sources and tell the results page by page.
@Suite struct `Pages of a search in two sources` {
    private static let present = PresentTime(LateSource.now) { _ in 0 }

    private static func query(
        _ text: String = "*", order: SearchOrder = .best, attributes: FetchedAttributes? = nil,
        most: Int = 1000, page: Int = 10
    ) throws -> PagedSearch {
        PagedSearch(
            words: nil, query: try SearchQuery(text, at: present), order: order, attributes: attributes,
            most: most, pageMost: page)
    }

    private static func words(_ text: String, most: Int = 1000, page: Int = 10) -> PagedSearch {
        PagedSearch(words: text, query: nil, order: .best, most: most, pageMost: page)
    }

    /// Reads the pages of a search with one number, and gives the late answers in any order.
    private struct Reading {
        let searches: JoinedSearches
        let items: DividedItems
        var generator: SeededGenerator
        var pages: [FoundPage] = []
        /// The answer to the last request.
        var answer: Result<FoundPage?, StoreFailure>?

        init(_ items: DividedItems, _ generator: SeededGenerator) {
            (self.items, self.generator) = (items, generator)
            searches = JoinedSearches(items.first, log: Log { _ in })
            searches.second = items.second
        }

        /// Asks for the first or the next page; the closure is called before each answer of a source.
        mutating func read(
            _ search: PagedSearch, before: (inout SeededGenerator) -> Void = { _ in },
            told: @escaping (FoundPage) -> Void = { _ in }
        ) throws {
            var answers: [Result<FoundPage?, StoreFailure>] = []
            let receive = { (result: Result<FoundPage?, StoreFailure>) in
                answers.append(result)
                if case .success(let page?) = result { told(page) }
            }
            if pages.isEmpty {
                searches.begin(1, search, in: SearchScope(), for: SearchWish(), then: receive)
            } else {
                searches.nextPage(of: 1, in: SearchScope(), for: SearchWish(), then: receive)
            }
            items.answerAll(&generator, before: before)
            #expect(answers.count == 1)
            answer = answers.first
            if case .success(let page?) = answer { pages.append(page) }
        }

        mutating func readAll(_ search: PagedSearch) throws {
            while pages.last?.isLast != true { try read(search) }
        }

        var names: [ItemName] { pages.flatMap(\.things.names) }

        var isReleased: Bool { items.first.held.isEmpty && items.second.held.isEmpty }
    }

    /// Returns the results that one source over all items gives.
    private static func expected(_ search: PagedSearch, _ items: DividedItems) throws -> [ItemName] {
        var (search, found, generator) = (search, FoundPage?.none, SeededGenerator(seed: 1))
        search.pageMost = 100_000
        items.whole.begin(9, search, in: SearchScope(), for: SearchWish()) { found = try? $0.get() }
        items.whole.answerOne(&generator)
        let page = try #require(found)
        return page.things.names
    }

    // MARK: The same results as one source

    @Test(arguments: Seeds.first(8))
    func `a query finds the same results in the same order as one source over all items`(seed: UInt64) throws
    {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(150, &generator)
        for text in ["*", "own_number >= 0", #"title == "*cup*""#] {
            for _ in 0..<4 {
                let (page, most) = (generator.number(1...40), generator.number(1...200))
                let search = try Self.query(text, most: most, page: page)
                var reading = Reading(items, generator)
                try reading.readAll(search)
                #expect(try reading.names == Self.expected(search, items))
                #expect(reading.pages.dropLast().allSatisfy { $0.things.count == page })
                #expect(reading.pages.allSatisfy { $0.things.count <= page && $0.coverage == .whole })
                #expect(reading.isReleased)
                generator = reading.generator
            }
        }
    }

    @Test(arguments: Seeds.first(8))
    func `results in any order are those of the first source, and then those of the second one`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(150, &generator)
        for _ in 0..<6 {
            let (page, most) = (generator.number(1...40), generator.number(1...200))
            var reading = Reading(items, generator)
            try reading.readAll(try Self.query(order: .found, most: most, page: page))
            let names = reading.names
            #expect(names.count == min(most, 150) && Set(names).count == names.count)
            let areSecret = names.map { items.secrets.contains($0) }
            #expect(areSecret.drop { !$0 }.allSatisfy { $0 })
            #expect(areSecret.count(where: { !$0 }) == min(most, 150 - items.secrets.count))
            #expect(reading.pages.dropLast().allSatisfy { $0.things.count == page })
            #expect(reading.isReleased)
            generator = reading.generator
        }
    }

    @Test(arguments: Seeds.first(8))
    func `words find the same results as one source over all items, the best rank first`(seed: UInt64) throws
    {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(150, &generator)
        for text in ["tea", "green tea", "cup"] {
            let search = Self.words(text, page: generator.number(1...40))
            var reading = Reading(items, generator)
            try reading.readAll(search)
            let expected = try Self.expected(search, items)
            #expect(Set(reading.names) == Set(expected) && reading.names.count == expected.count)
            let scores = reading.pages.flatMap(\.things).compactMap(\.rank?.score)
            #expect(scores == scores.sorted(by: >) && scores.count == expected.count)
            #expect(reading.isReleased)
            generator = reading.generator
        }
    }

    @Test(arguments: Seeds.first(20))
    func `the results of the first source are whole if the second one comes and goes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(80, &generator)
        let isOrdered = generator.chance(60)
        let search = try Self.query(order: isOrdered ? .best : .found, page: generator.number(1...20))
        var reading = Reading(items, generator)
        let searches = reading.searches
        let share = generator.pick([2, 10, 40])
        var wasRemoved = false
        while reading.pages.last?.isLast != true {
            try reading.read(search) { generator in
                guard generator.chance(share) else { return }
                wasRemoved = true
                searches.second = searches.second == nil ? items.second : nil
            } told: { page in
                let isSecret = !items.secrets.isDisjoint(with: page.things.names)
                #expect(!isSecret || !wasRemoved, "a page with results of a source that went away")
            }
        }
        let all = try Self.expected(search, items)
        let names = reading.names
        #expect(Set(names).count == names.count)
        #expect(Set(names).isSuperset(of: Set(all).subtracting(items.secrets)))
        #expect(wasRemoved || Set(names) == Set(all))
        if isOrdered {
            let told = Set(names)
            #expect(names == all.filter { told.contains($0) })
        }
        #expect(reading.isReleased)
    }

    // MARK: Limits

    @Test func `a page of large results ends before it exceeds the size of a reply`() throws {
        let generator = SeededGenerator(seed: 3)
        let text = String(repeating: "word ", count: 60_000)
        let large = (0..<8).map { number -> IndexedItem in
            var indexed = IndexedItem("\(number)", "tea", indexed: Int64(number))
            indexed.item.attributes[.textContent] = .plain(.string(text))
            return indexed
        }
        let names = FetchedAttributes.named(Set(["textContent"].compactMap(FieldName.init(queryName:))))
        let items = try DividedItems(large) { $0 % 2 == 0 }
        var reading = Reading(items, generator)
        let search = try Self.query(attributes: names)
        try reading.readAll(search)
        #expect(try reading.names == Self.expected(Self.query(), items) && reading.names.count == 8)
        let sizes = reading.pages.map { $0.things.reduce(0) { $0 + ($1.attributes?.encodedCount ?? 0) } }
        #expect(sizes.allSatisfy { $0 < Limits.frameBytes * 4 / 5 } && sizes.count < 8, "\(sizes)")
    }

    @Test func `a later page omits results of an app that was switched off, even if they were read before`()
        throws
    {
        var generator = SeededGenerator(seed: 4)
        let all = (0..<20).map { IndexedItem("\($0)", "tea", app: $0 < 10 ? "a" : "b", indexed: Int64($0)) }
        let items = try DividedItems(all) { $0 % 2 == 0 }
        var reading = Reading(items, generator)
        try reading.read(try Self.query(page: 4))
        #expect(reading.names.map(\.app) == ["b", "b", "b", "b"])
        var last: FoundPage?
        reading.searches.nextPage(of: 1, in: SearchScope(appsOff: ["b"]), for: SearchWish()) {
            last = try? $0.get()
        }
        items.answerAll(&generator)
        #expect(try #require(last).things.names.map(\.identifier) == ["9", "8", "7", "6"])
        reading.searches.end(1)
        #expect(reading.isReleased)
    }

    // MARK: Failures

    @Test(arguments: [0, 1, 2])
    func `a failure of the second source keeps the results of the first`(pages: Int) throws {
        let generator = SeededGenerator(seed: 5)
        let items = try DividedItems((0..<60).map { IndexedItem("\($0)", "tea") }) { $0 % 2 == 0 }
        var reading = Reading(items, generator)
        let search = try Self.query(page: 10)
        for _ in 0..<pages { try reading.read(search) }
        items.second.failure = StoreFailure(.failed, "no memory")
        try reading.readAll(search)
        #expect(Set(reading.names).subtracting(items.secrets).count == 30)
        #expect(reading.pages.last?.coverage == .partial)
        #expect(reading.pages.prefix(pages).allSatisfy { $0.coverage == .whole })
        #expect(items.first.held.isEmpty)
    }

    @Test func `a failure of the first source is the failure of the page, and ends the search`() throws {
        let generator = SeededGenerator(seed: 6)
        let items = try DividedItems((0..<60).map { IndexedItem("\($0)", "tea") }) { $0 % 2 == 0 }
        var reading = Reading(items, generator)
        let search = try Self.query(page: 10)
        try reading.read(search)
        items.first.failure = StoreFailure(.failed, "the disk failed")
        while case .success = reading.answer { try reading.read(search) }
        #expect(reading.answer == .failure(StoreFailure(.failed, "the disk failed")))
        #expect(reading.isReleased)
    }

    @Test(arguments: [true, false])
    func `a source that lost its results makes the search begin again`(isFirst: Bool) throws {
        let generator = SeededGenerator(seed: 7)
        let items = try DividedItems((0..<60).map { IndexedItem("\($0)", "tea") }) { $0 % 2 == 0 }
        var reading = Reading(items, generator)
        let search = try Self.query(page: 10)
        try reading.read(search)
        (isFirst ? items.first : items.second).lose(1)
        while case .success(_?) = reading.answer { try reading.read(search) }
        #expect(reading.answer == .success(nil) && reading.isReleased)
        #expect(reading.pages.last?.isLast == false)
    }

    @Test func `an ended search is released in both sources, and its waiting requests are answered`() throws {
        var generator = SeededGenerator(seed: 8)
        let items = try DividedItems((0..<60).map { IndexedItem("\($0)", "tea") }) { $0 % 2 == 0 }
        let reading = Reading(items, generator)
        var answers = 0
        for isLate in [true, false] {
            let wish = SearchWish()
            reading.searches.begin(1, try Self.query(page: 20), in: SearchScope(), for: wish) { _ in
                answers += 1
            }
            if !isLate { items.answerAll(&generator) }
            for _ in 0..<3 {
                reading.searches.nextPage(of: 1, in: SearchScope(), for: wish) { _ in answers += 1 }
            }
            wish.end()
            reading.searches.end(1)
            items.answerAll(&generator)
            #expect(reading.isReleased)
        }
        #expect(answers == 8)
    }

    // MARK: Corrections

    @Test func `pages show the results of the typed text, and none of a correction`() throws {
        let generator = SeededGenerator(seed: 9)
        let titles = ["coffee", "coffee pot", "coffee cup", "cofee", "cofee two"]
        let all = titles.map { IndexedItem($0, $0) }
        for areTypedSecret in [true, false] {
            let items = try DividedItems(all) { ($0 > 2) == areTypedSecret }
            var reading = Reading(items, generator)
            try reading.readAll(Self.words("cofee ", page: 1))
            #expect(Set(reading.names.map(\.identifier)) == ["cofee", "cofee two"])
            #expect(reading.pages.allSatisfy { $0.corrected == nil } && reading.isReleased)
        }
    }

    @Test func `a correction of the first source counts after all if the second one goes away in time`()
        throws
    {
        var generator = SeededGenerator(seed: 10)
        let all = ["coffee", "coffee pot", "cofee"].map { IndexedItem($0, $0) }
        let items = try DividedItems(all) { $0 == 2 }
        let reading = Reading(items, generator)
        var page: FoundPage?
        reading.searches.begin(1, Self.words("cofee "), in: SearchScope(), for: SearchWish()) {
            page = try? $0.get()
        }
        items.second.answerOne(&generator)
        reading.searches.second = nil
        items.answerAll(&generator)
        let told = try #require(page)
        #expect(told.things.count == 2 && told.corrected == "coffee" && told.isLast)
    }

    // MARK: Requests of clients

    /// The searches of an account in two sources that answer late.
    private static func account(
        _ items: DividedItems
    ) throws -> (stage: AccountStage, parts: ActivityParts, all: AccountSearches, pages: PagedSearches) {
        let stage = try AccountStage()
        let (parts, core) = (stage.activityParts(), stage.core)
        let view = SearchView(of: core, stage.directory(stage.peers()), parts.own, parts.all)
        let thread = SearchThread(
            folder: core.folder, store: core.store, on: core.loop, restPause: .seconds(60), log: core.log)
        let all = AccountSearches(thread, view, of: core, parts.own)
        let joined = JoinedSearches(items.first, log: core.log)
        joined.second = items.second
        let pages = PagedSearches(joined, view, all.meaning, on: core.loop, limits: core.limits)
        return (stage, parts, all, pages)
    }

    @Test(arguments: Seeds.first(6))
    func `a client gets each result once if the sources lose their results between two pages`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let items = try DividedItems(60, &generator)
        let account = try Self.account(items)
        let session = AppEvents()
        let search = BeginSearch(
            1, query: QueryItems("*", most: 1000, at: Self.present), pageMost: generator.number(3...9))
        var (names, isOver) = ([ItemName](), false)
        let receive = { (result: Result<SearchPage, LocalFailure>) in
            switch result {
            case .success(let page):
                names += page.results.compactMap(\.thing.item?.name)
                isOver = page.isLast
            case .failure(let failure):
                Issue.record("\(failure)")
                isOver = true
            }
        }
        try account.pages.begin(search, by: ObjectIdentifier(session), receive)
        items.answerAll(&generator)
        while !isOver {
            if generator.chance(40) { generator.pick([items.first, items.second]).lose(1) }
            try account.pages.next(NextPage(1), by: ObjectIdentifier(session), receive)
            items.answerAll(&generator)
        }
        let all = try Self.expected(Self.query(), items)
        #expect(names.count == all.count && Set(names) == Set(all))
        #expect(items.first.held.isEmpty && items.second.held.isEmpty)
        account.pages.close()
        account.all.close()
    }
}
