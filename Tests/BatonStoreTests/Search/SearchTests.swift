import BatonCore
import BatonStore
import Support
import Testing

@Suite struct `A search in the store` {
    @Test func `a search finds items with all words, and the last word can be a prefix`() throws {
        let stage = try SearchStage()
        try stage.write([
            .item("one", [.title: "Annual Report", .contentDescription: "All of the year's figures"]),
            .item("two", [.title: "Report on Łódź"]), .item("three", [.title: "東京都の天気"]),
        ])
        #expect(try Set(stage.names("report")) == ["one", "two"])
        #expect(try stage.names("ANNUAL rep") == ["one"])
        #expect(try stage.names("figures repo") == ["one"])
        #expect(try stage.names("annu report") == [])
        #expect(try stage.names("rep ") == [])
        #expect(try stage.names("lodz") == ["two"])
        for part in ["東", "京", "気", "東京", "京都の", "の天気"] {
            #expect(try stage.names(part) == ["three"], "\(part)")
        }
        #expect(try stage.names("京東") == [])
        #expect(try stage.names("東京天気") == [])
        #expect(try stage.find("report", most: 0).items.isEmpty)
    }

    @Test func `a search finds persons' names, and every localized text of an attribute`() throws {
        let stage = try SearchStage()
        let name = ItemName(app: "a", index: "i", identifier: "mail")
        var item = Item()
        item.attributes[.authors] = .plain(
            .array([
                .dictionary([
                    .string("displayName"): .string("Ada Lovelace"),
                    .string("handles"): .array([.string("ada@example.org")]),
                    .string("handleIdentifier"): .string("emailAddresses"),
                ])
            ]))
        item.attributes[.title] = .plain(
            .dictionary([.string("en"): .string("Greetings"), .string("fr"): .string("Salutations")]))
        item.attributes[.keywords] = .sealed(
            SealedValue(key: SealKeyIdentifier(high: 1, low: 1), box: Array("secret".utf8)))
        item.attributes[.path] = .plain(.string("/hidden"))
        try stage.write([Journal.Draft(.full(item.content(name)), name.key)])
        for text in ["lovelace", "example ada", "greet", "salutations"] {
            #expect(try stage.names(text) == ["mail"], "\(text)")
        }
        for text in ["secret", "hidden", "emailAddresses", "en "] { #expect(try stage.names(text) == []) }
        #expect(try stage.find("ada").items[0].title == "Greetings")
    }

    @Test func `a search ranks matches in titles first, then newer items`() throws {
        let stage = try SearchStage()
        try stage.write([
            .item("body", [.textContent: "plan plan plan of it"]),
            .item("late", indexed: 20, [.title: "A plan"]),
            .item("early", indexed: 10, [.title: "A plan"]), .item("never", [.title: "A plan"]),
            .item("keywords", [.keywords: "plan", .title: "Work"]),
        ])
        let names = try stage.names("plan")
        #expect(Array(names.prefix(3)) == ["late", "early", "never"])
        #expect(names.last == "body")
        #expect(try stage.find("plan", most: 1).items.map(\.identifier) == ["late"])
    }

    @Test func `a search does not find items that have expired or were deleted`() throws {
        let stage = try SearchStage()
        try stage.write([
            .item("soon", expires: 500, [.title: "word"]), .item("later", expires: 900, [.title: "word"]),
            .item("gone", [.title: "word"]), .item("cleared", domain: "d.e", [.title: "word"]),
        ])
        try stage.write([
            .removal(of: "gone"),
            Journal.Draft(
                .full(Write.Content(fields: Fields())),
                Scope.items(app: "org.example.app", index: "notes", domain: "d").clearKey(in: .index)),
        ])
        #expect(try Set(stage.names("word")) == ["soon", "later"])
        #expect(try stage.names("word", at: WallTime(milliseconds: 500)) == ["later"])
        #expect(try stage.names("word", at: WallTime(milliseconds: 900)) == [])
    }

    @Test func `no search text is an error`() throws {
        let stage = try SearchStage()
        try stage.write([.item("one", [.title: "Some AND NOT other OR near title: x"])])
        var generator = SeededGenerator(seed: 1)
        var texts = [
            "\"", "\"\"", "'", "*", "a*", "^a", "a AND", "AND", "OR OR", "NOT a", "NEAR(a b, 2)", "title:a",
            "-a",
            "{title body}: a", "(", "a)", "a + b", "--", ";", "\\", "\u{0}", "a\u{0}b\"", "%", "_", " ", "",
            String(repeating: "x", count: 10_000), String(repeating: "字", count: 10_000),
            String(repeating: "\" ", count: 10_000), String(repeating: "a ", count: 10_000), "\u{301}",
            "a\u{301}\"",
        ]
        texts += (0...255).map { String(UnicodeScalar(UInt8($0))) }
        texts += (0...255).map { String(decoding: [UInt8($0), 0x61, UInt8($0)], as: UTF8.self) }
        for _ in 0..<500 { texts.append(generator.text(0...9)) }
        for text in texts { _ = try stage.find(text) }
        for text in ["AND", "not OTHER", "near", "some and", "\"title\""] {
            #expect(try stage.names(text) == ["one"], "\(text)")
        }
    }

    @Test func `a search reports that a batch that is not merged yet was not searched`() throws {
        let stage = try SearchStage()
        try stage.write([.item("one", [.title: "early bird"])])
        let batch = BatchIdentifier(value: 7)
        try stage.store.stage((0..<1200).map { .item("\($0)", [.title: "late \($0)"]) }, in: batch)
        #expect(try stage.find("late").isWhole, "nobody sees anything of it before it ends")
        _ = try stage.store.commit(try stage.ending(batch, count: 1200))
        while try stage.find("1199").items.isEmpty {
            #expect(try stage.find("1199").coverage == .merging)
            #expect(try !stage.find("early").isWhole)
            #expect(stage.store.isUnsettled(.index))
            try #require(try stage.store.settle(most: 500) != nil)
        }
        // The words are counted at last.
        while try stage.store.settle(most: 500) != nil {}
        #expect(try stage.store.lane(.index).unsettled() == Unsettled())
        #expect(try stage.find("1199").isWhole && stage.find("early").isWhole)
    }

    @Test func `a search reports that older items were not ranked if all ranked ones have expired`()
        throws
    {
        let stage = try SearchStage()
        try stage.write([.item("old", [.title: "word"])])
        for part in 0..<10 {
            try stage.write((0..<1000).map { .item("\(part) \($0)", expires: 5, [.title: "word"]) })
        }
        let finding = try stage.find("word", most: 10, at: WallTime(milliseconds: 9))
        #expect(finding.items.isEmpty && finding.coverage == .ranked, "more than are ranked have the word")
        #expect(try stage.find("word", most: 10).isWhole)
    }

    @Test func `a cancelled search ends`() throws {
        let stage = try SearchStage()
        for part in 0..<10 {
            try stage.write((0..<400).map { .item("\(part) \($0)", [.title: "word \($0)"]) })
        }
        let stop = SearchStop()
        let reader = try SearchReader(folder: stage.folder.path, stop: stop)
        #expect(try reader.find("w", most: 10, at: WallTime(milliseconds: 0)).items.count == 10)
        stop.stop()
        #expect(throws: StoreFailure.self) { try reader.find("w", most: 10, at: WallTime(milliseconds: 0)) }
        let hasty = try SearchReader(folder: stage.folder.path, stop: SearchStop(questionsMost: 1))
        for _ in 0..<2 {
            let failure = #expect(throws: StoreFailure.self) {
                try hasty.find("w", most: 10, at: WallTime(milliseconds: 0))
            }
            #expect(failure?.text.contains("took too long") == true)
            #expect(try hasty.find("399", most: 10, at: WallTime(milliseconds: 0)).items.count == 10)
        }
    }
}
