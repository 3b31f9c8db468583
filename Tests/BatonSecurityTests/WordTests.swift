import BatonSecurity
import Foundation
import Testing

@Suite struct `The words` {
    @Test func `are 512, in order, of three to seven small letters`() {
        #expect(Words.all.count == 1 << Words.bitsPerWord)
        #expect(Words.all == Words.all.sorted())
        let letters = Set("abcdefghijklmnopqrstuvwxyz")
        for word in Words.all {
            #expect((3...7).contains(word.count) && word.allSatisfy { letters.contains($0) }, "\(word)")
        }
    }

    @Test func `are told apart by their first three letters`() {
        #expect(Set(Words.all.map { $0.prefix(3) }).count == Words.all.count)
    }

    @Test func `take two slips to become each other`() {
        // Two that are one slip apart are alike when a letter is taken away from one or both; swapped letters are seen
        // when both are taken away.
        var near: [String: [String]] = [:]
        for word in Words.all {
            var shorter = Set([word])
            for _ in 0..<2 {
                for known in shorter {
                    for place in known.indices {
                        var less = known
                        less.remove(at: place)
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

    @Test func `sound each like no other`() {
        var heard: [String: String] = [:]
        for word in Words.all {
            let other = heard.updateValue(word, forKey: Sound.key(of: word))
            #expect(other == nil, "\(word) sounds like \(other ?? "")")
        }
    }

    @Test func `are those of the protocol's page`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/BatonCore/BatonCore.docc/Words.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let words = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.flatMap {
            $0.split(separator: " ")
        }
        #expect(words.map(String.init) == Words.all)
    }

    @Test func `are read by four letters, in any case, with anything between them`() throws {
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
    func `that are none are told, with the one that was meant`(typed: String, suggestion: String?) {
        let error = #expect(throws: Words.UnknownWord.self) { try Words.numbers(in: "lemon \(typed)") }
        #expect(error?.typed == typed && error?.suggestion == suggestion, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("“\(typed)” is not one of the words") == true)
    }

    @Test func `carry nine bits each, there and back`() {
        let bytes = (0..<18).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 11) }
        let numbers = Words.numbers(of: bytes)
        #expect(numbers.count == 16 && numbers.allSatisfy { (0..<512).contains($0) })
        #expect(Words.bytes(of: numbers) == bytes)
        #expect(Words.numbers(of: [0xff, 0x80, 0x3f, 0xe0]) == [511, 0, 511])
    }
}

/// How a word sounds to who does not listen closely: vowels are one, and so are consonants that are voiced or not.
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
