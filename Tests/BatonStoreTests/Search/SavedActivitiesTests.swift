import BatonCore
import BatonStore
import Support
import Testing

/// Searches that find activities that ended, besides items.
@Suite struct `Searching saved activities` {
    private static let device = DeviceIdentifier(high: 7, low: 1)

    /// A store with items and activities, and a search on it.
    private struct Stage {
        let items: SearchStage
        private var journal: Journal
        private var now = WallTime(milliseconds: 1_000_000)

        init(_ life: UInt64 = 9) throws {
            items = try SearchStage()
            journal = Journal(life: Life(high: 5, low: life), latest: .zero)
        }

        mutating func write(_ drafts: [Journal.Draft]) throws {
            now = now.advanced(by: .milliseconds(1))
            let transaction = journal.transaction(.activities, drafts, now: now)
            _ = try items.store.commit(try #require(transaction))
        }

        func find(
            _ text: String, most: Int = 100, at time: Int64 = 0, in scope: SearchScope = SearchScope()
        ) throws -> [ShownThing] {
            try items.find(text, most: most, at: WallTime(milliseconds: time), in: scope).things
        }

        /// Returns the titles that a search finds, best first.
        func titles(_ text: String, at time: Int64 = 0, in scope: SearchScope = SearchScope()) throws
            -> [String]
        {
            try find(text, at: time, in: scope).map { $0.thing.title ?? "" }
        }
    }

    private static func activity(
        _ title: String?, eligibility: Eligibility = [.handoff, .search], finished: Int64 = 100,
        app: String = "org.example.edit", _ change: (inout Activity) -> Void = { _ in }
    ) -> Journal.Draft {
        let (name, activity) = saved(title, eligibility, finished, app, change)
        return Journal.Draft(.full(activity.content(savedBy: app)), name.key)
    }

