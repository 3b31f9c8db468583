import BatonClient
import BatonCore
import Testing

/// The advice of `baton app --lint`.
@Suite struct `Advice to apps` {
    private var advice = AppAdvice()

    private func item(_ identifier: String, title: String? = "t", description: String? = nil) -> IndexChange {
        var attributes = AttributeSet()
        attributes[.title] = title.map { .plain(.string($0)) }
        attributes[.contentDescription] = description.map { .plain(.string($0)) }
        return .item(identifier, Item(domain: nil, attributes: attributes))
    }

    private func call(_ changes: [IndexChange]) -> ChangeIndex {
        ChangeIndex(ClientStateName(app: "org.example.x", index: "default"), changes)
    }

    private func start(_ type: String, title: String?) -> StartActivity {
        var change = ActivityChange()
        change.title = title
        return StartActivity(app: "a", instance: "i", lifetime: .connection, type: type, change: change)
    }

    /// A UUID that ends in that number.
    private func random(_ number: Int) -> String { "E621E1F8-C36C-495A-93FC-0C247A3E6E0\(number)" }

    @Test mutating func `each kind of mistake in an app's calls is mentioned once`() {
        let mistakes: [(any LocalCall, String)] = [
            (call([item("1", title: nil)]), "has no title"),
            (call([item("1", description: String(repeating: "x", count: 301))]), "301 characters"),
            (call((0..<501).map { item("\($0)") }), "501 items"),
            (start("edit", title: "t"), "not in reverse DNS"),
            (start("org.example.edit", title: nil), "has no title"),
        ]
        for (call, text) in mistakes {
            let first = advice.advice(on: call)
            #expect(first.count == 1 && first[0].contains(text), "\(first)")
            #expect(advice.advice(on: call).isEmpty)
        }
    }

    @Test mutating func `a program without mistakes gets no advice`() {
        let text = String(repeating: "x", count: 300)
        for _ in 0..<50 {
            #expect(advice.advice(on: call((0..<100).map { item("\($0)", description: text) })).isEmpty)
            #expect(advice.advice(on: start("org.example.edit", title: "t")).isEmpty)
            #expect(advice.advice(on: call([.clear(domain: nil)])).isEmpty)
        }
        for _ in 0..<20 { #expect(advice.advice(on: call([item("1")])).isEmpty) }
        #expect(advice.advice(on: call((0..<100).map { item("\($0)") })).isEmpty)
    }

    @Test mutating func `many small calls in a row are mentioned once`() {
        for _ in 0..<20 { #expect(advice.advice(on: call([item("1")])).isEmpty) }
        #expect(advice.advice(on: call([item("1")])).first?.contains("100 to 500 items at once") == true)
    }

    @Test mutating func `an item indexed under two different random identifiers is mentioned`() {
        #expect(advice.advice(on: call([item(random(1)), item("note-1")])).isEmpty)
        #expect(advice.advice(on: call([item(random(1)), item("note-2")])).isEmpty)
        #expect(
            advice.advice(on: call([item(random(2))])).first?.contains("identifiers that stay the same")
                == true)
    }

    @Test mutating func `a text attribute that is cut is mentioned once, with the item's identifier`() {
        let text = advice.adviceOnCutting(.textContent, ofItem: "book-7").first
        #expect(text?.contains("“book-7”") == true && text?.contains("textContent") == true, "\(text ?? "")")
        #expect(advice.adviceOnCutting(.htmlContentData, ofItem: "book-8").isEmpty)
    }

    @Test mutating func `an activity released because its app held no strong reference to it is mentioned`() {
        #expect(advice.adviceOnRelease(ofType: "org.example.edit").first?.contains("Hold it") == true)
        #expect(advice.adviceOnRelease(ofType: "org.example.edit").isEmpty)
    }
}
