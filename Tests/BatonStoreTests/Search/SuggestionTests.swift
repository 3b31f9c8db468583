import BatonCore
import BatonStore
import Support
import Testing

@Suite struct `Suggestions for a search` {
    private static func stage() throws -> SearchStage {
        let stage = try SearchStage()
        try stage.write([
            .item("1", [.title: "Annual report"]), .item("2", [.title: "Annual review"]),
            .item("3", [.title: "Recipe", .contentDescription: "A remarkable Résumé"]),
            .item("4", [.title: "Reptile", .contentDescription: "annual"]),
            .item("5", expires: 1000, [.title: "Rebellion"]),
        ])
        return stage
    }

    private static func remember(_ text: String, at time: Int64 = 1, in stage: SearchStage) throws {
        try stage.store.ownLane(.index).remember(search: text, at: WallTime(milliseconds: time))
    }

    @Test func `words that begin with the typed text are suggested, and titles that have such words`() throws
    {
        let stage = try Self.stage()
        let found = try stage.suggest("re")
        let texts = ["report", "annual report", "review", "annual review", "recipe", "remarkable", "résumé"]
        #expect(Set(found.map { $0.text.lowercased() }) == Set(texts + ["reptile", "rebellion"]))
        #expect(found.allSatisfy { $0.typed.count == 1 && $0.isSound })
        #expect(try stage.suggest("annual re").map(\.text).contains("annual reptile"))
        #expect(try !stage.suggest("annual re").map(\.text).contains("annual recipe"))
        #expect(try stage.suggest("re", most: 3).count == 3)
        #expect(try stage.suggest("re ").isEmpty, "no item has the word")
        for text in ["", " ", "\"", "\u{0}", String(repeating: "(", count: 9000)] {
            #expect(try stage.suggest(text).isEmpty, "\(text)")
        }
    }

    @Test func `a suggestion marks its typed part in its own letters`() throws {
        let stage = try SearchStage()
        try stage.write([
            .item("1", [.title: "Straße und Résumé"]), .item("2", [.title: "東京都庁"]),
        ])
        let typed = { (text: String) in
            try stage.suggest(text).map { $0.parts.filter(\.isTyped).map(\.text) }
        }
        #expect(try typed("stras").allSatisfy { $0 == ["Straß"] || $0 == ["straß"] })
        #expect(try typed("stras").count == 2)
        #expect(try typed("und resu").contains(["und", "Résu"]))
        #expect(try typed("京都").contains(["京都"]))
    }

    @Test func `earlier searches come first, the frequent and recent ones before others`() throws {
        let stage = try Self.stage()
        for text in ["annual review", "report annual", "annual report"] { try Self.remember(text, in: stage) }
        for _ in 0..<3 { try Self.remember("Report  annual", in: stage) }
        try Self.remember("recipe", in: stage)
        let found = try stage.suggest("ann")
        #expect(found.prefix(3).allSatisfy { $0.kind == .search })
        #expect(found.first?.text == "Report  annual", "it has the same words as the earlier one")
        #expect(found.first?.typed == [8..<11])
        #expect(try stage.suggest("").map(\.kind) == Array(repeating: .search, count: 4))
        #expect(try stage.suggest("", most: 4).count == 2, "half of the suggestions")
        try stage.store.ownLane(.index).forgetSearches("REPORT annual")
        #expect(try !stage.suggest("ann").map(\.text).contains("Report  annual"))
        try stage.store.ownLane(.index).forgetSearches(nil)
        #expect(try !stage.suggest("ann").contains { $0.kind == .search })
    }

    @Test func `a search made in a switched-off app is not suggested`()
        throws
    {
        let stage = try Self.stage()
        let lane = stage.store.ownLane(.index)
        try lane.remember(search: "annual review", in: "org.example.mail", at: WallTime(milliseconds: 1))
        try lane.remember(search: "annual report", in: "org.example.other", at: WallTime(milliseconds: 2))
        func searches(except apps: Set<String>, _ scope: SearchScope = SearchScope()) throws -> [String] {
            let all = try stage.opened().suggest(
                "ann", most: 20, at: WallTime(milliseconds: 3), in: scope, except: apps)
            return all.filter { $0.kind == .search }.map(\.text)
        }
        #expect(try searches(except: []) == ["annual report", "annual review"])
        #expect(try searches(except: ["org.example.mail"]) == ["annual report"])
        let scope = SearchScope(appsOff: ["org.example.other"])
        #expect(try searches(except: [], scope) == ["annual review"])
    }

    @Test func `a limited number of recent searches is stored, and long searches are not`() throws {
        let stage = try Self.stage()
        for number in 0..<Limits.rememberedSearches + 10 {
            try Self.remember("annual \(number)", at: Int64(number), in: stage)
        }
        try Self.remember(String(repeating: "annual ", count: 40), in: stage)
        try Self.remember("...", in: stage)
        #expect(try stage.count("SELECT count(*) FROM searches") == Limits.rememberedSearches)
        #expect(try stage.count("SELECT min(last) FROM searches") == 10)
    }

