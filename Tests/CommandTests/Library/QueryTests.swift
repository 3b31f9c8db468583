import Support
import Testing

/// An app finds its own items, by Apple's names.
@Suite struct `Queries of an app` {
    @Test func `closures and async sequences give the app's own items with the requested attributes`()
        throws
    {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        #expect(try numbers.run("add", "0", "250").last == "done")
        try account[0].must("index", "add", "org.example.other", "x", "--title", "added 7")
        let lines = try numbers.run("find", "added 7")
        try #require(lines.count == 6, "\(lines)")
        // The word that is typed last may go on.
        #expect(lines[0].hasPrefix("words 7=added 7,") && !lines[0].contains("x="), "\(lines)")
        #expect(!lines[0].contains("!") && lines[0].split(separator: ",").count == 3, "\(lines)")
        // The text as it was typed is no suggestion, and both of its words are marked in each.
        let suggested = lines[1].dropFirst("suggestions ".count).split(separator: ",")
        #expect(
            suggested.count > 5 && suggested.allSatisfy { $0.hasPrefix("added 7") && $0.hasSuffix(" 2") },
            "\(lines)")
        #expect(lines[2] == "range [3, 4, 5] 3")
        #expect(lines[3] == "all 250 250 true true")
        #expect(lines[4] == "cancelled true true")
        #expect(lines[5] == "invalid")
    }

    @Test func `a found item has its expiration, and all attributes if all were requested`() throws {
        let account = try Account("laptop")
        let machine = account[0]
        let numbers = IndexedNumbers(machine: machine)
        #expect(try numbers.run("add", "7", "1").last == "done")
        try machine.must(
            "index", "add", IndexedNumbers.app, "dated", "--title", "soon gone", "--expires",
            "2099-01-02T03:04Z")
        try machine.must("index", "add", IndexedNumbers.app, "staying", "--title", "stays")
        #expect(
            try numbers.run("all").sorted() == [
                "7 added 7 7 never", "dated soon gone -1 4071006240.0", "staying stays -1 never",
            ])
    }

    @Test func `choosing a suggestion searches for it without typed text`() throws {
        let account = try Account("laptop")
        let machine = account[0]
        try machine.must("index", "add", IndexedNumbers.app, "a", "--title", "annual report")
        try machine.must("index", "add", IndexedNumbers.app, "b", "--title", "shopping list")
        #expect(try IndexedNumbers(machine: machine).run("choose", "annu") == ["chosen annual report"])
    }

    @Test func `items and searches of another app are neither found nor suggested`()
        throws
    {
        let account = try Account("laptop")
        let machine = account[0]
        let numbers = IndexedNumbers(machine: machine)
        let other = "org.example.other"
        #expect(try numbers.run("add", "0", "10").last == "done")
        // The same words, the same identifier, the same address, and a word that only the other app has.
        try machine.must(
            "index", "add", other, "7", "--title", "added 7 secretly", "--text", "added 7 zebra")
        try machine.must(
            "index", "add", other, "shared", "--title", "zebras", "--url", "https://example.org/7")
        try machine.must(
            "index", "add", IndexedNumbers.app, "mine", "--title", "added with an address", "--url",
            "https://example.org/7", "--keyword", "zebrafish")
        // Searches of the person, which the search of everything suggests again.
        try machine.must("search", "added 7 secretly")
        try eventually("the person's own search finds both") {
            try machine.json("search", "added", "7")["results"].list.count == 2
        }
        for words in [
            "added 7", "added", "zebra", "zebras", "zebr", "secretly", "secret", "zebta", "shared", "",
        ] {
            let lines = try numbers.run("find", words)
            let (found, suggested) = (lines[0].lowercased(), lines[1].lowercased())
            for text in [found, suggested] {
                #expect(!text.contains("secret") && !text.contains("zebras"), "\(words): \(lines)")
            }
            if words == "zebr" || words == "zebra" {
                #expect(found == "words mine=added with an address", "\(lines)")
            }
        }
        // Conditions find no more, whatever they ask for.
        let all = try numbers.run(
            "query", "title == \"*\"", "title == \"*zebra*\"c", "pageCount >= 0 || title != \"\"")
        #expect(all == ["11 false", "0 false", "11 false"], "\(all)")
    }
}
