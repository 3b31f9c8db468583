import BatonCore
import BatonStore
import Support
import Testing

/// Searches whose results are taken page by page.
@Suite struct `Searching in pages` {
    private static let time = WallTime(milliseconds: 1_000)

    private static func query(_ text: String) throws -> SearchQuery {
        try SearchQuery(text, at: PresentTime(WallTime(milliseconds: 1_000_000)) { _ in 0 })
    }

    private static func search(
        words: String? = nil, _ query: String? = nil, order: SearchOrder = .best,
        attributes: FetchedAttributes? = nil, most: Int = .max, page: Int = 40
    ) throws -> PagedSearch {
        PagedSearch(
            words: words, query: try query.map { try Self.query($0) }, order: order, attributes: attributes,
            most: most, pageMost: page)
    }

    private static func stage(_ count: Int = 250) throws -> SearchStage {
        let stage = try SearchStage()
        try stage.write(
            (0..<count).map { number -> Journal.Draft in
                let expires: Int64? = number % 10 == 9 ? 2000 : nil
                let texts: [Attribute: String] = [
                    .title: "tea \(number)", .textContent: number % 2 == 0 ? "even" : "odd",
                ]
                return Journal.Draft.item("\(number)", expires: expires, indexed: Int64(number % 7), texts)
            })
        return stage
    }

    /// Returns all pages of a search; the closure is called between two of them.
    private static func pages(
        _ search: PagedSearch, of stage: SearchStage, at time: WallTime = time,
        between: (Int) throws -> Void = { _ in }
    ) throws -> [FoundPage] {
        let reader = try stage.opened()
        var pages = [try reader.begin(1, search, at: time, in: SearchScope())]
        while pages.last?.isLast == false {
            try between(pages.count)
            pages.append(try #require(try reader.nextPage(1, at: time, in: SearchScope())))
        }
        #expect(try reader.nextPage(1, at: time, in: SearchScope()) == nil, "it ends with its last page")
        return pages
    }

    @Test func `the pages of a search for words list its results in order`() throws {
        let stage = try Self.stage()
        let pages = try Self.pages(try Self.search(words: "tea"), of: stage)
        #expect(pages.map(\.things.count) == [40, 40, 40, 40, 40, 40, 10])
        let all = try stage.find("tea", at: Self.time).things
        #expect(pages.flatMap(\.things) == all)
        let some = try Self.pages(try Self.search(words: "tea", most: 50), of: stage)
        #expect(try some.flatMap(\.things) == stage.find("tea", most: 50, at: Self.time).things)
        let corrected = try Self.pages(try Self.search(words: "evne"), of: stage)
        #expect(corrected[0].corrected == "even" && corrected.flatMap(\.things).count == 125)
        #expect(try Self.pages(try Self.search(words: "zebra"), of: stage).map(\.things.isEmpty) == [true])
        #expect(
            try Self.pages(try Self.search(words: "tea", most: 0), of: stage).map(\.things.isEmpty) == [true])
    }

