import AppIntents
import Support
import Testing

@Suite struct `Summaries of parameters` {
    private func sentence(_ change: (Everything) -> Void) -> String? {
        let intent = Everything()
        (intent.ratio, intent.resolved) = (0, "")
        change(intent)
        return IntentUsage(intent).sentence
    }

    @Test func `name parameters as in the source`() {
        let intent = AddBook(name: "A")
        #expect(IntentUsage(intent).sentence == "Add novel {name}")
        intent.genre = .history
        #expect(IntentUsage(intent).sentence == "Add {genre} {name}")
        intent.isFavourite = true
        #expect(IntentUsage(intent).sentence == "Add favourite {name} to {shelf}")
        #expect(IntentUsage(intent).parameters.map(\.name).prefix(3) == ["name", "rating", "price"])
    }

    @Test func `are nil if the app gives none`() { #expect(IntentUsage(ShowBook()).sentence == nil) }

    @Test(arguments: -2...12) func `depend on which case a value matches`(count: Int) {
        let expected: String? =
            switch count {
            case 1: "A {count}"
            case 2, 3: "B"
            case 4: "C"
            case 5: "H"
            case 6: "J"
            case 7: "N"
            case 8: "P"
            default: "R"
            }
        #expect(sentence { $0.count = count } == expected)
    }

    @Test(arguments: -2...6) func `depend on whether a value is less or greater`(half: Int) {
        let ratio = Double(half) / 2
        #expect(
            sentence { ($0.count, $0.ratio) = (4, ratio) } == (ratio < 2 ? "C" : ratio <= 3 ? "D" : "E"))
        #expect(
            sentence { ($0.count, $0.ratio) = (5, ratio) } == (ratio > 2 ? "F" : ratio >= 1 ? "G" : "H"))
    }

    @Test(arguments: 0..<100) func `depend on the text that a value contains`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = String(
            (0..<random.number(0...3)).map { _ in random.pick(["a", "b", "c"] as [Character]) })
        #expect(
            sentence { ($0.count, $0.resolved) = (6, text) }
                == (text.contains("a") ? "I" : text.contains("b") ? "K" : "J"))
        #expect(
            sentence { ($0.count, $0.resolved) = (7, text) }
                == (text.hasPrefix("a") ? "L" : text.hasSuffix("b") ? "M" : "N"))
    }

    @Test func `depend on whether a parameter has a value`() {
        #expect(sentence { ($0.count, $0.asked) = (8, "a") } == "O")
        #expect(sentence { $0.count = 8 } == "P")
    }
}
