import BatonCore
import BatonNode
import Support
import Testing

/// A program that tells a node what texts mean.
@Suite struct `Search by meaning on a node` {
    private static let notes = ClientStateName(app: "org.example.notes", index: "main")

    private static func index(_ node: RunningNode, _ titles: [String]) throws {
        let changes = titles.map { title in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string(title))
            return IndexChange.item(title, Item(attributes: attributes))
        }
        _ = try node.ask(ChangeIndex(notes, changes)).get()
    }

    /// The vector of a text: dogs and hounds mean the same.
    private static func vector(_ text: String) -> Embedding? {
        var numbers = [Double](repeating: 0, count: 8)
        for (place, words) in [["dog", "hound"], ["car", "auto"]].enumerated() {
            for word in words where text.lowercased().contains(word) { numbers[place] += 1 }
        }
        if numbers.allSatisfy({ $0 == 0 }) { numbers[7] = 1 }
        return Embedding(numbers)
    }

    fileprivate static func vectors(_ texts: [NumberedText]) -> [TextVector] {
        texts.map { TextVector($0.number, vector($0.text)) }
    }

    private static func count(_ node: RunningNode) throws -> Int64 {
        Int64(
            try SQLiteScript.number("SELECT count(*) FROM vectors", on: node.home.account() + "/index.sqlite")
        )
    }

    @Test func `texts are given to the program in small portions, and searches find by meaning`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) {
            ($0.meaningPause, $0.meaningTime) = (.milliseconds(10), .seconds(20))
        }
        try Self.index(node, (0..<20).map { "note \($0)" } + ["My dog", "A car"])
        #expect(try Self.count(node) == 0, "without a program nothing is kept")
        var program = try ActedApp(node)
        var given = 0
        var texts = try program.ask(AwaitTexts(model: "m")).get().texts
        while given + texts.count < 22 {
            given += texts.count
            #expect(!texts.isEmpty && texts.count <= 8)
            texts = try program.ask(AwaitTexts(model: "m", Self.vectors(texts))).get().texts
        }
        let waiting = try program.begin(AwaitTexts(model: "m", Self.vectors(texts)))
        try eventually("the vectors") { try Self.count(node) == 22 }
        var app = try ActedApp(node)
        let search = try app.begin(SearchItems("hound", most: 5))
        let words = try program.answer(to: waiting).get().texts
        #expect(words.map(\.text) == ["hound"])
        let next = try program.begin(AwaitTexts(model: "m", Self.vectors(words)))
        let found = try app.answer(to: search).get().results
        #expect(found.map(\.thing.title) == ["My dog"] && found[0].rank?.meaning ?? 0 > 0)
        let explanation = try app.ask(ExplainItem(app: Self.notes.app, "My dog", words: "hound")).get()
        #expect(explanation.explanations.map(\.place) == [1], "it does not have the word, and is shown")
        // The meaning of the same words is known now.
        #expect(try app.ask(SearchItems("hound", most: 5)).get().results.count == 1)
        let isAsked = program.hasAnswer(to: next)
        #expect(!isAsked)
        try Self.index(node, ["Another dog"])
        #expect(try program.answer(to: next).get().texts.map(\.text) == ["Another dog"])
    }

    @Test func `a search does not wait for a program that is silent, busy or disconnected`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) {
            ($0.meaningPause, $0.meaningTime) = (.milliseconds(10), .milliseconds(30))
        }
        try Self.index(node, ["My dog", "hound"])
        do {
            var program = try ActedApp(node)
            let texts = try program.ask(AwaitTexts(model: "m")).get().texts
            // It works on texts.
            #expect(try node.ask(SearchItems("hound", most: 5)).get().results.count == 1)
            let waiting = try program.begin(AwaitTexts(model: "m", Self.vectors(texts)))
            // It has the words, and says nothing.
            #expect(try node.ask(SearchItems("dog", most: 5)).get().results.count == 1)
            #expect(try program.answer(to: waiting).get().texts.map(\.text) == ["dog"])
            #expect(try node.ask(SearchItems("dog", most: 5)).get().results.count == 1)
        }
        #expect(try node.ask(SearchItems("dog", most: 5)).get().results.count == 1)
    }

    /// A program that answers as long as texts are given to it.
    private struct Program: ~Copyable {
        private var app: ActedApp
        private var waiting: ActedApp.Question<AwaitTexts>
        private(set) var texts: [String] = []

        init(_ node: RunningNode) throws {
            var app = try ActedApp(node)
            waiting = try app.begin(AwaitTexts(model: "m"))
            self.app = app
        }

        /// Answers the next texts.
        mutating func answer() throws {
            let given = try app.answer(to: waiting).get().texts
            texts += given.map(\.text)
            waiting = try app.begin(AwaitTexts(model: "m", `Search by meaning on a node`.vectors(given)))
        }

        /// Answers until it was given a text.
        mutating func answer(until text: String) throws {
            while !texts.contains(text) { try answer() }
        }
    }

    @Test func `pages are found by meaning, even if the second page is requested before the first is ready`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder()) {
            ($0.meaningPause, $0.meaningTime) = (.milliseconds(10), .seconds(20))
        }
        try Self.index(node, ["dog 1", "dog 2", "dog 3", "car"])
        var program = try Program(node)
        try program.answer(until: "car")
        var app = try ActedApp(node)
        let first = try app.begin(BeginSearch(4, words: SearchItems("hound", most: 9), pageMost: 2))
        let second = try app.begin(NextPage(4))
        try program.answer(until: "hound")
        var titles = try app.answer(to: first).get().results.map(\.thing.title)
        #expect(titles.count == 2)
        let last = try app.answer(to: second).get()
        titles += last.results.map(\.thing.title)
        #expect(Set(titles) == ["dog 1", "dog 2", "dog 3"] && last.isLast)
        // A query alone says what it means, and waits for nobody.
        let query = QueryItems(
            "title == \"hound\"", most: 9, at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 })
        #expect(try app.ask(BeginSearch(5, query: query)).get().results.isEmpty)
        // A search that is ended while it waits is answered.
        let waiting = try app.begin(BeginSearch(6, words: SearchItems("auto", most: 9)))
        let next = try app.begin(NextPage(6))
        _ = try app.ask(EndSearch(6)).get()
        try program.answer(until: "auto")
        #expect(try !app.answer(to: waiting).isSuccess)
        #expect(try !app.answer(to: next).isSuccess)
    }

    @Test func `a watched search reports items and activities once their meaning is known`() throws {
        let node = try RunningNode.first(try TemporaryFolder()) {
            ($0.meaningPause, $0.meaningTime) = (.milliseconds(10), .milliseconds(1))
            $0.watchedSearchPause = .milliseconds(10)
        }
        try Self.index(node, ["A car"])
        var program = try Program(node)
        try program.answer(until: "A car")
        var app = try ActedApp(node)
        let watch = { (number: UInt64?) in WatchSearch(SearchItems("hound", most: 9), after: number) }
        var known = try app.ask(watch(nil)).get()
        #expect(known.entries.isEmpty)
        var next = try app.begin(watch(known.number))
        try program.answer(until: "hound")
        try Self.index(node, ["My dog"])
        try program.answer(until: "My dog")
        known = try app.answer(to: next).get()
        #expect(known.entries.map(\.title) == ["My dog"])
        // An activity that other devices get, and one that only this device keeps.
        for (title, eligibility) in [("Dog walk", [.handoff, .search]), ("Dog food", .search)]
            as [(String, Eligibility)]
        {
            next = try app.begin(watch(known.number))
            var editor = try ActedApp(node, app: "org.example.edit")
            try editor.start(title) { $0.eligibility = eligibility }
            try editor.finish()
            try program.answer(until: title)
            known = try app.answer(to: next).get()
            #expect(known.entries.contains { $0.title == title })
        }
        #expect(known.entries.count == 3)
    }

    @Test func `a second program, wrong text numbers and vectors of other sizes are refused or ignored`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder()) { $0.meaningPause = .milliseconds(10) }
        try Self.index(node, ["My dog", "A car"])
        var program = try ActedApp(node)
        var other = try ActedApp(node)
        let texts = try program.ask(AwaitTexts(model: "m")).get().texts
        guard case .failure(let failure) = try other.ask(AwaitTexts(model: "m")) else {
            return #expect(Bool(false), "two programs")
        }
        #expect(failure.code == .quota)
        for model in ["", String(repeating: "m", count: 257)] {
            #expect(try !node.ask(AwaitTexts(model: model)).isSuccess)
        }
        let otherSize = Embedding([Double](repeating: 1, count: 9))
        var wrong = [TextVector(99, Self.vector("dog")), TextVector(texts[0].number, otherSize)]
        for text in texts.dropFirst() { wrong.append(TextVector(text.number, nil)) }
        let next = try program.begin(AwaitTexts(model: "m", wrong))
        try eventually("the vectors") { try Self.count(node) == 2 }
        let isAsked = program.hasAnswer(to: next)
        #expect(!isAsked, "what has no vector is not asked again")
        #expect(try node.ask(SearchItems("dog", most: 5)).get().results.count == 1)
    }
}
