import BatonCore
import BatonStore
import Glibc
import Support
import Testing

/// Queries in Core Spotlight's language, answered by the store.
@Suite struct `Querying a store` {
    private static let present = PresentTime(WallTime(milliseconds: 1_000_000)) { _ in 0 }

    private static func query(_ text: String) throws -> SearchQuery { try SearchQuery(text, at: present) }

    // MARK: The answer of plain evaluation

    /// Drawn queries of a store with drawn items; each round has further changes.
    @Test(.timeLimit(.minutes(10)), arguments: Seeds.first(12))
    func `finds the same items as a naive evaluation, in the same order`(seed: UInt64) throws {
        let drawn = DrawnQueries(seed: seed, items: 60, queries: 30)
        var generator = SeededGenerator(seed: seed)
        let stage = try SearchStage()
        var names: [ItemName] = []
        for (number, item) in drawn.items.enumerated() {
            var item = item
            if generator.chance(20) {
                item.expiration = WallTime(milliseconds: generator.pick([1000, 3000]))
            }
            if generator.chance(80) {
                item.indexed = WallTime(milliseconds: Int64(generator.number(1...5)))
            }
            let name = ItemName(
                app: generator.pick(Self.apps), index: generator.pick(["notes", "x"]), identifier: "\(number)"
            )
            names.append(name)
            try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        }
        var found = 0
        try found += Self.compare(stage, drawn, "when all were written")
        for name in names where generator.chance(30) { try Self.change(name, on: stage, &generator) }
        try found += Self.compare(stage, drawn, "after partial updates and deletions")
        // The sweep of the clear goes on only when it is settled.
        stage.store.recordsAtOnce = 0
        for _ in 0..<3 {
            let record = try #require(try stage.store.record(generator.pick(names).key.identity))
            guard let scope = record.content?.scope else { continue }
            try stage.write([
                Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
            ])
        }
        #expect(stage.store.isUnsettled(.index))
        try found += Self.compare(stage, drawn, "while clears are being swept")
        try stage.change("UPDATE search_progress SET rules = rules + 1")
        try stage.reopen()
        try found += Self.compare(stage, drawn, "when the full-text table is empty")
        #expect(try !stage.store.fillSearch(most: 5))
        try found += Self.compare(stage, drawn, "when the full-text table is half full")
        while try !stage.store.fillSearch() {}
        try found += Self.compare(stage, drawn, "when the full-text table is filled again")
        while try stage.store.lane(.index).settle(most: 10) != nil {}
        try found += Self.compare(stage, drawn, "when all was swept")
        let facts = try stage.store.records(of: .item).reduce(0) { $0 + ItemFacts($1).facts.count }
        #expect(try stage.count("SELECT count(*) FROM facts") == facts)
        // Otherwise the comparison would say little.
        #expect(found > 300, "\(found) items were found")
    }

    /// Queries that words or domains narrow; drawn ones seldom are.
    private static let narrowed = [
        #"** == "paris"tcd"#, #"** == "ete*"tcd"#, #"title == "paris*"cd"#,
        #"subject == "A*"c || title == "x*""#,
        #"title == * && (title == "mywindowclass*"cd || subject == "a*"cd) && !(title == "ab"cd)"#,
        #"domainIdentifier == "*a*"cd && ** == "a*"tcd"#, #"domainIdentifier != "a""#,
        #"domainIdentifier == "paris*"c || domainIdentifier == "a.b""#,
        #"title == "*ari*"cd"#, #"** == "*Ari*" || subject == "*a""#, #"title == "window"wc"#,
        #"** == "*e*"t"#, #"domainIdentifier == "a" && ** == "*a*"tcd"#,
        #"** == "a*"tcd && domainIdentifier == "a.b""#,
        #"(domainIdentifier == "Paris" || domainIdentifier == "a.b") && title == *"#,
        #"(domainIdentifier == "paris" || subject == "*a*"cd) && ** == "*a*"tcd"#,
    ]

    private static let apps = ["org.example.app", "org.example.app2", "org.example.é"]

