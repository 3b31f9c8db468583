import BatonSecurity
import Foundation
import Testing

@Suite struct `The word list` {
    @Test func `there are 512 words of three to seven lower-case letters, in order`() {
        #expect(Words.all.count == 1 << Words.bitsPerWord)
        #expect(Words.all == Words.all.sorted())
        let letters = Set("abcdefghijklmnopqrstuvwxyz")
        for word in Words.all {
            #expect((3...7).contains(word.count) && word.allSatisfy { letters.contains($0) }, "\(word)")
        }
    }

    @Test func `the first three letters of each word are unique`() {
        #expect(Set(Words.all.map { $0.prefix(3) }).count == Words.all.count)
    }

    @Test func `it takes at least two edits to turn one word into another`() {
        // Two words that are one edit apart become equal after one letter is removed from one or both of them. Words
        // with two neighbouring letters swapped become equal after both are removed.
        var near: [String: [String]] = [:]
        for word in Words.all {
            var shorter = Set([word])
            for _ in 0..<2 {
                for known in shorter {
                    for index in known.indices {
                        var less = known
                        less.remove(at: index)
                        if less.count >= word.count - 2 { shorter.insert(less) }
                    }
                }
            }
            for text in shorter { near[text, default: []].append(word) }
        }
        let pairs = Set(
            near.values.flatMap { words in words.flatMap { word in words.map { [word, $0] } } }
                .filter { $0[0] < $0[1] })
        #expect(!pairs.isEmpty)
        for pair in pairs {
            let edits = Words.editDistance(from: Array(pair[0].utf8), to: Array(pair[1].utf8))
            #expect(edits >= 2, "\(pair)")
        }
    }

    @Test func `no two words sound alike`() {
        var heard: [String: String] = [:]
        for word in Words.all {
            let other = heard.updateValue(word, forKey: Sound.key(of: word))
            #expect(other == nil, "\(word) sounds like \(other ?? "")")
        }
    }

    @Test func `the list equals the one in the specification`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/BatonCore/BatonCore.docc/Words.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let words = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.flatMap {
            $0.split(separator: " ")
        }
        #expect(words.map(String.init) == Words.all)
    }

    @Test func `words are read from their first four letters, in any case, with any separators`() throws {
        for (number, word) in Words.all.enumerated() {
            for typed in [word, word.uppercased(), String(word.prefix(4)), " \(word.prefix(4).capitalized),"]
            {
                #expect(try Words.numbers(in: typed) == [number])
            }
        }
        let typed = "1. lemon\n2. TIGE\t3) Cloud"
        #expect(try Words.numbers(in: typed) == Words.numbers(in: "lemon-tiger-cloud"))
    }

    @Test(
        arguments: [
            ("lemn", "lemon"), ("lem", "lemon"), ("lemom", "lemon"), ("tigre", "tiger"), ("clowd", "cloud"),
            ("lemonade", nil), ("xqzwv", nil), ("é", nil), ("a", nil),
        ] as [(String, String?)])
    func `an unknown word is reported with a suggestion`(typed: String, suggestion: String?) {
        let error = #expect(throws: Words.UnknownWord.self) { try Words.numbers(in: "lemon \(typed)") }
        #expect(error?.typed == typed && error?.suggestion == suggestion, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("“\(typed)” is not one of the words") == true)
    }

    @Test func `words encode nine bits each, and decode to the same bytes`() {
        let bytes = (0..<18).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 11) }
        let numbers = Words.numbers(of: bytes)
        #expect(numbers.count == 16 && numbers.allSatisfy { (0..<512).contains($0) })
        #expect(Words.bytes(of: numbers) == bytes)
        #expect(Words.numbers(of: [0xff, 0x80, 0x3f, 0xe0]) == [511, 0, 511])
    }
}

/// An approximation of how a word sounds: all vowels count as one, as do voiced and unvoiced consonants.
private enum Sound {
    private static let spellings = [
        ("ght", "t"), ("tch", "j"), ("dge", "j"), ("ph", "f"), ("wh", "w"), ("kn", "n"), ("wr", "r"),
        ("ck", "k"),
        ("qu", "kw"), ("x", "ks"), ("sh", "j"), ("ch", "j"), ("ce", "se"), ("ci", "si"), ("cy", "sy"),
        ("ge", "je"), ("gi", "ji"),
    ]
    private static let alike: [Character: Character] = [
        "c": "k", "g": "k", "q": "k", "z": "s", "d": "t", "b": "p", "v": "f",
        "e": "a", "i": "a", "o": "a", "u": "a", "y": "a",
    ]

    static func key(of word: String) -> String {
        var text = word
        for (spelling, sound) in spellings { text = text.replacingOccurrences(of: spelling, with: sound) }
        if text.count > 3, text.hasSuffix("e") { text.removeLast() }
        var key = ""
        for letter in text {
            let sound = alike[letter] ?? letter
            if key.last != sound { key.append(sound) }
        }
        return key
    }
}