    @Test func `words of expired, deleted or excluded items are not suggested`() throws {
        let stage = try Self.stage()
        try Self.remember("rebellion", in: stage)
        try Self.remember("reptile", in: stage)
        #expect(try stage.suggest("reb").map(\.text) == ["rebellion"])
        #expect(try stage.suggest("reb", at: 1000).isEmpty)
        #expect(try stage.suggest("rept").map(\.kind) == [.search])
        try stage.write([.removal(of: "4")])
        #expect(try stage.suggest("rept").isEmpty)
        #expect(try stage.suggest("annual", except: ["org.example.app"]).isEmpty)
        // The sweep of the clear goes on only when it is settled.
        stage.store.recordsAtOnce = 0
        let scope = Scope.items(app: "org.example.app", index: "notes", domain: nil)
        try stage.write([Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))])
        #expect(stage.store.isUnsettled(.index))
        for text in ["a", "re", "annual r"] { #expect(try stage.suggest(text).isEmpty) }
    }

    @Test func `an app gets suggestions only from its own items and from searches made in it`() throws {
        let stage = try Self.stage()
        let own = (0..<3).map { number in
            Journal.Draft.item(
                "n\(number)", [.title: "Remote \(number)", .contentDescription: "Recherché words"],
                app: "org.example.notes")
        }
        try stage.write(own)
        try Self.remember("remote", in: stage)
        let lane = stage.store.ownLane(.index)
        try lane.remember(search: "remote 2", in: "org.example.notes", at: WallTime(milliseconds: 2))
        try lane.remember(search: "annual review", in: "org.example.notes", at: WallTime(milliseconds: 3))
        let suggest = { (text: String) in
            try stage.opened().suggest(
                text, most: 20, at: WallTime(milliseconds: 0),
                in: SearchScope(filter: SearchFilter(app: "org.example.notes")))
        }
        let found = try suggest("re")
        #expect(found.first?.text == "remote 2" && found.first?.kind == .search)
        #expect(
            Set(found.map(\.text)) == ["remote 2", "remote", "recherché", "Remote 0", "Remote 1"])
        #expect(found.allSatisfy { $0.isSound && $0.typed.count == 1 })
        #expect(try suggest("ann").isEmpty, "it finds something in another app alone")
        #expect(try suggest("words rem").map(\.text) == ["words remote"])
        // The words of all apps, and the searches of all.
        let all = try stage.suggest("re").map(\.text)
        #expect(Set(all).isSuperset(of: ["report", "remote", "remote 2"]))
        try lane.forgetSearches("Remote 2")
        #expect(try suggest("re").allSatisfy { $0.kind != .search })
        try stage.write((0..<3).map { .removal(of: "n\($0)", app: "org.example.notes") })
        #expect(try suggest("re").isEmpty)
    }

    @Test func `earlier searches that no longer find anything are forgotten by an erasure`() throws {
        let stage = try Self.stage()
        for text in ["reptile", "annual report", "annual rept"] { try Self.remember(text, in: stage) }
        try stage.write([.removal(of: "4")])
        while try stage.store.ownLane(.index).erase(.removed) != .done {}
        #expect(try stage.count("SELECT count(*) FROM searches") == 1)
        #expect(try stage.suggest("").map(\.text) == ["annual report"])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `every suggestion finds something and contains the typed text`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["red", "Reden", "réd", "Straße", "STRASSE", "東京", "京都府", "都", "x1", "가나", "ﬁn", "İx"]
        let stage = try SearchStage()
        let text = { (most: Int) in
            (0..<generator.number(1...most)).map { _ in generator.pick(words) }
                .joined(separator: generator.pick([" ", "-", "", ". "]))
        }
        try stage.write(
            (0..<30).map { number in
                .item(
                    "\(number)", expires: generator.chance(20) ? 500 : nil,
                    [.title: text(3), .contentDescription: text(5)])
            })
        for _ in 0..<10 { try Self.remember(text(2), at: Int64(generator.number(1...9)), in: stage) }
        var count = 0
        for _ in 0..<40 {
            let whole = text(2)
            let typed = String(whole.prefix(generator.number(0...whole.count)))
            let phrases = Phrase.all(of: typed)
            let time = generator.pick([0, 600] as [Int64])
            for suggestion in try stage.suggest(typed, at: time) {
                count += 1
                #expect(suggestion.isSound)
                #expect(suggestion.parts.map(\.text).joined() == suggestion.text)
                #expect(suggestion.typed.count <= phrases.count)
                // The letters that were typed are in the parts that are marked.
                let marked = suggestion.parts.filter(\.isTyped).map { Folding.search.fold($0.text) }
                for phrase in phrases {
                    let letters = Folding.search.fold(phrase.text)
                    #expect(marked.contains { $0.contains(letters) }, "\(typed)")
                }
                let finding = try stage.find(suggestion.text, at: WallTime(milliseconds: time))
                #expect(!finding.items.isEmpty && finding.corrected == nil, "\(typed): \(suggestion.text)")
            }
        }
        #expect(count > 40)
    }
}

extension SearchStage {
    func suggest(
        _ typed: String, most: Int = 20, at time: Int64 = 0, except apps: Set<String> = []
    ) throws -> [SearchSuggestion] {
        try SearchReader(folder: folder.path, stop: SearchStop()).suggest(
            typed, most: most, at: WallTime(milliseconds: time), except: apps)
    }
}
