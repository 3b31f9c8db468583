import Support
import Testing

/// An app finds its own items, by Apple's names.
@Suite struct `Queries of an app` {
    @Test func `handlers and sequences give the app's own items, with the attributes that it asked for`()
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
}
