import BatonTerminal
import Testing

@Suite struct `Words that choose a row` {
    @Test func `a match at the beginning of words scores highest, and scattered letters lowest`() {
        let score = { (typed: String, text: String) in FuzzyWords(typed).match([text])?.score ?? 0 }
        #expect(score("bat", "baton") > score("bat", "my baton"))
        #expect(score("bat", "my baton") > score("bat", "acrobat"))
        #expect(score("bat", "acrobat") > score("bat", "b a t"))
        #expect(score("bat", "tab") == 0)
    }

    @Test func `the typed letters are highlighted where they match the text best`() {
        let ranges = { (typed: String, texts: [String]) in FuzzyWords(typed).match(texts)?.ranges }
        #expect(ranges("rep yea", ["Report of the year", "desktop"]) == [[0..<3, 14..<17], []])
        #expect(ranges("desk", ["dresses k", "desktop"]) == [[], [0..<4]])
        #expect(ranges("bmn", ["Baton (main)"]) == [[0..<1, 7..<8, 10..<11]])
        #expect(ranges("É東", ["aé東"]) == [[1..<6]], "bytes of what was written")
        #expect(ranges("aa ab", ["aab"]) == [[0..<3]], "words share a letter")
        #expect(ranges("", ["a"]) == [[]] && ranges("x", ["a"]) == nil)
    }
}