    @Test func `the pages of a query list its results, sorted or in the order in which they are found`()
        throws
    {
        let stage = try Self.stage()
        let query = #"textContent == "even""#
        let all = try stage.find(try Self.query(query), at: Self.time).things
        let pages = try Self.pages(try Self.search(query), of: stage)
        #expect(pages.flatMap(\.things) == all && pages.count == 4)
        let found = try Self.pages(try Self.search(query, order: .found), of: stage).flatMap(\.things)
        #expect(found.count == all.count)
        #expect(
            Set(found.compactMap(\.thing.item?.identifier)) == Set(all.compactMap(\.thing.item?.identifier)))
        let some = try Self.pages(try Self.search(query, order: .found, most: 50), of: stage)
        #expect(some.map(\.things.count) == [40, 10])
    }

    @Test func `words together with a query find the items that match both`() throws {
        let stage = try Self.stage()
        let search = try Self.search(words: "tea", #"textContent == "odd""#)
        let things = try Self.pages(search, of: stage).flatMap(\.things)
        #expect(things.count == 125 && things.allSatisfy { $0.rank != nil })
        #expect(Set(things.compactMap { $0.thing.item.map { (Int($0.identifier) ?? 0) % 2 } }) == [1])
    }

    @Test func `a later page omits deleted items, and shows changed items in their new state`() throws {
        for search in [
            try Self.search(words: "tea"), try Self.search("title == *"),
            try Self.search("title == *", order: .found),
        ] {
            let stage = try Self.stage()
            var first: Set<String> = []
            let reader = try stage.opened()
            var page = try reader.begin(1, search, at: Self.time, in: SearchScope())
            first = Set(page.things.compactMap(\.thing.item?.identifier))
            let rest = (0..<250).map(String.init).filter { !first.contains($0) }
            try stage.write([.removal(of: rest[0]), .item(rest[1], [.title: "tea changed"])])
            var later: [ShownThing] = []
            while !page.isLast {
                page = try #require(
                    try reader.nextPage(1, at: WallTime(milliseconds: 3000), in: SearchScope()))
                later += page.things
            }
            let names = later.compactMap(\.thing.item?.identifier)
            // Every tenth has expired meanwhile.
            #expect(Set(names) == Set(rest.dropFirst().filter { $0 == rest[1] || (Int($0) ?? 0) % 10 != 9 }))
            #expect(Set(names).count == names.count)
            #expect(later.contains { $0.thing.title == "tea changed" })
        }
    }

    @Test
    func
        `a result that joins several things shows the others if the best is deleted before the page is read`()
        throws
    {
        let stage = try SearchStage()
        for (app, title) in [("a", "tea leaves"), ("b", "tea leaves and more"), ("c", "tea")] {
            var item = Item()
            item.attributes[.title] = .plain(.string(title))
            if app != "c" { item.attributes[.contentURL] = .plain(.url("https://example.org/tea")) }
            let name = ItemName(app: app, index: "notes", identifier: "1")
            try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        }
        let (reader, search) = (try stage.opened(), try Self.search(words: "tea", page: 1))
        func second(_ change: () throws -> Void) throws -> [ShownThing] {
            let first = try reader.begin(1, search, at: Self.time, in: SearchScope())
            #expect(first.things.map(\.thing.app) == ["c"] && !first.isLast)
            try change()
            return try #require(try reader.nextPage(1, at: Self.time, in: SearchScope())).things
        }
        let whole = try second {}
        #expect(whole.map(\.thing.app) == ["a"])
        let rest = try second { try stage.write([.removal(of: "1", app: "a")]) }
        #expect(rest.map(\.thing.title) == ["tea leaves and more"])
        #expect(rest.first?.rank?.score ?? .infinity < whole.first?.rank?.score ?? 0)
        #expect(try second { try stage.write([.removal(of: "1", app: "b")]) }.isEmpty)
    }

    @Test func `a later page omits an app that was switched off after the first page`() throws {
        for search in [try Self.search(words: "tea"), try Self.search("title == *", order: .found)] {
            let stage = try Self.stage()
            let reader = try stage.opened()
            var page = try reader.begin(1, search, at: Self.time, in: SearchScope())
            while !page.isLast {
                page = try #require(
                    try reader.nextPage(1, at: Self.time, in: SearchScope(appsOff: ["org.example.app"])))
                #expect(page.things.isEmpty)
            }
        }
    }

    @Test func `results have exactly the requested attributes`() throws {
        let stage = try SearchStage()
        var item = Item()
        item.attributes[.title] = .plain(.string("tea"))
        item.attributes[.contentDescription] = .plain(.string("long text"))
        item.attributes[.pageCount] = .plain(.integer(3))
        let name = ItemName(app: "a", index: "b", identifier: "c")
        try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        let names = FetchedAttributes.named(
            Set(["pageCount", "title", "subject"].compactMap(FieldName.init(queryName:))))
        for search in [
            try Self.search(words: "tea", attributes: names), try Self.search("*", attributes: names),
            try Self.search("*", order: .found, attributes: names),
        ] {
            let found = try #require(try Self.pages(search, of: stage).first?.things.first)
            #expect(found.thing.item == FoundItem(app: "a", index: "b", identifier: "c"))
            #expect(found.snippet == nil)
            var expected = AttributeSet()
            expected[.title] = .plain(.string("tea"))
            expected[.pageCount] = .plain(.integer(3))
            #expect(found.attributes == expected.fields)
        }
    }

    @Test func `a result has all attributes and its expiration if all were requested`() throws {
        let stage = try SearchStage()
        var item = Item(expiration: WallTime(milliseconds: 5000), indexed: WallTime(milliseconds: 1))
        item.attributes[.title] = .plain(.string("tea"))
        item.attributes[.pageCount] = .plain(.integer(3))
        let leaf = try #require(CustomAttribute(name: "com_example_leaf"))
        item.attributes[leaf.field] = .plain(.string("green"))
        let name = ItemName(app: "a", index: "b", identifier: "c")
        try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        for search in [
            try Self.search(words: "tea", attributes: .all), try Self.search("*", attributes: .all),
            try Self.search("*", order: .found, attributes: .all),
        ] {
            let found = try #require(try Self.pages(search, of: stage).first?.things.first)
            #expect(found.attributes == item.attributes.fields)
            #expect(found.thing.item?.expires == WallTime(milliseconds: 5000))
        }
    }

    @Test func `a page of large attributes ends before it exceeds the size of a reply`() throws {
        let stage = try SearchStage()
        let text = String(repeating: "word ", count: 80_000)
        for number in 0..<6 {
            try stage.write([.item("\(number)", [.title: "tea", .textContent: text])])
        }
        let names = FetchedAttributes.named(Set(["textContent"].compactMap(FieldName.init(queryName:))))
        for search in [
            try Self.search(words: "tea", attributes: names), try Self.search("*", attributes: names),
        ] {
            let pages = try Self.pages(search, of: stage)
            #expect(pages.flatMap(\.things).count == 6)
            let sizes = pages.map { $0.things.reduce(0) { $0 + ($1.attributes?.encodedCount ?? 0) } }
            #expect(sizes.allSatisfy { $0 < Limits.frameBytes * 4 / 5 }, "\(sizes)")
        }
    }

    @Test func `a page of a long search ends after bounded work, and all pages together find everything`()
        throws
    {
        let stage = try SearchStage()
        for part in 0..<10 {
            try stage.write(
                (0..<500).map { number -> Journal.Draft in
                    let texts: [Attribute: String] = [.path: part == 9 && number == 499 ? "x" : "y"]
                    return Journal.Draft.item("\(part * 500 + number)", texts)
                })
        }
        let pages = try Self.pages(try Self.search(#"path == "x""#, order: .found), of: stage)
        #expect(pages.count > 1 && pages[0].things.isEmpty && !pages[0].isLast)
        #expect(pages.flatMap(\.things).map(\.thing.item?.identifier) == ["4999"])
        #expect(pages.last?.coverage == .whole)
    }

    @Test func `an ended search has no further pages, and a cancelled search fails`() throws {
        let stage = try Self.stage()
        let reader = try stage.opened()
        for number in 1...3 as ClosedRange<UInt64> {
            let page = try reader.begin(number, Self.search(words: "tea"), at: Self.time, in: SearchScope())
            #expect(!page.isLast)
        }
        reader.end(2)
        #expect(try reader.nextPage(2, at: Self.time, in: SearchScope()) == nil)
        #expect(try reader.nextPage(3, at: Self.time, in: SearchScope())?.things.count == 40)
        #expect(throws: StoreFailure.self) {
            try reader.begin(4, Self.search("*", order: .found), at: Self.time, in: SearchScope()) {
                () throws(StoreFailure) in throw StoreFailure(.failed, "cancelled")
            }
        }
    }
}
