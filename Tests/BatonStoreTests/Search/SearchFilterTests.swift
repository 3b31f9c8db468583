import BatonCore
import BatonStore
import Support
import Testing

/// Searches that are limited to an app, a kind or a time, and the parts of texts that they show.
@Suite struct `A filtered search` {
    @Test func `finds matching items although thousands of other items have the words`() throws {
        let stage = try SearchStage()
        // More than are ranked have the words; those that are wanted came first.
        try stage.write(
            (0..<20).map { number in
                var item = Item()
                item.attributes[.title] = .plain(.string("invoice \(number)"))
                item.attributes[.contentType] = .plain(.string("com.adobe.pdf"))
                item.attributes[.contentTypeTree] = .plain(
                    .array([.string("public.data"), .string("public.composite-content")]))
                item.attributes[.contentModificationDate] = .plain(.date(1000 + Double(number)))
                let name = ItemName(app: "org.example.other", index: "i", identifier: "pdf\(number)")
                return Journal.Draft(.full(item.content(name)), name.key)
            })
        for start in stride(from: 0, to: 9000, by: 1000) {
            try stage.write(
                (start..<start + 1000).map { .item("\($0)", indexed: 500_000, [.title: "invoice \($0)"]) })
        }
        func names(_ filter: SearchFilter, _ text: String = "invoice") throws -> Set<String> {
            let found = try stage.find(text, filter: filter, most: 50)
            return Set(found.items.map { $0.identifier.prefix { !$0.isNumber } }.map(String.init))
        }
        for text in ["invoice", "in", "invoice "] {
            #expect(try names(SearchFilter(app: "org.example.other"), text) == ["pdf"], "\(text)")
            #expect(try names(SearchFilter(kind: .contentType("com.adobe.pdf")), text) == ["pdf"])
            #expect(try names(SearchFilter(kind: .contentType("Public.Data")), text) == ["pdf"])
            #expect(try names(SearchFilter(since: WallTime(milliseconds: 1_000_000)), text) == ["pdf"])
            #expect(try names(SearchFilter(app: "org.example.app"), text) == [""])
            #expect(try names(SearchFilter(kind: .activity), text) == [])
            #expect(try names(SearchFilter(kind: .contentType("public.image")), text) == [])
        }
        let recent = SearchFilter(since: WallTime(milliseconds: 1_015_000))
        #expect(try stage.find("invoice", filter: recent, most: 50).items.count == 5)
        #expect(try stage.find("invoice", filter: recent, most: 50).isWhole)
        #expect(
            try stage.find("invoice 7", filter: SearchFilter(app: "org.example.other")).items.map(
                \.identifier)
                == ["pdf7"])
        #expect(try stage.find("invoice", filter: SearchFilter(app: "")).items.isEmpty)
        let query = try SearchQuery("title == \"*1*\"", at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 })
        #expect(try stage.find(query, app: "org.example.other").items.count == 11)
    }

    @Test func `shows the part of a text with the words, unless the title has all words`() throws {
        let stage = try SearchStage()
        let filler = String(repeating: "Nothing here. ", count: 1000)
        try stage.write([
            .item("both", [.title: "Annual report", .contentDescription: "The annual report"]),
            .item(
                "text", [.title: "Report", .textContent: filler + "The annual figures of 2026. " + filler]),
            .item("keywords", [.title: "Other", .subject: "The annual report"]),
        ])
        let found = try stage.find("annual rep").things
        let snippets = Dictionary(
            uniqueKeysWithValues: found.map { ($0.thing.item?.identifier ?? "", $0.snippet) })
        #expect(snippets.count == 3 && snippets["both"] == .some(nil))
        let snippet = try #require(snippets["text"] ?? nil)
        #expect(snippet.text.contains("The annual figures of 2026.") && snippet.ranges.count == 1)
        #expect(snippets["keywords"] == .some(Snippet("Other The annual report", [10..<16, 17..<23])))
    }
}
