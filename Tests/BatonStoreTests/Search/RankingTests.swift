import BatonCore
import BatonStore
import Support
import Testing

@Suite struct `The ranking of a search` {
    /// More items than can be ranked have the same word.
    private static let many = 6000

    @Test func `items with the whole word come first, even among too many items with longer words`() throws {
        let stage = try SearchStage()
        try stage.write([.item("git", indexed: 1, [.title: "git manual"])])
        try Self.fill(stage) { [.title: "github issue \($0)"] }
        #expect(try stage.find("git", most: 3).items.first?.identifier == "git")
        #expect(try stage.find("git", most: 3).isWhole, "enough was found")
    }

    @Test func `if a word has more items than are ranked, the newest are ranked`() throws {
        let stage = try SearchStage()
        try Self.fill(stage) { [$0 == Self.many - 10 ? .title : .textContent: "invoice"] }
        let found = try stage.find("invoice", most: 2).items.map(\.identifier)
        #expect(found == ["\(Self.many - 10)", "\(Self.many - 1)"])
    }

    @Test func `if a word has more items than are ranked, opened ones are ranked, however old`() throws {
        let stage = try SearchStage()
        try stage.write([.item("old", indexed: 0, [.textContent: "invoice"])])
        try Self.fill(stage) { _ in [.textContent: "invoice"] }
        #expect(try stage.find("invoice", most: 1).items.first?.identifier != "old")
        try stage.open("old", times: 3)
        #expect(try stage.find("invoice", most: 1).items.first?.identifier == "old")
        #expect(try stage.find("in", most: 1).items.first?.identifier == "old")
        try stage.write([.removal(of: "old")])
        #expect(try stage.find("invoice", most: 1).items.first?.identifier != "old")
    }

    @Test func `letters with many marks, and prefixes of many words, are searched within limits`() throws {
        let stage = try SearchStage()
        let marks = String(repeating: "\u{0e31}", count: 400)
        try Self.fill(stage) { [.title: "invoice\($0 % 600) 東京\($0 % 2) ก\(marks)"] }
        #expect(try stage.find("invoice1", most: 5).items.count == 5)
        #expect(try stage.find("in", most: 5).items.count == 5)
        #expect(try stage.find("ก", most: 5).items.count == 5)
        #expect(try stage.find("invoice1 in", most: 5).items.count == 5, "more words than complete one")
        let lone = Array(repeating: "東", count: 32).joined(separator: " ")
        #expect(try stage.find(lone, most: 5).items.count == 5)
    }

    @Test func `the best results have the same scores as if all items were ranked`()
        throws
    {
        let stage = try SearchStage()
        var generator = SeededGenerator(seed: 3)
        let words = ["tea", "teapot", "green", "cup", "water", "東京", "京都"]
        let drafts = (0..<600).map { number -> Journal.Draft in
            let text = { (most: Int) in
                (0..<generator.number(0...most)).map { _ in generator.pick(words) }.joined(separator: " ")
            }
            return .item(
                "\(number)", expires: generator.chance(30) ? 5 : nil,
                [
                    .title: text(3), .authorNames: text(3), .contentDescription: text(20),
                    .textContent: text(80),
                ])
        }
        try stage.write(drafts)
        for number in 0..<20 { try stage.open("\(number * 7)", times: number % 3) }
        let now = WallTime(milliseconds: 9)
        for query in ["tea", "tea ", "te", "green tea ", "cup w", "green tea cup ", "東京 tea ", "tea tea "] {
            let all = try stage.find(query, most: 2000, at: now).things.compactMap(\.rank?.score)
            #expect(all.count > 100 && all == all.sorted(by: >), "\(query): \(all.count)")
            for most in [1, 2, 10, 50] {
                let few = try stage.find(query, most: most, at: now).things.compactMap(\.rank?.score)
                #expect(few == Array(all.prefix(most)), "\(query), \(most)")
            }
        }
    }

    @Test func `removed expired items do not use up places among the ranked items`() throws {
        let stage = try SearchStage()
        try Self.fill(stage) { _ in [.title: "invoice"] }
        let expiring = (0..<100).map {
            Journal.Draft.item("new \($0)", expires: 5, indexed: 9_999, [.title: "invoice"])
        }
        try stage.write(expiring)
        #expect(try stage.find("invoice", most: 10).items.allSatisfy { $0.identifier.hasPrefix("new") })
        var request = SweepRequest(time: WallTime(milliseconds: 9), roster: [])
        while let step = try stage.store.sweep(request) { request.after = step.next }
        #expect(try stage.store.records(of: .item).count == Self.many)
        #expect(try stage.find("invoice", most: 10).items.count == 10)
    }

    @Test func `an opened item comes before an otherwise equal one`() throws {
        let stage = try SearchStage()
        try stage.write((0..<5).map { .item("\($0)", indexed: Int64($0), [.title: "tea"]) })
        #expect(try stage.names("tea") == ["4", "3", "2", "1", "0"])
        try stage.open("1", times: 1)
        #expect(try stage.names("tea") == ["1", "4", "3", "2", "0"])
        try stage.write([.item("1", indexed: 9, [.title: "coffee"]), .item("2", indexed: 9, [.title: "tea"])])
        #expect(try stage.names("tea") == ["2", "4", "3", "0"])
    }

    @Test func `if too few of the newest items have the words, older items are ranked, too`() throws {
        let stage = try SearchStage()
        try Self.fill(stage) { [.title: "invoice \($0)"] }
        try stage.write((0..<5000).map { .item("note \($0)", [.title: "note"]) })
        let finding = try stage.find("invoice", most: 20)
        #expect(finding.items.count == 20 && finding.isWhole)
    }

    @Test func `two stores with the same items give the same results, in whatever order the items arrived`()
        throws
    {
        let (first, second) = (try SearchStage(), try SearchStage())
        let drafts = (0..<5000).map { number in
            Journal.Draft.item(
                "\(number)", indexed: Int64(number % 7),
                [.title: ["paper", "pape", "plan", "p"][number % 4], .textContent: "page \(number % 90)"])
        }
        for part in stride(from: 0, to: drafts.count, by: 500) {
            try first.write(Array(drafts[part..<part + 500]))
        }
        let writes = try first.store.records(of: .item).flatMap(\.survivingWrites)
        for part in stride(from: 0, to: writes.count, by: 500) {
            _ = try second.store.commit(
                StoreTransaction(
                    lane: .index, writes: Array(writes[part..<part + 500]), completing: VersionVector()))
        }
        for query in ["p", "pa", "pap", "paper", "pape", "page 8", "page", "paper page", "plan p"] {
            #expect(try first.find(query, most: 30).things == second.find(query, most: 30).things, "\(query)")
        }
    }

    private static func fill(_ stage: SearchStage, _ texts: (Int) -> [Attribute: String]) throws {
        for part in stride(from: 0, to: many, by: 500) {
            try stage.write((part..<part + 500).map { .item("\($0)", indexed: Int64($0), texts($0)) })
        }
    }
}
