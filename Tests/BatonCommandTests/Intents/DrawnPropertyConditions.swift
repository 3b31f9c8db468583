import BatonCommand
import Support

/// Draws conditions on the properties of books, each with the query of the index that it stands for.
struct DrawnPropertyConditions {
    var random: SeededGenerator

    /// A condition as a person types it, and the same condition in the language of the index.
    struct Pair {
        let typed, query: String
    }

    /// The properties of a book.
    static let properties = [
        PropertyQuery.Property("rating", attribute: "rating"),
        PropertyQuery.Property("genre", attribute: "book_genre"),
        PropertyQuery.Property("isRead", attribute: "book_read"),
        PropertyQuery.Property("added", attribute: "contentCreationDate", isDate: true),
        PropertyQuery.Property("note", attribute: nil),
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: Conditions

    /// Draws a condition that is nested at most this deep.
    mutating func condition(depth: Int = 4) -> Pair {
        switch random.number(0...(depth > 0 ? 9 : 4)) {
        case 5: return enclosed("!(", condition(depth: depth - 1))
        case 6: return enclosed("(", condition(depth: depth - 1))
        case 7...9:
            let symbol = random.pick(["&&", "||"])
            let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
            return Pair(
                typed: left.typed + space() + symbol + space() + right.typed,
                query: "\(left.query) \(symbol) \(right.query)")
        default: return comparison()
        }
    }

    private mutating func enclosed(_ opening: String, _ pair: Pair) -> Pair {
        Pair(typed: opening + space() + pair.typed + space() + ")", query: "\(opening)\(pair.query))")
    }

    private mutating func comparison() -> Pair {
        let orders = ["==", "!=", "<", "<=", ">", ">="]
        switch random.number(0...7) {
        case 0: return compare("rating", "rating", random.pick(orders), number())
        case 1:
            let text = literal()
            return compare("genre", "book_genre", random.pick(["==", "!="]), Pair(typed: text, query: text))
        case 2:
            let truth = random.pick([Pair(typed: "true", query: "1"), Pair(typed: "false", query: "0")])
            return compare("isRead", "book_read", random.pick(["==", "!="]), truth)
        case 3: return compare("added", "contentCreationDate", random.pick(orders), date())
        case 4:
            let property = random.pick(Self.properties.dropLast())
            let isEqual = random.chance(50)
            let typed = property.name + space() + (isEqual ? "==" : "!=") + space() + "nil"
            return Pair(typed: typed, query: "\(property.attribute ?? "") \(isEqual ? "!=" : "==") *")
        case 5: return range("rating", "rating", from: number(), through: number())
        case 6: return range("added", "contentCreationDate", from: date(), through: date())
        default:
            let text = literal()
            return random.chance(20)
                ? Pair(typed: "*", query: "*") : compare("**", "**", "==", Pair(typed: text, query: text))
        }
    }

    private mutating func compare(
        _ name: String, _ attribute: String, _ relation: String, _ value: Pair
    ) -> Pair {
        Pair(
            typed: name + space() + relation + space() + value.typed,
            query: "\(attribute) \(relation) \(value.query)")
    }

    private mutating func range(
        _ name: String, _ attribute: String, from low: Pair, through high: Pair
    ) -> Pair {
        let typed = "InRange(\(space())\(name)\(space()),\(space())\(low.typed),\(space())\(high.typed))"
        return Pair(typed: typed, query: "InRange(\(attribute), \(low.query), \(high.query))")
    }

    private mutating func number() -> Pair {
        let number = random.pick(["3", "-2.5", "+4", "1e3", "0", "9223372036854775807"])
        return Pair(typed: number, query: number)
    }

    private mutating func date() -> Pair {
        let date = random.pick(["2026-11-20", "2026-11-20T21:04Z", "1969-01-01"])
        return random.pick([
            Pair(typed: "\"\(date)\"", query: "$time.iso(\(date))"),
            Pair(typed: "'\(date)'cd", query: "$time.iso(\(date))"),
            Pair(typed: "$time.today(-7)", query: "$time.today(-7)"),
            Pair(typed: "12.5", query: "12.5"),
        ])
    }

    /// Draws a text in quotes with words of the language in it, which mean nothing there.
    private mutating func literal() -> String {
        let quote = random.pick(["\"", "'"])
        let pieces = [
            "a", "é", "e\u{301}", "*", "\\*", "\\\\", "\\\"", "\\'", " ", "nil", "rating", "&&", "(", "👨‍👩‍👧",
            "\n", "==",
        ]
        let text = (0..<random.number(0...5)).map { _ in random.pick(pieces) }.joined()
        return quote + text + quote + random.pick(["", "", "c", "cd", "w", "t"])
    }

    private mutating func space() -> String { random.pick(["", " ", " ", "  ", "\t", "\n"]) }

    // MARK: Any text

    /// Draws a text that may be no condition: a condition with some changes, or pieces in any order.
    mutating func text() -> String {
        let pieces = [
            "rating", "genre", "added", "note", "gnre", "true", "false", "nil", "InRange", "(", ")", ",", "!",
            "=",
            "==", "!=", "<", ">=", "&&", "||", "|", "\"", "'", "\\", "*", "**", "$", "$time.now",
            "$time.iso(", "3", "-",
            "1e", "cd", " ", "\u{a0}", "\n", "é", "\u{301}", "漢字", "👨‍👩‍👧", "\u{1f1e9}", "\0", "\u{1b}[31m",
            "\u{202e}",
            "\r", "²", "_",
        ]
        guard random.chance(70) else {
            return (0..<random.number(0...12)).map { _ in random.pick(pieces) }.joined()
        }
        var characters = Array(condition().typed)
        for _ in 0..<random.number(1...3) {
            let place = random.number(0...characters.count)
            switch random.number(0...2) {
            case 0: characters.insert(contentsOf: random.pick(pieces), at: place)
            case 1 where place < characters.count: characters.remove(at: place)
            default: characters = Array(characters[..<place])
            }
        }
        return String(characters)
    }
}
