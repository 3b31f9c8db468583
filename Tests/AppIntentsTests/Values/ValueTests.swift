import AppIntents
import Support
import Testing

extension SeededGenerator {
    /// Returns a text of letters, quotes, signs and letters of other scripts.
    mutating func text(_ length: ClosedRange<Int> = 0...12) -> String {
        let letters = Array("aB1 .,/%“\"ßé東🙂:@-")
        return String((0..<number(length)).map { _ in pick(letters) })
    }

    /// Returns a number with a fraction that is finite.
    mutating func real() -> Double { Double(number(-1_000_000...1_000_000)) / Double(pick([1, 2, 8, 1000])) }

    /// Returns a whole second between 1970 and 2100.
    mutating func second() -> Date { Date(timeIntervalSince1970: Double(number(0...4_100_000_000))) }
}

@Suite struct `Values of intents` {
    /// Checks that a value survives its way out of the process and back.
    private func expectKept<Value: _IntentValue & Equatable>(_ value: Value) async throws {
        let coded = try JSONEncoder().encode(value._content)
        let content = try JSONDecoder().decode(_IntentValueContent.self, from: coded)
        #expect(try await Value._value(of: content) == value)
    }

    @Test(arguments: 0..<50) func `survive encoding for another process`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await expectKept(random.text())
        try await expectKept(random.number(Int.min / 4...Int.max / 4))
        try await expectKept(random.real())
        try await expectKept(random.chance(50))
        try await expectKept(random.second())
        try await expectKept(AttributedString(random.text()))
        try await expectKept(URL(fileURLWithPath: "/" + random.text()))
        try await expectKept(DateComponents(hour: random.number(0...23), minute: random.number(0...59)))
        try await expectKept(
            Measurement<UnitLength>(value: random.real(), unit: random.pick([.meters, .miles])))
        try await expectKept(
            IntentCurrencyAmount(amount: Decimal(random.number(-99...99)), currencyCode: "EUR"))
        try await expectKept(IntentFile(data: Data(random.text().utf8), filename: "a.txt"))
        try await expectKept(IntentPaymentMethod(name: random.text()))
        try await expectKept(random.pick([Genre.fiction, .history, .poetry]))
        try await expectKept(random.chance(50) ? random.number(0...9) : nil)
        try await expectKept((0..<random.number(0...4)).map { _ in random.text() })
        try await expectKept(Set((0..<random.number(0...4)).map { _ in random.number(0...3) }))
        try await expectKept(random.chance(50) ? [random.real()] : nil)
    }

    @Test(arguments: 0..<50) func `are read from what a person types`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (whole, real) = (random.number(-9999...9999), random.real())
        #expect(try await Int._value(of: .text(" \(whole) ")) == whole)
        #expect(try await Double._value(of: .text("\(real)")) == real)
        let date = random.second()
        #expect(try await Date._value(of: .text(date.formatted(.iso8601))) == date)
        let parts = Calendar.current.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let day = "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
        let time = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
        #expect(try await Date._value(of: .text("\(day) \(time)")) == date)
        #expect(try await DateComponents._value(of: .text(time)).minute == parts.minute)
        let length = Measurement<UnitLength>(value: real, unit: random.pick([.kilometers, .feet]))
        #expect(
            try await Measurement<UnitLength>._value(of: .text("\(real) \(length.unit.symbol)")) == length)
        let words = random.pick([("yes", true), ("on", true), ("TRUE", true), ("no", false), ("Off", false)])
        #expect(try await Bool._value(of: .text(words.0)) == words.1)
        #expect(
            try await Genre._value(of: .text(random.pick(["poetry", "Poetry", "poems", "VERSE"]))) == .poetry)
    }

    static let wrong: [(form: any _IntentValue.Type, text: String)] = [
        (Int.self, ""), (Int.self, "1.5"), (Int.self, "99999999999999999999"), (Double.self, "nan"),
        (Double.self, "one"), (Bool.self, "maybe"), (Date.self, "2026-02-31"), (Date.self, "2026-13-01"),
        (Date.self, "24:00"), (Date.self, "2026--1-01"), (DateComponents.self, "7"), (URL.self, "no address"),
        (Genre.self, "prose"), (Never.self, "a"), (Measurement<UnitLength>.self, "3 kg"),
        (Measurement<UnitLength>.self, "far"), (Measurement<UnitLength>.self, "nan"),
        (Measurement<UnitLength>.self, "1e999 km"), (IntentCurrencyAmount.self, "12"),
        (IntentPerson.self, ""),
        (EntityIdentifier.self, "Unknown/1"), (IntentFile.self, "/no/such/file"), ([Int].self, "a"),
        (Int?.self, "a"),
    ]

    @Test(arguments: wrong.indices) func `are refused if their text is invalid`(index: Int) async {
        let (type, text) = Self.wrong[index]
        await #expect(throws: IntentValueError.self, "\(type) of \(text)") {
            try await type._value(of: .text(text))
        }
    }

    @Test func `may be absent if they are optional`() {
        #expect(Int?._absentValue == .some(.none))
        #expect(Int._absentValue == nil)
        #expect(_IntentValueForm.optional(.list(.text)).name == "list of text")
    }
}
