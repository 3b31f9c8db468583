import AppIntents
import Support
import Testing

@Suite struct `Comparisons of a query` {
    private typealias Kind = EntityQueryComparisonKind

    /// Compares as the operators of the standard library do.
    private func plain<Value: Comparable>(_ kind: Kind, _ value: Value, _ low: Value, _ high: Value) -> Bool?
    {
        switch kind {
        case .equalTo: value == low
        case .notEqualTo: value != low
        case .lessThan: value < low
        case .lessThanOrEqualTo: value <= low
        case .greaterThan: value > low
        case .greaterThanOrEqualTo: value >= low
        case .isBetween: low <= value && value <= high
        case .contains, .hasPrefix, .hasSuffix: nil
        }
    }

    private func expectSame<Value: _IntentValue & Comparable>(_ value: Value, _ low: Value, _ high: Value) {
        for kind in Kind.allCases {
            guard let expected = plain(kind, value, low, high) else { continue }
            let inputs = [low._content, high._content].prefix(kind.inputCount)
            #expect(
                kind.fits(value._content, Array(inputs)) == expected, "\(value) \(kind) \(low) \(high)")
        }
    }

    @Test(arguments: 0..<200) func `agree with the operators of the standard library`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func pair<Value>(_ draw: () -> Value) -> (Value, Value, Value) { (draw(), draw(), draw()) }
        let whole = pair { random.number(-3...3) }
        expectSame(whole.0, whole.1, whole.2)
        let real = pair { Double(random.number(-3...3)) / 2 }
        expectSame(real.0, real.1, real.2)
        let text = pair { random.text(0...2) }
        expectSame(text.0, text.1, text.2)
        let date = pair { Date(timeIntervalSince1970: Double(random.number(0...3))) }
        expectSame(date.0, date.1, date.2)
    }

    @Test(arguments: 0..<200) func `can test for parts of texts and elements of lists`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (text, part) = (random.text(0...4), random.text(0...1))
        #expect(Kind.contains.fits(.text(text), [.text(part)]) == (part.isEmpty || text.contains(part)))
        #expect(Kind.hasPrefix.fits(.text(text), [.text(part)]) == text.hasPrefix(part))
        #expect(Kind.hasSuffix.fits(.text(text), [.text(part)]) == text.hasSuffix(part))
        let list = (0..<random.number(0...3)).map { _ in random.number(0...3) }
        let element = random.number(0...3)
        #expect(Kind.contains.fits(list._content, [element._content]) == list.contains(element))
    }

    @Test(arguments: EntityQueryComparisonKind.allCases)
    func `never match a missing value, except for “not equal”`(
        kind: EntityQueryComparisonKind
    ) {
        let inputs = Array([_IntentValueContent.integer(1), .integer(2)].prefix(kind.inputCount))
        #expect(kind.fits(.none, inputs) == (kind == .notEqualTo))
        #expect(!kind.fits(.integer(1), []))
    }

    @Test func `compare integers with fractions, and never match if the units differ`() {
        #expect(Kind.lessThan.fits(.integer(1), [.real(1.5)]))
        #expect(Kind.equalTo.fits(.real(2), [.integer(2)]))
        #expect(!Kind.lessThan.fits(.measurement(1, unit: "m"), [.measurement(2, unit: "km")]))
        #expect(Kind.lessThan.fits(.measurement(1, unit: "m"), [.measurement(2, unit: "m")]))
        #expect(!Kind.equalTo.fits(.money(1, currency: "EUR"), [.money(1, currency: "USD")]))
    }
}
