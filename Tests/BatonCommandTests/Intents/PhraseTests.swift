import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `Phrases of shortcuts` {
    private func found(_ typed: String, _ apps: IntentManifest...) throws(LocalFailure) -> PhraseSearch.Found
    {
        try PhraseSearch(InstalledIntents(apps.isEmpty ? [Example.cafe()] : apps)).shortcut(for: typed)
    }

    @Test func `match without regard to capitals, accents, punctuation and the name of the app`() throws {
        for typed in ["order a latte", "Order A LATTE!", "Order, a Latté."] {
            #expect(try found(typed).arguments == ["OrderDrink", "--drink=latte"], "\(typed)")
        }
        for typed in ["order a large latte", "order a large latte in Café", "Order a large latte in cafe"] {
            #expect(
                try found(typed).arguments == ["OrderDrink", "--drink=latte", "--size=large"], "\(typed)")
        }
    }

    @Test func `give parameters the words that were typed`() throws {
        #expect(try found("bring Flat White from Café").values == ["drink": "Flat White"])
        #expect(try found("bring Flat White from").values == ["drink": "Flat White"])
        #expect(try found("order a big latte").arguments.last == "--size=large", "a synonym of the case")
    }

    @Test(arguments: 0..<50) func `give a parameter any words, as few as possible`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = (0..<random.number(1...4)).map { _ in random.pick(["red", "from", "cafe", "bring", "x1"])
        }
        let value = words.joined(separator: " ")
        let phrase = SpokenPhrase("Bring ${drink} now")
        #expect(phrase.values(in: "Bring \(value) now!", app: "Café") == ["drink": value])
    }

    @Test func `that no app has are an error that lists the nearest ones`() throws {
        let error = #expect(throws: LocalFailure.self) { try found("order the latte") }
        #expect(error?.code == .notFound)
        let lines = error?.text.split(separator: "\n") ?? []
        #expect(lines.first == "No app here knows the phrase “order the latte”." && lines.count == 2)
        #expect(lines.last?.hasPrefix("The nearest are: “order a latte” (Café), “") == true)
    }

    @Test func `that an app excludes run no shortcut`() {
        #expect(throws: LocalFailure.self) { try found("order a latte never") }
    }

    @Test func `that two apps have are an error that names both`() throws {
        let other = Example.cafe("org.example.tea", title: "Tea House")
        let error = #expect(throws: LocalFailure.self) { try found("order a latte", Example.cafe(), other) }
        #expect(error?.code == .usage)
        let text = error?.text ?? ""
        #expect(text.hasPrefix("org.example.cafe, org.example.tea have the same phrase, “order a latte”"))
        #expect(text.hasSuffix(", or `baton run org.example.tea OrderDrink --drink=latte`."))
        #expect(text.split(separator: "\n").count == 2)
        let chosen = try PhraseSearch(InstalledIntents([Example.cafe(), other])).shortcut(
            for: "order a latte", of: "Tea House")
        #expect(chosen.app.app == "org.example.tea")
    }

    @Test func `are not listed in the error if no app has any`() {
        let error = #expect(throws: LocalFailure.self) {
            try PhraseSearch(InstalledIntents([])).shortcut(for: "x")
        }
        #expect(error?.text.contains("nearest") == false)
    }
}
