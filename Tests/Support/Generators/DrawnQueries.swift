package import BatonCore

/// A present, items and queries, drawn from a seed so that about half of the comparisons hold.
package struct DrawnQueries {
    /// The number of seconds that the clock is ahead of universal time before and after its change.
    package let offsets: (before: Int, after: Int)
    /// The time of the change.
    package let change: WallTime
    package let present: PresentTime
    package private(set) var items: [Item] = []
    package private(set) var queries: [String] = []
    private var generator: SeededGenerator

    package init(seed: UInt64, items: Int, queries: Int) {
        generator = SeededGenerator(seed: seed)
        let before = 900 * generator.number(-40...48)
        let offsets = (before, before + 900 * generator.pick([0, 4, -4, 2, 4, -4]))
        // About midnight of the zone, so that days are cut and repeated.
        let midnight = CivilTime(year: 2024, month: 2, day: 27 + Int64(generator.number(0...3))).wallTime(
            offset: before)
        let change = midnight.advanced(by: .seconds(900 * generator.number(-6...6)))
        let now = change.advanced(by: .seconds(generator.number(-200_000...200_000)))
        (self.offsets, self.change) = (offsets, change)
        present = PresentTime(now, firstWeekday: Int64(generator.number(0...6))) { [offsets] time in
            time < change ? offsets.0 : offsets.1
        }
        for _ in 0..<items { self.items.append(item()) }
        for _ in 0..<queries { self.queries.append(query(depth: 3)) }
    }

    // MARK: Items

    private static let texts: [Attribute] = [.title, .subject, .path, .contentType, .domainIdentifier]
    private static let lists: [Attribute] = [.keywords, .fontNames, .authorNames]
    private static let numbers: [Attribute] = [.pageCount, .duration, .rating, .userOwned]
    private static let dates: [Attribute] = [.dueDate, .startDate]
    private static let custom = ["com_x_a", "com_x_b", "title", "c"]

    private mutating func item() -> Item {
        var item = Item(domain: maybe { $0.text() })
        for attribute in Self.texts where generator.chance(60) {
            item.attributes[attribute] = .plain(generator.chance(90) ? textValue() : value())
        }
        for attribute in Self.lists where generator.chance(60) {
            item.attributes[attribute] = .plain(generator.chance(90) ? list { $0.textValue() } : value())
        }
        for attribute in Self.numbers where generator.chance(60) {
            item.attributes[attribute] = .plain(generator.chance(90) ? number() : value())
        }
        for attribute in Self.dates where generator.chance(60) {
            item.attributes[attribute] = .plain(generator.chance(90) ? date() : value())
        }
        if generator.chance(40) { item.attributes[.importantDates] = .plain(list { $0.date() }) }
        if generator.chance(40) { item.attributes[.authors] = .plain(list { $0.person() }) }
        if generator.chance(40) { item.attributes[.url] = .plain(.url(text())) }
        if generator.chance(20) { item.attributes[.htmlContentData] = .plain(.data([1])) }
        for name in Self.custom where generator.chance(50) {
            item.attributes[.custom(Array(name.utf8))] = .plain(
                generator.chance(60) ? value() : list { $0.value() })
        }
        return item
    }

    private mutating func value() -> PropertyValue {
        switch generator.number(0...5) {
        case 0: textValue()
        case 1: number()
        case 2: date()
        case 3: person()
        case 4: .data([2])
        default: .null
        }
    }

    private mutating func list(_ draw: (inout Self) -> PropertyValue) -> PropertyValue {
        let count = generator.number(0...3)
        let values = (0..<count).map { _ in draw(&self) }
        return generator.chance(90) ? .array(values) : .set(Set(values))
    }

    private mutating func textValue() -> PropertyValue {
        if generator.chance(5) { return .url(text()) }
        guard generator.chance(10) else { return .string(text()) }
        return .dictionary([.string("de"): .string(text()), .string("ja"): .string(text())])
    }

    private mutating func person() -> PropertyValue {
        var pairs: [PropertyValue: PropertyValue] = [
            PersonField.handles: .array([.string(text())]),
            PersonField.handleIdentifier: .string("emailAddresses"),
        ]
        if let name = maybe({ $0.text() }) { pairs[PersonField.displayName] = .string(name) }
        return .dictionary(pairs)
    }

    private mutating func number() -> PropertyValue {
        switch generator.number(0...6) {
        case 0...2: .integer(Int64(generator.number(-3...3)))
        case 3: .real(Double(generator.number(-6...6)) / 2)
        case 4: .boolean(generator.chance(50))
        case 5: .integer((1 << 53) + Int64(generator.number(-2...2)))
        default: .real(generator.pick([0x1p53, 0x1p53 + 2, 0x1p63, -0x1p63, 1e300, .infinity, .nan, -0.0]))
        }
    }

    /// Returns a date near the present, often the beginning of a day.
    private mutating func date() -> PropertyValue {
        let day = present.civil.days + Int64(generator.number(-40...40))
        let midnight = CivilTime(year: 1970, month: 1, day: 1 + day).wallTime(at: present.offset)
        return .date(Double(midnight.milliseconds) / 1000 + generator.pick([0, 0, 0.25, 3600, -1]))
    }

    private static let words = [
        "Paris", "paris", "MyWindowClass", "NSWindow", "Été", "e\u{301}te\u{301}", "ete", "Straße", "STRASSE",
        "Łódź", "a", "aB", "aBa",
        "x", "東京都", "京", "がか", "か\u{3099}", "กินน้ำ", "각", "가", "İx", "ΣΑΣ", "σας", "２ｂ", "7", "so\u{ad}ft", "æ",
        "\u{301}", "ñ\u{327}",
        "n\u{327}\u{303}",
    ]

    private mutating func text() -> String {
        let count = generator.number(0...4)
        return (0..<count).map { _ in
            generator.pick(Self.words) + generator.pick([" ", "", "-", ". ", "", "*", "\\", "\"", "'", "_"])
        }.joined()
    }

    private mutating func maybe<Value>(_ draw: (inout Self) -> Value) -> Value? {
        generator.chance(60) ? draw(&self) : nil
    }

    // MARK: Queries

    private mutating func query(depth: Int) -> String {
        switch depth == 0 ? 9 : generator.number(0...9) {
        case 0, 1: joined(depth, "&&")
        case 2, 3: joined(depth, "||")
        case 4: "!" + space() + query(depth: depth - 1)
        case 5, 6: "(" + space() + query(depth: depth - 1) + space() + ")"
        default: generator.chance(3) ? "*" : condition()
        }
    }

    private mutating func joined(_ depth: Int, _ symbol: String) -> String {
        let count = generator.number(2...3)
        return (0..<count).map { _ in query(depth: depth - 1) }.joined(separator: space() + symbol + space())
    }

    private mutating func space() -> String { generator.pick(["", "", " ", "\n", "  "]) }

    private mutating func condition() -> String {
        let kind = generator.number(0...9)
        if kind == 0 {
            let name = generator.pick(Self.numbers + Self.dates).name
            return "InRange(" + space() + name + "," + bound() + "," + space() + bound() + space() + ")"
        }
        let names =
            kind < 4
            ? Self.numbers.map(\.name) + Self.dates.map(\.name) + ["importantDates", "com_x_a", "com_x_b"]
            : Self.texts.map(\.name) + Self.lists.map(\.name) + Self.custom + [
                "**", "URL", "url", "authors", "HTMLContentData",
            ]
        let name = generator.pick(names)
        let isText = name == "**" || generator.chance(kind < 4 ? 10 : 90)
        let relation = generator.pick(isText ? ["==", "==", "!="] : ["==", "!=", "<", "<=", ">", ">="])
        let value = isText ? (generator.chance(5) ? "*" : textOperand()) : bound()
        return name + space() + relation + space() + value
    }

    private mutating func bound() -> String {
        switch generator.number(0...8) {
        case 0...2: "\(generator.number(-3...3))"
        case 3:
            generator.pick([
                "0.5", "-1.5", "2.5e0", "+1", "9007199254740993", "9007199254740992.0", "9223372036854775808",
                "1e300", "-0",
            ])
        case 4: "$time.now"
        case 5:
            "$time."
                + generator.pick(["today", "yesterday", "last_week", "this_week", "this_month", "this_year"])
        case 6:
            "$time." + generator.pick(["today", "this_week", "this_month", "now"])
                + "(\(generator.number(-40...40)))"
        case 7: "$time.this_year(\(generator.number(-2...2)))"
        default:
            "$time.iso(2024-0\(generator.number(1...3))-2\(generator.number(0...9))"
                + generator.pick(["", "T00:15", "T23:30:07Z", "T01:00+02:00"]) + ")"
        }
    }

    /// Returns a text in quotes: often one of an item's texts, changed so that it may still match.
    private mutating func textOperand() -> String {
        let texts = items.flatMap { item in
            item.attributes.entries.compactMap { entry in
                if case .plain(.string(let text)) = entry.value { text } else { nil }
            }
        }
        var letters = Array(
            (generator.chance(75) && !texts.isEmpty ? generator.pick(texts) : text()).unicodeScalars.map(
                String.init))
        if generator.chance(30), letters.count > 2 {
            let start = generator.number(0...letters.count - 2)
            letters = Array(letters[start...generator.number(start...letters.count - 1)])
        }
        if generator.chance(30) {
            letters = letters.map { generator.chance(50) ? $0.uppercased() : $0.lowercased() }
        }
        let quote = generator.pick(["\"", "'"])
        letters = letters.map { ["*", "\\", quote].contains($0) ? "\\" + $0 : $0 }
        while generator.chance(45) {
            let start = generator.number(0...letters.count)
            let end = min(letters.count, start + generator.number(0...3))
            letters.replaceSubrange(start..<end, with: generator.chance(20) ? ["*", " "] : ["*"])
        }
        let modifiers = ["c", "d", "w", "t"].filter { _ in generator.chance(45) }
        return quote + letters.joined() + quote + generator.shuffled(modifiers).joined()
    }
}
