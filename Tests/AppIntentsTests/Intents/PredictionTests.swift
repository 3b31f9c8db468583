import AppIntents
import Testing

@Suite struct `Titles of predicted intents` {
    private func title<Intent: PredictableIntent>(_ intent: Intent) -> String? {
        Intent.predictionConfiguration._title(of: intent)?.text
    }

    @Test func `come from the first prediction whose parameters all have values`() {
        let intent = OldAdd()
        #expect(title(intent) == "Add a book")
        intent.name = "A"
        #expect(title(intent) == "Add A")
        intent.rating = 3
        #expect(
            OldAdd.predictionConfiguration._title(of: intent)?.subtitle.map { String(localized: $0) } == "3")
        intent.name = nil
        #expect(title(intent) == "Add a book")
    }

    @Test func `are used only if all of their parameters have values`() {
        let intent = Everything()
        #expect(title(intent) == "Everything")
        intent.count = 2
        intent.ratio = 0.5
        intent.flag = true
        #expect(title(intent)?.hasPrefix("2 0.5") == true)
    }

    @Test func `are missing for other intents`() {
        #expect(OldAdd.predictionConfiguration._title(of: ShowBook()) == nil)
    }

    @Test func `can belong to deprecated intents, which may name a replacement`() {
        #expect(OldAdd.deprecation.replacement == "AddBook")
        #expect(Replaced.deprecation.replacement == "Without")
        #expect(Without.deprecation.replacement == nil)
        #expect(Without.deprecation.message.map { String(localized: $0) } == "It is gone.")
    }
}
