import BatonCore
import Testing

@Suite struct `classes of scalars in words` {
    @Test(arguments: [
        (WordClass.word, "azAZ09éßøΩжאعक²ⅷŉʼＡ１𝐀"), (.unspaced, "漢字〇々かカーｶ한ᄒㄱㄅกລကកꀀ𠀀豈"),
        (.mark, "\u{301}\u{93f}\u{e34}\u{64b}\u{ad}\u{200d}\u{fe0f}\u{ff9e}\u{3099}\u{640}\u{20dd}\u{feff}"),
        (.separator, " _-.,'’@/\n\t\u{a0}、。・「༄་🍕€×\u{200b}\u{3000}\u{0}\u{2028}"),
    ])
    func `each scalar has its class`(expected: WordClass, text: String) {
        for scalar in text.unicodeScalars {
            #expect(WordClass(scalar) == expected, "\(scalar) \(String(scalar.value, radix: 16))")
        }
    }

    @Test func `folding keeps the characters of a word in one word`() {
        for value in 0...UInt32(0x1ffff) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let (before, folded) = (WordClass(scalar), Folding.search.scalars(of: scalar))
            if before == .mark { continue }
            let fits = !folded.isEmpty && folded.allSatisfy { [before, .mark].contains(WordClass($0)) }
            #expect(fits, "\(String(value, radix: 16)) \(before)")
        }
    }
}
