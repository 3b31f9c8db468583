import BatonCore
import BatonStore
import Support
import Testing

/// Finding what was indexed on one machine, on each.
@Suite struct `Searching` {
    @Test func `finds on each machine what one of them has indexed, with accents or without`() throws {
        let folder = try TemporaryFolder()
        let (laptop, desktop) = (Machine("laptop", in: folder), Machine("desktop", in: folder))
        let account = try #require(try laptop.json("init", "--name", "laptop")["account"].string)
        try Self.index(
            ["Résumé of the year", "Annual résumé", "東京都の天気"], in: laptop,
            of: try #require(AccountIdentifier(text: account)))
        try laptop.startNode()
        try desktop.join(laptop)
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        for machine in [laptop, desktop] {
            try eventually("what the laptop has indexed, on \(machine.name)") {
                try machine.json("search", "resu")["items"].list.count == 2
            }
            let lines = try machine.must("search", "RESUME", "annu").split(separator: "\n")
            try #require(lines.count == 2, "a heading and one item")
            #expect(lines[0].firstMatch(of: /^TITLE +APP +ITEM$/) != nil)
            #expect(lines[1].firstMatch(of: /^Annual résumé +org.example.notes +note-1$/) != nil)
            let found = try machine.json("search", "京都")
            #expect(found["complete"] == .boolean(true))
            #expect(found["items"].list.map { $0["title"].string } == ["東京都の天気"])
            #expect(try machine.must("search", "annual", "report") == "Nothing was found.\n")
            #expect(try machine.json("search", "r", "--limit", "1")["items"].list.count == 1)
            for text in ["\"", "*", "(", "AND", "title:", "-", "a\" OR \"b"] {
                #expect(try machine.must("search", "--", text) == "Nothing was found.\n", "\(text)")
            }
        }
    }

    /// Puts notes into the store of a machine whose node does not run.
    private static func index(
        _ titles: [String], in machine: Machine, of account: AccountIdentifier
    ) throws {
        let home = try Home(option: machine.home) { _ in nil }
        let store = try SQLiteStore(folder: home.account(), account: account)
        var journal = Journal(life: Life(high: 5, low: 1), latest: .zero)
        let drafts = titles.enumerated().map { number, title in
            var item = Item()
            item.attributes[.title] = .plain(.string(title))
            let name = ItemName(app: "org.example.notes", index: "main", identifier: "note-\(number)")
            return Journal.Draft(.full(item.content(name)), name.key)
        }
        let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1_000_000))
        _ = try store.commit(try #require(transaction))
    }
}