    private static func saved(
        _ title: String?, _ eligibility: Eligibility, _ finished: Int64, _ app: String,
        _ change: (inout Activity) -> Void
    ) -> (SavedActivityName, Activity) {
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 50))
        (activity.title, activity.eligibility) = (title, eligibility)
        (activity.finished, activity.persistentIdentifier) = (WallTime(milliseconds: finished), title)
        let current = ActivityName(device: device, app: app, instance: "1")
        activity.origin = Activity.Origin(device: device, identity: current.identity)
        change(&activity)
        return (activity.savedName(by: app), activity)
    }

    @Test func `two words find nothing if an item has only one of them, and an activity only the other`()
        throws
    {
        var stage = try Stage()
        try stage.items.write([.item("1", [.title: "red mouse"], app: "org.example.edit")])
        try stage.write([Self.activity("zebra")])
        let scope = SearchScope(filter: SearchFilter(app: "org.example.edit"))
        for text in ["mouse zeb", "zeb mouse"] { #expect(try stage.titles(text, in: scope) == []) }
        #expect(try stage.titles("zeb", in: scope) == ["zebra"])
    }

    @Test func `eligible activities are found by title, keywords, description and web page`() throws {
        var stage = try Stage()
        try stage.write([
            Self.activity("Annual report") { activity in
                activity.keywords = ["figures"]
                activity.webpage = "https://intranet.example/quarter"
                activity.attributes[.contentDescription] = .plain(.string("The draft of Ada"))
            },
            Self.activity("Secret report", eligibility: .handoff),
        ])
        for word in ["annual", "REPO", "figures", "quarter", "draft ada", "intranet"] {
            #expect(try stage.titles(word) == ["Annual report"], "\(word)")
        }
        for word in ["https", "secret", "annual x"] { #expect(try stage.titles(word).isEmpty, "\(word)") }
        let found = try #require(try stage.find("annual").first)
        #expect(found.devices == [Self.device] && found.writers.isEmpty)
        let activity = try #require(found.thing.activity)
        #expect(activity.ended == WallTime(milliseconds: 100) && !activity.isHere)
        #expect(activity.url == "https://intranet.example/quarter")
        #expect(activity.summary == "The draft of Ada")
    }

    @Test func `items and activities are ranked together in one list`() throws {
        var stage = try Stage()
        try stage.items.write([
            .item("1", indexed: 100, [.title: "Tea"]), .item("2", indexed: 100, [.textContent: "about tea"]),
        ])
        try stage.write([Self.activity("Tea", finished: 101), Self.activity("Tea and coffee", finished: 101)])
        let found = try stage.find("tea", at: 200)
        #expect(found.map { $0.thing.item?.identifier ?? "-" } == ["-", "1", "-", "2"])
        #expect(found.map { $0.rank?.score ?? 0 } == found.map { $0.rank?.score ?? 0 }.sorted(by: >))
        #expect(found[0].rank?.text == found[1].rank?.text, "a title counts the same")
        let alone = try stage.find("coffee", at: 200)
        #expect(alone.map(\.thing.title) == ["Tea and coffee"], "a word that no item has")
        #expect(try stage.find("tea", most: 2, at: 200).count == 2)
    }

    @Test func `a word that is frequent in activities counts less in items, too`() throws {
        var stage = try Stage()
        try stage.items.write((0..<20).map { .item("\($0)", [.title: "rare word \($0)"]) })
        let before = try #require(try stage.find("rare").first?.rank?.text)
        try stage.write((0..<100).map { Self.activity("rare \($0)") })
        let item = try stage.find("rare", most: 1000).first { $0.thing.item != nil }
        #expect(try #require(item?.rank?.text) < before)
    }

    @Test func `a search reflects changed, deleted and cleared activities`() throws {
        var stage = try Stage()
        try stage.write([
            Self.activity("red one"), Self.activity("red two"), Self.activity("red three", app: "b"),
        ])
        #expect(try Set(stage.titles("red")) == ["red one", "red two", "red three"])
        try stage.write([
            Self.activity("red two") { $0.title = "blue two" },
            Journal.Draft(.deletion, SavedActivityName(app: "org.example.edit", identifier: "red one").key),
        ])
        #expect(try stage.titles("red") == ["red three"])
        #expect(try stage.titles("blue") == ["blue two"])
        try stage.write([Self.activity("red two", eligibility: .handoff)])
        #expect(try stage.titles("two").isEmpty)
        let clear = Scope.activities(app: "b").clearKey(in: .activities)
        try stage.write([Journal.Draft(.full(Write.Content(fields: Fields())), clear)])
        #expect(try stage.titles("red").isEmpty)
        try stage.write([Self.activity("red four")])
        #expect(try stage.titles("red") == ["red four"])
    }

    @Test(arguments: Seeds.first(40))
    func `a reader that remembers activities answers as a new one, whatever was removed`(seed: UInt64) throws
    {
        var generator = SeededGenerator(seed: seed)
        var stage = try Stage()
        var limits = SearchLimits()
        (limits.activities, limits.activityBytes) = (generator.number(1...6), generator.number(400...3000))
        func reader() throws -> SearchReader {
            try SearchReader(folder: stage.items.folder.path, stop: SearchStop(), limits: limits)
        }
        let lasting = try reader()
        let store = stage.items.store
        for step in 0..<40 {
            let time = WallTime(milliseconds: Int64(step))
            switch generator.number(0...9) {
            case 0...4:
                let draft = Self.activity(
                    "\(generator.number(0...9))", eligibility: generator.chance(80) ? .search : .handoff,
                    finished: Int64(generator.number(0...40))
                ) { activity in
                    activity.title = "red" + String(repeating: " word", count: generator.number(0...40))
                    activity.changed = WallTime(milliseconds: Int64(generator.number(0...20)))
                    let lifetime = Int64(generator.number(0...20))
                    if generator.chance(50) {
                        activity.expiration = time.advanced(by: .milliseconds(lifetime))
                    }
                }
                try stage.write([draft])
            case 5...6:
                let name = SavedActivityName(
                    app: "org.example.edit", identifier: "\(generator.number(0...9))")
                try stage.write([Journal.Draft(.deletion, name.key)])
            case 7:
                var request = SweepRequest(time: time, roster: [])
                while let swept = try store.sweep(request) { request.after = swept.next }
            case 8: while try store.collect(CollectRequest(roster: [])) > 0 {}
            default:
                let clear = Scope.activities(app: "org.example.edit").clearKey(in: .activities)
                if generator.chance(20) {
                    try stage.write([Journal.Draft(.full(Write.Content(fields: Fields())), clear)])
                }
                while try store.ownLane(.activities).settle(most: 1) != nil {}
            }
            // If nobody searches for a while, there are several changes at once.
            guard generator.chance(40) else { continue }
            for text in ["red", "wrod"] {
                let (answer, other) = (
                    try lasting.find(text, most: 9, at: time), try reader().find(text, most: 9, at: time)
                )
                #expect(answer == other, "step \(step), “\(text)”")
            }
        }
    }

    @Test func `expired and hidden activities, and activities of switched-off apps, are not found`() throws {
        var stage = try Stage()
        let key = Self.activity("red one").key
        try stage.write([
            Self.activity("red one"), Self.activity("red two") { $0.expiration = WallTime(milliseconds: 5) },
            Self.activity("red three", app: "b"),
        ])
        try stage.items.write([.item("1", [.title: "red item"])])
        #expect(try Set(stage.titles("red", at: 4)) == ["red one", "red two", "red three", "red item"])
        #expect(try Set(stage.titles("red", at: 5)) == ["red one", "red three", "red item"])
        var activity = Activity(type: "t", started: WallTime(milliseconds: 50))
        activity.title = "red one"
        let hidden = SearchScope(
            dismissals: Dismissals(Dismissals().notes(dismissing: key.identity, activity)))
        #expect(try Set(stage.titles("red", at: 5, in: hidden)) == ["red three", "red item"])
        #expect(
            try Set(stage.titles("red", at: 5, in: SearchScope(appsOff: ["b"]))) == ["red one", "red item"])
        let off = SearchScope(appsOff: ["b", "org.example.app"])
        #expect(try stage.titles("red", at: 5, in: off) == ["red one"])
        #expect(try Set(stage.titles("red", at: 5)) == ["red one", "red three", "red item"], "on again")
        #expect(try stage.titles("three", in: SearchScope(appsOff: ["b"])).isEmpty)
        #expect(try stage.items.find("thre", in: SearchScope(appsOff: ["b"])).corrected == nil)
        let query = try SearchQuery(
            #"title == "red*""#, at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 })
        #expect(try stage.items.find(query).items.count == 1)
        #expect(try stage.items.find(query, in: SearchScope(appsOff: ["org.example.app"])).items.isEmpty)
    }

    @Test func `many items of a switched-off app do not displace results of other apps`() throws {
        let stage = try Stage()
        try stage.items.write((0..<50).map { .item("\($0)", [.title: "word"]) })
        let other = (0..<5000).map { number -> Journal.Draft in
            var item = Item()
            item.attributes[.title] = .plain(.string("word"))
            let name = ItemName(app: "loud", index: "main", identifier: "\(number)")
            return Journal.Draft(.full(item.content(name)), name.key)
        }
        for part in stride(from: 0, to: other.count, by: 500) {
            try stage.items.write(Array(other[part..<part + 500]))
        }
        for text in ["w", "word", "word "] {
            let found = try stage.find(text, in: SearchScope(appsOff: ["loud"]))
            #expect(found.count == 50 && found.allSatisfy { $0.thing.app == "org.example.app" }, "\(text)")
        }
    }

    @Test func `activities kept only on this device are found, and marked as such`() throws {
        let stage = try Stage()
        let (name, activity) = Self.saved("red here", .search, 100, "a") { _ in }
        var kept = KeptActivities()
        kept.restoreNotes(kept.notes(keeping: activity, as: name, at: WallTime(milliseconds: 0)))
        #expect(try stage.titles("red").isEmpty)
        let found = try stage.find("red", in: SearchScope(kept: kept))
        #expect(found.count == 1 && found[0].thing.activity?.isHere == true)
        #expect(try stage.items.find("rde", in: SearchScope(kept: kept)).corrected == "red")
        #expect(try stage.titles("red", in: SearchScope(kept: kept, appsOff: ["a"])).isEmpty)
        kept.restoreNotes(KeptActivities.notes(removing: [name]))
        #expect(try stage.titles("red", in: SearchScope(kept: kept)).isEmpty)
    }

    @Test func `a state kept here is not found after a later end, even if memory has no room for the end`()
        throws
    {
        var stage = try Stage()
        let (name, activity) = Self.saved("red old", .search, 100, "a") { $0.persistentIdentifier = "1" }
        var kept = KeptActivities()
        kept.restoreNotes(kept.notes(keeping: activity, as: name, at: WallTime(milliseconds: 0)))
        let later = Self.activity("blue new", finished: 300, app: "a") { $0.persistentIdentifier = "1" }
        try stage.write([later])
        try stage.write([Self.activity("green one"), Self.activity("green two")])
        for (limit, titles) in [(1, []), (3, ["blue new"])] {
            var limits = SearchLimits()
            limits.activities = limit
            let reader = try SearchReader(folder: stage.items.folder.path, stop: SearchStop(), limits: limits)
            let scope = SearchScope(kept: kept)
            func find(_ text: String) throws -> SearchFinding {
                try reader.find(text, most: 9, at: WallTime(milliseconds: 9), in: scope)
            }
            #expect(try find("red").things.isEmpty, "\(limit) in memory")
            #expect(try find("rde").corrected == nil, "\(limit) in memory")
            #expect(try find("blue").things.map(\.thing.title) == titles, "\(limit) in memory")
            let call = ExplainActivity(name.key.identity.hash.description, words: nil)
            let explanation = try reader.explain(call, at: WallTime(milliseconds: 9), in: scope)
            #expect(explanation?.title == "blue new", "\(limit) in memory")
        }
    }

    @Test func `an activity and the item that it is about are one result with the activity's devices`() throws
    {
        var stage = try Stage()
        try stage.items.write([
            .item("7", indexed: 100, [.title: "Annual report", .textContent: "figures"]),
            .item("8", indexed: 90, [.title: "Annual report"]),
        ])
        try stage.write([
            Self.activity("Editing the annual report", app: "org.example.app") { activity in
                activity.attributes[.relatedUniqueIdentifier] = .plain(.string("7"))
                activity.webpage = "https://example.org/7"
            }
        ])
        let found = try stage.find("annual report", at: 1000)
        #expect(found.count == 2 && found[0].thing.item?.identifier == "7")
        #expect(found[0].thing.title == "Annual report" && found[0].thing.url == "https://example.org/7")
        #expect(found[0].devices == [Self.device] && found[0].writers == [Life(high: 5, low: 1)])
        #expect(found[0].thing.activity?.title == "Editing the annual report")
        #expect(found[1].thing.activity == nil)
        #expect(try stage.find("figures").count == 1)
        #expect(try stage.find("editing").map { $0.thing.item == nil } == [true])
    }

    @Test func `an activity that belongs to an item is found only while the item is in the index`() throws {
        var stage = try Stage()
        let app = "org.example.app"
        let tied = { (identifier: String, attribute: Attribute) in
            Self.activity("tea \(identifier) \(attribute)", app: app) { activity in
                activity.attributes[attribute] = .plain(.string(identifier))
            }
        }
        let drafts = [
            tied("1", .relatedUniqueIdentifier), tied("2", .relatedUniqueIdentifier),
            tied("3", .relatedUniqueIdentifier), tied("1", .weakRelatedUniqueIdentifier),
            Self.activity("tea of another app", app: "org.example.other") { activity in
                activity.attributes[.relatedUniqueIdentifier] = .plain(.string("1"))
            },
        ]
        try stage.write(drafts)
        let query = try Self.query(#"title == "tea*"c"#)
        func titles(at time: Int64 = 1000) throws -> [String] {
            let found = try stage.titles("tea", at: time).sorted()
            let queried = try stage.items.find(query, at: WallTime(milliseconds: time)).things
            #expect(queried.compactMap(\.thing.activity?.title).sorted() == found)
            return found
        }
        func outcome(_ draft: Int, words: String? = nil) throws -> SearchExplanation.Outcome? {
            try stage.items.explain(
                ExplainActivity(drafts[draft].key.identity.hash.description, words: words),
                at: WallTime(milliseconds: 1000), in: SearchScope())?.outcome
        }
        let weak = "tea 1 weakRelatedUniqueIdentifier"
        #expect(try titles() == [weak])
        #expect(try outcome(0) == .itemless && outcome(0, words: "coffee") == .itemless)
        #expect(try outcome(3) == .shown && outcome(4) == .itemless)
        // Items are looked for in all indexes of the app.
        let second = ItemName(app: app, index: "second", identifier: "2")
        try stage.items.write([
            .item("1", [.title: "one"]), .item("9", [.title: "nine"]),
            Journal.Draft(.full(Item(attributes: AttributeSet()).content(second)), second.key),
        ])
        let one = "tea 1 relatedUniqueIdentifier"
        #expect(try titles() == [one, weak, "tea 2 relatedUniqueIdentifier"])
        #expect(try outcome(0) == .shown && outcome(0, words: "coffee") == .lacksWords)
        try stage.items.write([Journal.Draft(.deletion, second.key)])
        #expect(try titles() == [one, weak])
        // An item that expires takes its activity along.
        let name = ItemName(app: app, index: "notes", identifier: "1")
        var item = Item(attributes: AttributeSet())
        item.expiration = WallTime(milliseconds: 2000)
        try stage.items.write([Journal.Draft(.full(item.content(name)), name.key)])
        #expect(try titles() == [one, weak])
        #expect(try titles(at: 3000) == [weak])
    }

    @Test func `the requested number of results is found although many are about one thing`() throws {
        var stage = try Stage()
        try stage.items.write((0..<40).map { .item("\($0)", [.textContent: "tea \($0)"]) })
        try stage.write(
            (0..<60).map { number in
                Self.activity("tea") { activity in
                    activity.persistentIdentifier = nil
                    activity.targetContentIdentifier = "\(number)"
                    activity.webpage = "https://example.org/tea"
                }
            })
        for most in [1, 5, 20, 41, 60] {
            #expect(try stage.find("tea", most: most).count == min(most, 41), "\(most)")
        }
    }

    @Test func `an opened activity comes before an otherwise equal one`() throws {
        var stage = try Stage()
        try stage.write([Self.activity("tea one", finished: 100), Self.activity("tea two", finished: 200)])
        #expect(try stage.titles("tea", at: 1000) == ["tea two", "tea one"])
        let key = Self.activity("tea one").key
        let draft = Engagement.draft(
            opening: key, in: .activities(app: "org.example.edit"), by: Self.device,
            at: WallTime(milliseconds: 900), after: nil)
        try stage.items.write([draft])
        #expect(try stage.titles("tea", at: 1000) == ["tea one", "tea two"])
    }

    @Test func `a typing mistake is corrected to a word that only activities have`() throws {
        var stage = try Stage()
        try stage.write([
            Self.activity("kernel notes"),
            Self.activity("colonel") { $0.expiration = WallTime(milliseconds: 5) },
        ])
        let finding = try stage.items.find("kernle")
        #expect(finding.corrected == "kernel" && finding.things.count == 1)
        #expect(try stage.items.find("colonle", at: WallTime(milliseconds: 5)).corrected == nil)
        try stage.write([
            Journal.Draft(
                .deletion, SavedActivityName(app: "org.example.edit", identifier: "kernel notes").key)
        ])
        #expect(try stage.items.find("kernle").corrected == nil)
    }

    @Test func `in a search for one kind of thing, a word that only the other kind has is corrected`() throws
    {
        var stage = try Stage()
        try stage.items.write([.item("1", [.title: "reed"])])
        try stage.write([Self.activity("greed")])
        for (typed, kind, corrected) in [
            ("greed", SearchFilter.Kind.item, "reed"), ("reed", .activity, "greed"),
        ] {
            let finding = try stage.items.find(typed, filter: SearchFilter(kind: kind))
            #expect(finding.corrected == corrected && finding.things.count == 1)
            #expect(try stage.items.find(typed).corrected == nil)
        }
    }

    @Test func `a correction counts a word's items and activities together`() throws {
        var stage = try Stage()
        try stage.items.write([
            .item("1", [.title: "house"]), .item("2", [.title: "house"]), .item("3", [.title: "mouse"]),
            .item("4", [.title: "mouse"]),
        ])
        #expect(try stage.items.find("xouse").corrected == "house")
        try stage.write([Self.activity("mouse")])
        #expect(try stage.items.find("xouse").corrected == "mouse")
    }

    @Test(arguments: Seeds.first(5))
    func `devices in step show the same results, in whatever order items and activities arrived`(seed: UInt64)
        throws
    {
        var generator = SeededGenerator(seed: seed)
        var (first, second) = (try Stage(9), try Stage(8))
        let words = ["red", "blue", "green"]
        var (activities, items): ([Journal.Draft], [Journal.Draft]) = ([], [])
        for number in 0..<generator.number(1...40) {
            let title = (0..<generator.number(1...3)).map { _ in generator.pick(words) }.joined(
                separator: " ")
            let page = generator.chance(40) ? "https://e.org/\(generator.number(0...4))" : nil
            if generator.chance(50) {
                let about = generator.chance(40) ? "\(generator.number(0...39))" : nil
                activities.append(
                    Self.activity(title, finished: Int64(generator.number(0...5)), app: "org.example.app") {
                        $0.webpage = page
                        $0.persistentIdentifier = "\(number)"
                        if let about { $0.attributes[.relatedUniqueIdentifier] = .plain(.string(about)) }
                    })
            } else {
                var texts: [Attribute: String] = [.title: title]
                if let page { texts[.contentURL] = page }
                items.append(
                    .item("\(number)", indexed: Int64(generator.number(0...5)), texts))
            }
        }
        for draft in activities {
            try first.write([draft])
            if generator.chance(50) { _ = try first.find("red") }
        }
        for draft in items { try first.items.write([draft]) }
        // The second device gets the same writes in another order.
        for (lane, kind) in [(Lane.activities, RecordKind.savedActivity), (.index, .item)] {
            var writes = try first.items.store.records(of: kind).flatMap(\.survivingWrites)
            for place in writes.indices { writes.swapAt(place, generator.number(0...writes.count - 1)) }
            for write in writes {
                _ = try second.items.store.commit(
                    StoreTransaction(lane: lane, writes: [write], completing: VersionVector()))
                if generator.chance(10) { _ = try second.find("b") }
            }
        }
        for text in ["r", "red", "red ", "blue red", "green", "g b"] {
            for most in [3, 100] {
                let (mine, others) = (try first.find(text, most: most), try second.find(text, most: most))
                #expect(mine == others, "\(text) \(most)")
            }
            let all = try first.find(text)
            #expect(try Array(all.prefix(3)).map(\.thing.app) == first.find(text, most: 3).map(\.thing.app))
            #expect(all.map { $0.rank?.score ?? 0 } == all.map { $0.rank?.score ?? 0 }.sorted(by: >))
        }
    }

    // MARK: Queries

    private static func query(_ text: String) throws -> SearchQuery {
        try SearchQuery(text, at: PresentTime(WallTime(milliseconds: 1_000_000)) { _ in 0 })
    }

    @Test func `a query finds activities by their properties and attributes`() throws {
        var stage = try Stage()
        try stage.write([
            Self.activity("Annual report") { activity in
                activity.keywords = ["figures", "year"]
                activity.webpage = "https://intranet.example/quarter"
                activity.attributes[.contentURL] = .plain(.url("file:///home/ada/report"))
                activity.attributes[.keywords] = .plain(.array([.string("draft")]))
                activity.attributes[.contentType] = .plain(.string("public.text"))
                activity.attributes[.title] = .plain(.string("another title"))
                activity.attributes[.custom([UInt8]("org_state".utf8))] = .plain(.integer(7))
            },
            Self.activity("Secret report", eligibility: .handoff),
        ])
        let (first, second) = ("$time.iso(1970-01-01T00:00Z)", "$time.iso(1970-01-01T00:01Z)")
        for text in [
            #"title == "annual*"cd"#, #"keywords == "figures""#, #"keywords == "draft""#,
            #"contentURL == "https://*""#, #"contentURL == "file:*""#, #"** == "*report*"cd"#,
            #"contentType == "public.text""#, "org_state == 7", "*", "contentModificationDate == *",
            "InRange(contentCreationDate, \(first), \(second))", "InRange(lastUsedDate, \(first), \(second))",
        ] {
            #expect(
                try stage.items.find(Self.query(text)).things.map(\.thing.title) == ["Annual report"],
                "\(text)")
        }
        for text in [#"title == "another*""#, #"title == "secret*"c"#, "pageCount == *", "!(title == *)"] {
            #expect(try stage.items.find(Self.query(text)).things.isEmpty, "\(text)")
        }
    }

    @Test func `a query lists items and activities together, and joins an activity with its item`() throws {
        var stage = try Stage()
        try stage.items.write([
            .item("7", indexed: 100, [.title: "Report"]), .item("8", indexed: 300, [.title: "Report"]),
        ])
        try stage.write([
            Self.activity("Report", finished: 200),
            Self.activity("Report of 7", finished: 150, app: "org.example.app") {
                $0.attributes[.relatedUniqueIdentifier] = .plain(.string("7"))
            },
        ])
        let query = try Self.query(#"title == "report*"c"#)
        let found = try stage.items.find(query).things
        #expect(found.map { $0.thing.item?.identifier ?? "-" } == ["8", "-", "7"])
        #expect(found[2].thing.activity?.title == "Report of 7" && found[2].devices == [Self.device])
        #expect(try stage.items.find(query, most: 2).things.count == 2)
        let items = SearchScope(filter: SearchFilter(kind: .item))
        #expect(try stage.items.find(query, in: items).things.allSatisfy { $0.thing.activity == nil })
        let activities = SearchScope(filter: SearchFilter(kind: .activity))
        #expect(try stage.items.find(query, in: activities).things.count == 2)
        #expect(try stage.items.find(query, app: "org.example.app").things.count == 2)
    }

    @Test func `a query finds no expired, hidden or deleted activities, and none of switched-off apps`()
        throws
    {
        var stage = try Stage()
        let key = Self.activity("red one").key
        try stage.write([
            Self.activity("red one"), Self.activity("red two") { $0.expiration = WallTime(milliseconds: 5) },
            Self.activity("red three", app: "b"), Self.activity("red four"),
        ])
        try stage.write([
            Journal.Draft(.deletion, SavedActivityName(app: "org.example.edit", identifier: "red four").key)
        ])
        let query = try Self.query(#"title == "red*""#)
        func titles(at time: Int64 = 5, in scope: SearchScope = SearchScope()) throws -> Set<String?> {
            try Set(
                stage.items.find(query, at: WallTime(milliseconds: time), in: scope).things.map(\.thing.title)
            )
        }
        #expect(try titles(at: 4) == ["red one", "red two", "red three"])
        #expect(try titles() == ["red one", "red three"])
        #expect(try titles(in: SearchScope(appsOff: ["b"])) == ["red one"])
        var activity = Activity(type: "t", started: WallTime(milliseconds: 50))
        activity.title = "red one"
        let hidden = SearchScope(
            dismissals: Dismissals(Dismissals().notes(dismissing: key.identity, activity)))
        #expect(try titles(in: hidden) == ["red three"])
        let (name, here) = Self.saved("red here", .search, 100, "a") { _ in }
        var kept = KeptActivities()
        kept.restoreNotes(kept.notes(keeping: here, as: name, at: WallTime(milliseconds: 0)))
        #expect(try titles(in: SearchScope(kept: kept)) == ["red one", "red three", "red here"])
    }

    @Test func `an activity kept only on this device is ranked by its openings here`() throws {
        let stage = try Stage()
        var kept = KeptActivities()
        for (title, finished) in [("tea one", Int64(100)), ("tea two", 200)] {
            let (name, activity) = Self.saved(title, .search, finished, "a") { _ in }
            kept.restoreNotes(kept.notes(keeping: activity, as: name, at: WallTime(milliseconds: 0)))
        }
        #expect(try stage.titles("tea", at: 1000, in: SearchScope(kept: kept)) == ["tea two", "tea one"])
        let name = SavedActivityName(app: "a", identifier: "tea one")
        kept.restoreNotes(kept.notes(opening: name, by: Self.device, at: WallTime(milliseconds: 900)))
        #expect(try stage.titles("tea", at: 1000, in: SearchScope(kept: kept)) == ["tea one", "tea two"])
        let other = SavedActivityName(app: "a", identifier: "tea three")
        #expect(kept.notes(opening: other, by: Self.device, at: WallTime(milliseconds: 0)).isEmpty)
        // It ends once more, and is still one that was opened.
        let activity = try #require(kept[name])
        kept.restoreNotes(kept.notes(keeping: activity, as: name, at: WallTime(milliseconds: 0)))
        #expect(kept.uses[name]?.counters.map(\.times) == [1])
    }

    @Test func `a search that finds only an activity is suggested until the activity is deleted`() throws {
        var stage = try Stage()
        try stage.items.write([.item("1", [.title: "gone"])])
        try stage.write([Self.activity("kernel notes")])
        let lane = stage.items.store.ownLane(.index)
        for text in ["kernel", "nothing"] { try lane.remember(search: text, at: WallTime(milliseconds: 1)) }
        #expect(try stage.items.suggest("ker").map(\.text).contains("kernel"))
        #expect(try stage.items.suggest("ker", except: ["org.example.edit"]).isEmpty)
        try stage.items.write([.removal(of: "1")])
        while try lane.erase(.removed) != .done {}
        #expect(try stage.items.count("SELECT count(*) FROM searches") == 1)
        try stage.write([
            Journal.Draft(
                .deletion, SavedActivityName(app: "org.example.edit", identifier: "kernel notes").key)
        ])
        #expect(try stage.items.suggest("ker").isEmpty)
        try lane.forgetVainSearches(at: WallTime(milliseconds: 9))
        #expect(try stage.items.count("SELECT count(*) FROM searches") == 0)
    }

    // MARK: Explaining

    @Test func `an explanation names each reason why an activity is found or not`() throws {
        var stage = try Stage()
        let drafts = [
            Self.activity("red one"), Self.activity("red two", eligibility: .handoff),
            Self.activity("red three") { $0.expiration = WallTime(milliseconds: 5) },
            Self.activity("red four", app: "b"),
            Self.activity(nil) { $0.persistentIdentifier = "wordless" }, Self.activity("red gone"),
        ]
        try stage.write(drafts)
        try stage.write([Journal.Draft(.deletion, drafts[5].key)])
        var activity = Activity(type: "t", started: WallTime(milliseconds: 50))
        activity.title = "red one"
        let hidden = SearchScope(
            dismissals: Dismissals(Dismissals().notes(dismissing: drafts[0].key.identity, activity)))
        func outcome(
            _ draft: Int, words: String? = nil, in scope: SearchScope = SearchScope()
        ) throws -> SearchExplanation? {
            try stage.items.explain(
                ExplainActivity(drafts[draft].key.identity.hash.description, words: words),
                at: WallTime(milliseconds: 9), in: scope)
        }
        #expect(try outcome(0)?.outcome == .shown && outcome(0)?.title == "red one")
        #expect(try outcome(1)?.outcome == .ineligible)
        #expect(try outcome(2)?.outcome == .expired)
        #expect(try outcome(3, in: SearchScope(appsOff: ["b"]))?.outcome == .appOff)
        #expect(try outcome(4)?.outcome == .wordless)
        #expect(try outcome(5)?.outcome == .deleted)
        #expect(try outcome(0, in: hidden)?.outcome == .hidden)
        #expect(try outcome(0, words: "red on")?.place == 1)
        let lacking = try #require(try outcome(0, words: "red blue"))
        #expect(lacking.outcome == .lacksWords && lacking.words == ["blue"])
        let none = try stage.items.explain(
            ExplainActivity("00000000"), at: WallTime(milliseconds: 9), in: SearchScope())
        #expect(none == nil)
        try stage.items.write((0..<150).map { .item("\($0)", [.title: "red"]) })
        #expect(try outcome(0, words: "red")?.outcome == .rankedBelow)
    }

    @Test func `a later page names only the devices of a result's remaining activities`() throws {
        var stage = try Stage()
        try stage.items.write([.item("1", [.title: "red item"]), .item("2", [.title: "red"])])
        try stage.write([
            Self.activity("red draft", app: "org.example.app") {
                $0.attributes[.relatedUniqueIdentifier] = .plain(.string("1"))
            }
        ])
        let reader = try stage.items.opened()
        let search = PagedSearch(words: "red", query: nil, order: .best, most: 9, pageMost: 1)
        let now = WallTime(milliseconds: 0)
        let results = try stage.find("red")
        #expect(results.map(\.devices) == [[], [Self.device]])
        for isThere in [true, false] {
            #expect(try !reader.begin(1, search, at: now, in: SearchScope()).isLast)
            if !isThere {
                let name = SavedActivityName(app: "org.example.app", identifier: "red draft")
                try stage.write([Journal.Draft(.deletion, name.key)])
            }
            let found = try #require(try reader.nextPage(1, at: now, in: SearchScope())?.things.first)
            #expect(found.thing.item?.identifier == "1" && found.writers.count == 1)
            #expect(found.devices == (isThere ? [Self.device] : []))
        }
    }

    @Test func `an explanation names each reason why an item is found or not`() throws {
        let stage = try Stage()
        try stage.items.write([
            .item("1", [.title: "red one"]), .item("2", expires: 5, [.title: "red two"]), .item("3", [:]),
            .item("4", [.title: "red"]),
        ])
        try stage.items.write([.removal(of: "4")])
        func outcomes(
            _ identifier: String, words: String? = nil, in scope: SearchScope = SearchScope()
        ) throws -> [SearchExplanation] {
            try stage.items.explain(
                ExplainItem(app: "org.example.app", identifier, words: words), at: WallTime(milliseconds: 9),
                in: scope)
        }
        #expect(try outcomes("1").map(\.outcome) == [.shown] && outcomes("1")[0].index == "notes")
        #expect(try outcomes("2").map(\.outcome) == [.expired])
        #expect(try outcomes("3").map(\.outcome) == [.wordless])
        #expect(try outcomes("4").map(\.outcome) == [.deleted])
        #expect(try outcomes("5").map(\.outcome) == [.unknown])
        #expect(try outcomes("1", in: SearchScope(appsOff: ["org.example.app"])).map(\.outcome) == [.appOff])
        #expect(try outcomes("1", words: "one red").map(\.place) == [1])
        #expect(try outcomes("1", words: "red two").map(\.words) == [["two"]])
        #expect(try outcomes("1", words: "!?").map(\.outcome) == [.shown], "no words are asked about")
        let corrected = try outcomes("1", words: "red oen")
        #expect(corrected.map(\.place) == [1] && corrected.map(\.words) == [[]], "one is found instead")
        try stage.items.write((0..<150).map { .item("red \($0)", [.title: "red"]) })
        #expect(try outcomes("1", words: "red").map(\.outcome) == [.rankedBelow])
        try stage.items.store.emptySearch()
        #expect(try outcomes("1").map(\.outcome) == [.gathering])
    }

    @Test func `an explanation reports an item in an unfinished batch, and one joined with another result`()
        throws
    {
        var stage = try Stage()
        try stage.items.write([.item("1", [.title: "red"])])
        let batch = BatchIdentifier(value: 3)
        try stage.items.store.lane(.index).stage([.item("9", [.title: "red"])], in: batch)
        let waiting = try stage.items.explain(
            ExplainItem(app: "org.example.app", "9"), at: WallTime(milliseconds: 9), in: SearchScope())
        #expect(waiting.map(\.outcome) == [.merging])
        try stage.write(
            ["a", "b"].map { identifier in
                Self.activity("red", finished: identifier == "a" ? 100 : 200, app: "org.example.app") {
                    $0.persistentIdentifier = identifier
                    $0.attributes[.relatedUniqueIdentifier] = .plain(.string("1"))
                }
            })
        let key = SavedActivityName(app: "org.example.app", identifier: "a").key
        let joined = try stage.items.explain(
            ExplainActivity(key.identity.hash.description, words: "red"), at: WallTime(milliseconds: 9),
            in: SearchScope())
        #expect(joined?.outcome == .joined)
    }
}