    /// Updates an item in part, moves it or deletes it.
    private static func change(
        _ name: ItemName, on stage: SearchStage, _ generator: inout SeededGenerator
    ) throws {
        guard let record = try stage.store.record(name.key.identity), let content = record.content else {
            return
        }
        switch generator.number(0...3) {
        case 0: try stage.write([Journal.Draft(.deletion, name.key)])
        case 1:
            var item = try Item(name, content)
            item.domain = generator.pick([nil, "a", "a.b", "Paris"])
            try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        default:
            var update = Item.Update()
            update.attributes[generator.pick([.title, .subject, .path])] = .plain(
                .string(generator.pick(["Paris x", "été", "MyWindowClass a", "7"])))
            if generator.chance(30) { update.removed = [.number(Attribute.keywords.number)] }
            try stage.write([Journal.Draft(.partial(of: record.incarnation, update.fields), name.key)])
        }
    }

    /// Compares the answers to all queries, of one app and of all, before and after items expire; returns how many items
    /// were found.
    private static func compare(_ stage: SearchStage, _ drawn: DrawnQueries, _ when: String) throws -> Int {
        let records = try stage.store.records(of: .item)
        let items = try records.map { record in
            let name = try #require(ItemName(record))
            return PlainItem(
                record: record, name: name, item: try Item(name, try #require(record.content)))
        }
        var (count, number) = (0, 0)
        for text in narrowed + drawn.queries {
            let query = try SearchQuery(text, at: drawn.present)
            let time = WallTime(milliseconds: [0, 2000, 4000][number % 3])
            let app = number % 4 == 0 ? apps[number / 4 % apps.count] : nil
            number += 1
            let expected = items.filter { $0.isThere(at: time, in: app) && query.matches($0.item) }.sorted()
            let finding = try stage.find(query, app: app, at: time)
            #expect(finding.isWhole)
            #expect(
                finding.items == expected.compactMap { FoundItem($0.record) },
                "\(text) of \(app ?? "all") at \(time.milliseconds) \(when)")
            let best = try stage.find(query, app: app, most: 3, at: time)
            #expect(best.items == Array(finding.items.prefix(3)), "\(text) \(when)")
            count += expected.count
        }
        return count
    }

    @Test func `finds texts in values that are not of the attribute's type, also by their words`()
        throws
    {
        let stage = try SearchStage()
        let values: [PropertyValue] = [
            .url("red one"), .set([.string("red two"), .string("x")]),
            .dictionary([.integer(1): .string("red")]),
            .array([.array([.url("red")])]),
        ]
        for (number, value) in values.enumerated() {
            let name = ItemName(app: "org.example.app", index: "notes", identifier: "\(number)")
            var item = Item()
            item.attributes[.title] = .plain(value)
            try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        }
        #expect(try stage.find(Self.query(#"title == "red"tcd"#)).items.count == 4)
        #expect(try Set(stage.names("red")) == ["0", "1", "2", "3"])
        #expect(try stage.names("two") == ["1"])
    }

    @Test(arguments: ["creator", "own_text"])
    func `finds the same texts by their values as a comparison, whatever their case, accents and length`(
        attribute: String
    ) throws {
        let long = String(repeating: "ab", count: 15)
        let texts = [
            "name1", "name12", "NAME1", "náme1", "na\u{301}me1", "name1\u{301}", "name1\u{327}x", "n", "ſ",
            "s",
            "ß", "ss", "\u{212a}", "k", "ﬁ", "fi", "é", "e", "漢", "ᾳ", long + "a", long + "ab", long + "aé",
            long + "abé", long + "abe", long + "abec", long + long,
        ]
        let field = try #require(FieldName(queryName: attribute))
        let stage = try SearchStage()
        let items = texts.enumerated().map { number, text in
            var item = Item()
            item.attributes[field] = .plain(.string(text))
            return (name: ItemName(app: "org.example", index: "x", identifier: "\(number)"), item: item)
        }
        try stage.write(items.map { Journal.Draft(.full($0.item.content($0.name)), $0.name.key) })
        for text in texts {
            for (ending, modifiers) in [("", ""), ("", "c"), ("", "d"), ("", "cd"), ("*", ""), ("*", "cd")] {
                let query = try Self.query("\(attribute) == \"\(text)\(ending)\"\(modifiers)")
                let expected = items.filter { query.matches($0.item) }.map(\.name.identifier)
                let found = try stage.find(query).items.map(\.identifier)
                #expect(Set(found) == Set(expected) && !found.isEmpty, "\(query)")
            }
        }
    }

    @Test func `finds items by domain and word in every index, however their scopes are divided into parts`()
        throws
    {
        let stage = try SearchStage()
        var item = Item()
        item.attributes[.title] = .plain(.string("word"))
        let scopes = [
            ["a.b", "c"], ["a", "b", "c"], ["a.b.c"], ["a", "b.c"], ["a", "b"], ["a", "b", "c", "d"], [],
            ["x"],
        ]
        for (number, scope) in scopes.enumerated() {
            for (app, index) in [("org.example.a", "x"), ("org.example.a", "y"), ("org.example.b", "x")] {
                let name = ItemName(app: app, index: index, identifier: "\(number)")
                let content = Write.Content(
                    scope: Scope([app, "items", index] + scope), fields: item.fields)
                try stage.write([Journal.Draft(.full(content), name.key)])
            }
        }
        let found = { (text: String, app: String?) in
            try stage.find(Self.query(text), app: app).items.map(\.identifier).sorted()
        }
        let query = #"domainIdentifier == "a.b.c" && title == "word"cd"#
        #expect(try found(query, nil) == ["0", "0", "0", "1", "1", "1", "2", "2", "2", "3", "3", "3"])
        #expect(try found(query, "org.example.a") == ["0", "0", "1", "1", "2", "2", "3", "3"])
        #expect(try found(query, "org.example.c") == [])
    }

    // MARK: Bounds

    /// Makes a store with many items, of which a few are in another app or domain, or have a rare word.
    private static func many(_ count: Int = 3000) throws -> SearchStage {
        let stage = try SearchStage()
        var drafts = (0..<count).map { (number: Int) -> Journal.Draft in
            let domain = number % 1000 == 0 ? "rare" : "common.\(number % 7)"
            let title = number % 500 == 0 ? "note needle" : "note"
            return .item("\(number)", domain: domain, indexed: Int64(number), [.title: title])
        }
        for number in 0..<3 {
            let name = ItemName(app: "org.example.other", index: "x", identifier: "\(number)")
            drafts.append(Journal.Draft(.full(Item().content(name)), name.key))
        }
        for start in stride(from: 0, to: drafts.count, by: 500) {
            try stage.write(Array(drafts[start..<min(start + 500, drafts.count)]))
        }
        return stage
    }

    @Test func `reads only items selected by words, domains or the app`() throws {
        let stage = try Self.many()
        // Each of these must look at all items, for which this is too little.
        for text in [
            "*", #"title == "*e*"cd && title != "note""#, #"!(title == "needle")"#, #"title != "needle"cd"#,
            #"title == "needle*"cd || pageCount > 3"#, #"title == "n*"w"#, #"path == "needle""#,
            #"domainIdentifier == "rare" || pageCount > 3"#,
        ] {
            let finding = try stage.find(Self.query(text), within: SearchStop(questionsMost: 6))
            #expect(finding.coverage == .cut && !finding.isWhole, "\(text)")
        }
        for (text, count) in [
            (#"title == "note needle"cd"#, 6), (#"** == "NEEDLE"tc"#, 6), (#"title == "* needle""#, 6),
            (#"title == "*eedl*"cd"#, 6), (#"title == "NEEDLE"wc"#, 6), (#"** == "*edle"t"#, 6),
            (#"title == "*needle*" && title == "*xyz*""#, 0),
            (#"!(domainIdentifier == "common*")"#, 6),
            (#"pageCount > 3"#, 0), (#"InRange(dueDate, $time.today, $time.now)"#, 0),
            (#"custom == "a*"cd && title == "note*""#, 0), (#"contentType == "public.text""#, 0),
            (#"creator == "A person""#, 0),
            (#"title == "note needle" && !(pageCount > 3)"#, 6), (#"domainIdentifier == "r*e"cd"#, 3),
            (#"title == "x y" || title == "note needle""#, 6), (#"domainIdentifier != "common*""#, 6),
            (#"domainIdentifier == "rare" && (title == "note*" || pageCount > 3)"#, 3),
        ] {
            let finding = try stage.find(Self.query(text), within: SearchStop(questionsMost: 6))
            #expect(finding.isWhole && finding.items.count == count, "\(text): \(finding.items.count)")
        }
        let other = try stage.find(
            Self.query("*"), app: "org.example.other", within: SearchStop(questionsMost: 6))
        #expect(other.isWhole && other.items.map(\.identifier) == ["0", "1", "2"])
        // Neither does a large scope cost much that is left out, nor are many small ones a step each.
        let place = try SearchStage()
        try place.write((0..<3000).map { .item("\($0)", domain: "a", [.title: "x \($0)"]) })
        try place.write((0..<3000).map { .item("b \($0)", domain: "b.\($0)", [.title: "x"]) })
        try place.write([.item("last", domain: "c", [.title: "x"])])
        for text in [#"domainIdentifier == "c""#, #"domainIdentifier != "a*" && domainIdentifier == "*c""#] {
            var steps = 0
            let found = try place.find(Self.query(text), within: SearchStop(questionsMost: 12)) { steps += 1 }
            #expect(found.isWhole && found.items.map(\.identifier) == ["last"] && steps < 10, "\(steps)")
        }
        let large = try place.find(
            Self.query(#"domainIdentifier == "a""#), within: SearchStop(questionsMost: 40))
        #expect(large.isWhole && large.items.count == 3000)
        // The work for all items grows with their number, not with its square.
        #expect(try stage.find(Self.query("*"), within: SearchStop(questionsMost: 32)).isWhole)
    }

    @Test func `reads only items that have the word and the domain, even if each alone selects many`() throws
    {
        let stage = try SearchStage()
        for start in stride(from: 0, to: 5250, by: 750) {
            let numbers = start..<start + 750
            if start < 1500 {
                try stage.write(numbers.map { .item("blue \($0)", domain: "a", [.title: "blue"]) })
            }
            try stage.write(numbers.map { .item("red \($0)", domain: "b", [.title: "red"]) })
        }
        try stage.write((0..<6).map { .item("\($0)", domain: "a", [.title: "red"]) })
        let text = #"domainIdentifier == "a" && title == "red""#
        let finding = try stage.find(Self.query(text), within: SearchStop(questionsMost: 4))
        #expect(finding.isWhole && Set(finding.items.map(\.identifier)) == Set((0..<6).map(String.init)))
    }

    @Test func `reports that it was cut off, and returns what it found in order`() throws {
        let stage = try Self.many()
        let whole = try stage.find(Self.query("**==*"))
        #expect(whole.isWhole && whole.items.count == 3000)
        #expect(whole.items.map(\.identifier) == (0..<3000).reversed().map { "\($0)" })
        let cut = try stage.find(Self.query("**==*"), most: 50, within: SearchStop(questionsMost: 5))
        #expect(cut.coverage == .cut && cut.items.count == 50)
        let numbers = cut.items.compactMap { Int($0.identifier) }
        #expect(numbers == numbers.sorted(by: >))
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            #"textContent == "\#(String(repeating: "*a", count: 400))*b""#,
            [String](repeating: #"textContent == "*aaaaaaab"cd"#, count: 500).joined(separator: " || "),
            #"textContent == "\#(String(repeating: "a * ", count: 200))b"w"#,
        ]) func `stops a hostile query at its limit`(_ text: String) throws
    {
        let stage = try SearchStage()
        let long = String(repeating: "a", count: 300_000)
        try stage.write((0..<20).map { .item("\($0)", [.textContent: long]) })
        // One item is within the bound, and all of them are not.
        let finding = try stage.find(Self.query(text), within: SearchStop(questionsMost: 1500))
        #expect(finding.coverage == .cut && finding.items.isEmpty)
        #expect(try stage.find(Self.query("*"), within: SearchStop(questionsMost: 1500)).items.count == 20)
    }

    // MARK: Steps

    @Test func `blocks no writer between its steps, and omits items that were deleted before it ended`()
        throws
    {
        let stage = try Self.many()
        // A single page of the log is long enough for it to be truncated.
        stage.store.logBytes = 1 << 14
        var (steps, lengths) = (0, [off_t]())
        let finding = try stage.find(Self.query("**==*"), most: 5) {
            steps += 1
            do {
                if steps == 16 { try stage.write([.removal(of: "2999")]) }
                try stage.write([.item("2998", [.title: "another \(steps)"])])
            } catch {
                Issue.record(error)
            }
            // SQLite can't truncate its log while somebody reads.
            stage.store.ownLane(.index).truncateLog()
            var status = stat()
            #expect(stat(stage.folder.path + "/index.sqlite-wal", &status) == 0)
            lengths.append(status.st_size)
        }
        #expect(lengths == [off_t](repeating: 0, count: 16))
        let names: [String] = finding.items.map(\.identifier)
        #expect(names == ["2997", "2996", "2995", "2994", "2993"])
    }

    @Test func `ends when its caller cancels it, or when the node ends`() throws {
        let stage = try Self.many()
        var steps = 0
        #expect(throws: StoreFailure(.failed, "nobody waits")) {
            try stage.find(Self.query("*")) { () throws(StoreFailure) in
                steps += 1
                if steps == 3 { throw StoreFailure(.failed, "nobody waits") }
            }
        }
        #expect(steps == 3)
        let stop = SearchStop()
        #expect(throws: StoreFailure.self) {
            try stage.find(Self.query("*"), within: stop) {
                steps += 1
                if steps == 6 { stop.stop() }
            }
        }
        #expect(steps == 6)
    }

    @Test func `looks at all items if the full-text table is emptied during the query`() throws {
        // More than are taken from the table at once.
        let stage = try Self.many(6000)
        var steps = 0
        let finding = try stage.find(Self.query(#"title == "note*""#)) {
            steps += 1
            guard steps == 2 else { return }
            do { try stage.store.emptySearch() } catch { Issue.record(error) }
        }
        #expect(finding.isWhole && finding.items.count == 6000)
        #expect(Set(finding.items.map(\.identifier)).count == 6000)
    }

    @Test func `reports that a batch that is not merged yet was not searched`() throws {
        let stage = try SearchStage()
        let batch = BatchIdentifier(value: 7)
        try stage.store.stage((0..<1200).map { .item("\($0)", [.title: "late \($0)"]) }, in: batch)
        let query = try Self.query(#"title == "late 1199""#)
        #expect(try stage.find(query).isWhole, "nobody sees anything of it before it ends")
        _ = try stage.store.commit(try stage.ending(batch, count: 1200))
        while try stage.find(query).items.isEmpty {
            #expect(try stage.find(query).coverage == .merging)
            try #require(try stage.store.lane(.index).settle(most: 500) != nil)
        }
        #expect(try stage.find(Self.query("*")).items.count == 1200)
    }
}

/// An item that a query is evaluated for without any table, in the order of results.
private struct PlainItem: Comparable {
    let record: Record
    let name: ItemName
    let item: Item

    func isThere(at time: WallTime, in app: String?) -> Bool {
        if let expiration = item.expiration, expiration <= time { return false }
        return app == nil || name.app == app
    }

    static func < (left: Self, right: Self) -> Bool {
        let (time, other) = (left.item.indexed?.milliseconds ?? -1, right.item.indexed?.milliseconds ?? -1)
        if time != other { return time > other }
        return left.path.lexicographicallyPrecedes(right.path)
    }

    /// The name in bytes, each part before a byte that no text has.
    private var path: [UInt8] {
        [name.app, name.index, name.identifier].flatMap { Array($0.utf8) + [0] }
    }
}
