import BatonCore
import Testing

@Suite struct `The word class of a scalar` {
    @Test(arguments: [
        (WordClass.word, "azAZ09éßøΩжאعक²ⅷŉʼＡ１𝐀"), (.unspaced, "漢字〇々かカーｶ한ᄒㄱㄅกລကកꀀ𠀀豈"),
        (.mark, "\u{301}\u{93f}\u{e34}\u{64b}\u{ad}\u{200d}\u{fe0f}\u{ff9e}\u{3099}\u{640}\u{20dd}\u{feff}"),
        (.separator, " _-.,'’@/\n\t\u{a0}、。・「༄་🍕€×\u{200b}\u{3000}\u{0}\u{2028}"),
    ])
    func `a scalar has the class that its category and script give`(expected: WordClass, text: String) {
        for scalar in text.unicodeScalars {
            #expect(WordClass(scalar) == expected, "\(scalar) \(String(scalar.value, radix: 16))")
        }
    }

    @Test func `letters in ranges without a table entry have the class of their category`() {
        let letters: [Unicode.GeneralCategory] = [
            .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        ]
        // Latin, Cyrillic, kana, Chinese and Korean: no script without spaces is among the first two.
        for (range, expected) in [
            (0xc0...0x24f, WordClass.word), (0x400...0x481, .word), (0x3041...0x3096, .unspaced),
            (0x30a1...0x30fa, .unspaced), (0x4e00...0x9fff, .unspaced), (0xac00...0xd7a3, .unspaced),
        ] as [(ClosedRange<UInt32>, WordClass)] {
            for scalar in range.compactMap(Unicode.Scalar.init) {
                let isLetter = letters.contains(scalar.properties.generalCategory)
                #expect(isLetter || scalar == "×" || scalar == "÷", "\(scalar)")
                #expect(WordClass(scalar) == (isLetter ? expected : .separator), "\(scalar)")
            }
        }
    }

    @Test func `folding leaves a word whole`() {
        for value in 0...UInt32(0x1ffff) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let (before, folded) = (WordClass(scalar), Folding.search.scalars(of: scalar))
            if before == .mark { continue }
            let fits = !folded.isEmpty && folded.allSatisfy { [before, .mark].contains(WordClass($0)) }
            #expect(fits, "\(String(value, radix: 16)) \(before)")
        }
    }
}
