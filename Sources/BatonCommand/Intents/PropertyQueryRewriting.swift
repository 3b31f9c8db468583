import BatonClient
import BatonCore

/// Rewrites a condition on properties into a query of the index.
struct PropertyQueryRewriting {
    private let entity: String
    private let properties: [PropertyQuery.Property]
    private let typed: [Character]
    private var place = 0
    /// The query so far.
    private(set) var query = ""
    /// The number of characters of the query so far.
    private var count = 0
    private(set) var parts: [PropertyQuery.Part] = []
    /// The property that the next operand is compared with.
    private var property: PropertyQuery.Property?
    /// The relation before the next operand, such as `==`, and its offset; it is written when the operand is known,
    /// because `nil` as the operand changes it.
    private var relation: (text: String, place: Int)?

    init(_ condition: String, _ entity: String, _ properties: [PropertyQuery.Property]) {
        (self.entity, self.properties, typed) = (entity, properties, Array(condition))
    }

    mutating func rewrite() throws(LocalFailure) {
        while let character = next {
            switch character {
            case "\"", "'": try takeText(character)
            case "$": take { $0 == "$" || $0 == "." || Self.isWord($0) }
            case "=", "!", "<", ">": takeRelation()
            case _ where Self.isWord(character) && !character.isNumber: try takeWord()
            case _ where Self.isWord(character): take { Self.isWord($0) || $0 == "." }
            case _ where character.isWhitespace && relation != nil: place += 1
            default:
                if character == "&" || character == "|" { property = nil }
                write(String(character), from: place)
                place += 1
            }
        }
        writeRelation()
    }

    // MARK: Words

    /// Reads the name of a property, or one of the words `true`, `false`, `nil` and `InRange`.
    private mutating func takeWord() throws(LocalFailure) {
        let (start, word) = (place, word)
        place += word.count
        switch word {
        case "InRange": write(word, from: start)
        case "true", "false":
            guard relation != nil else { return try takeName(word, from: start) }
            write(word == "true" ? "1" : "0", from: start, insteadOf: word)
        case "nil":
            guard let compared = relation else { return try takeName(word, from: start) }
            // `attribute == *` holds if the attribute has any value.
            let opposite = ["==": "!=", "!=": "=="][compared.text]
            relation = (opposite ?? compared.text, compared.place)
            write("*", from: start, insteadOf: word)
        default: try takeName(word, from: start)
        }
    }

    private mutating func takeName(_ word: String, from start: Int) throws(LocalFailure) {
        guard let found = properties.first(where: { $0.name == word }) else {
            let names = properties.filter { $0.attribute != nil }.map(\.name)
            let advice =
                Suggestion.nearest(to: word, among: names).map { "Did you mean \($0)?" }
                ?? (names.isEmpty
                    ? "None of its properties is in the index."
                    : "Its properties in the index are: \(names.joined(separator: ", ")).")
            throw failure("\(entity) has no property “\(VisibleText(word).text)”. \(advice)", at: start)
        }
        guard let attribute = found.attribute else {
            throw failure(PropertyQuery.notIndexed(found.name), at: start)
        }
        property = found
        write(attribute, from: start, insteadOf: word)
    }

    // MARK: Values

    /// Reads a text in quotes and its modifiers; a text that is compared with a date is written as a date.
    private mutating func takeText(_ quote: Character) throws(LocalFailure) {
        let start = place
        place += 1
        var content = ""
        while let character = next, character != quote {
            place += 1
            if character == "\\", let escaped = next {
                content.append(escaped)
                place += 1
            } else {
                content.append(character)
            }
        }
        guard next != nil else {
            let expected = "the closing \(quote) of the text at character \(start + 1)"
            let failure = QueryFailure(
                offset: typed.count, found: PropertyQuery.end, expected: expected)
            throw self.failure("\(failure)", at: typed.count)
        }
        place += 1
        let end = place
        while let character = next, Self.isWord(character) { place += 1 }
        // Case and accents do not matter in a date, so the modifiers of a text are allowed there, too.
        let isPlain = typed[end..<place].allSatisfy { "cdwt".contains($0) } && !content.contains(")")
        if property?.isDate == true, isPlain {
            write("$time.iso(\(content))", from: start, insteadOf: content)
        } else {
            write(String(typed[start..<place]), from: start)
        }
    }

    private mutating func takeRelation() {
        let start = place
        if typed[start] == "!", start + 1 >= typed.count || typed[start + 1] != "=" {
            place += 1
            return write("!", from: start)
        }
        while let character = next, ["=", "!", "<", ">"].contains(character), place - start < 2 { place += 1 }
        writeRelation()
        relation = (String(typed[start..<place]), start)
    }

    private mutating func take(while isPart: (Character) -> Bool) {
        let start = place
        while let character = next, isPart(character) { place += 1 }
        write(String(typed[start..<place]), from: start)
    }

    // MARK: Characters

    private var next: Character? { place < typed.count ? typed[place] : nil }

    /// The letters, digits and underscores that come next.
    private var word: String { String(typed[place...].prefix(while: Self.isWord)) }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Writes the relation that waits for its operand, and then a part that stands at an offset of the condition.
    ///
    /// `replaced` is the word or the text that the part replaces.
    private mutating func write(_ part: String, from start: Int, insteadOf replaced: String? = nil) {
        writeRelation()
        append(part, PropertyQuery.Part(query: count, typed: start, replaced: replaced))
    }

    private mutating func writeRelation() {
        guard let written = relation else { return }
        relation = nil
        let space = query.hasSuffix(" ") ? "" : " "
        append(
            "\(space)\(written.text) ",
            PropertyQuery.Part(query: count + space.count, typed: written.place, replaced: nil))
    }

    private mutating func append(_ text: String, _ part: PropertyQuery.Part) {
        parts.append(part)
        query += text
        count += text.count
    }

    private func failure(_ text: String, at offset: Int) -> LocalFailure {
        let pointer = QueryFailure(offset: offset, found: "", expected: "").pointer(in: String(typed))
        return LocalFailure(.usage, "\(text)\n\(pointer.text)")
    }
}
