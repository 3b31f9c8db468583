import BatonCore
import Support

/// Items as a person's mail, notes and files have them, of some 500 bytes each, one in eight in Chinese or Japanese.
///
/// Made from a seed, one after the other, so that a million of them need not be held at once.
struct IndexCorpus {
    private var generator: SeededGenerator
    private let lexicons: [Lexicon.Language: Lexicon]
    private var count = 0
    /// The app whose items they are, and the parts of its index that they are spread over.
    static let app = "org.example.mail"
    private static let domains = 40

    /// Makes items with numbers from this one on.
    init(seed: UInt64, from first: Int = 0) {
        (generator, count) = (SeededGenerator(seed: seed), first)
        lexicons = [
            .english: Lexicon(.english, count: 40_000, &generator),
            .chinese: Lexicon(.chinese, count: 12_000, &generator),
            .japanese: Lexicon(.japanese, count: 12_000, &generator),
        ]
    }

    /// The next items, as drafts of an app; in one domain, or in several ones.
    mutating func drafts(_ count: Int, domain: String? = nil) -> [Journal.Draft] {
        (0..<count).map { _ in draft(domain: domain) }
    }

    /// Words that items of this corpus have.
    mutating func words(_ count: Int) -> [String] { (0..<count).map { _ in word(.english) } }

    /// The name of the item of that number, counted from the first that was made.
    static func name(_ number: Int) -> ItemName {
        ItemName(app: app, index: "main", identifier: "message-\(number)")
    }

    private mutating func draft(domain: String?) -> Journal.Draft {
        let name = Self.name(count)
        let domain = domain ?? "mail.folder\(generator.number(0...Self.domains - 1))"
        let item = item(domain: domain)
        count += 1
        return Journal.Draft(.full(item.content(name)), name.key)
    }

    private mutating func item(domain: String) -> Item {
        let draw = generator.number(0...15)
        let language: Lexicon.Language = draw == 0 ? .chinese : draw == 1 ? .japanese : .english
        let created = 1_767_225_600 + Double(generator.number(0...31_536_000))
        var attributes = AttributeSet()
        let values: [(Attribute, PropertyValue)] = [
            (.title, .string(phrase(language, 3...9))),
            (.keywords, .array((0..<generator.number(2...5)).map { _ in .string(word(language)) })),
            (.contentURL, .url("file:///home/anna/mail/\(word(.english))/\(word(.english))-\(count).eml")),
            (.contentType, .string("com.apple.mail.email")),
            (.contentDescription, .string(text(language))),
            (.authorNames, .array([.string("\(word(language)) \(word(language))")])),
            (.contentCreationDate, .date(created)),
            (.contentModificationDate, .date(created + Double(generator.number(0...9_999_999)))),
        ]
        for (attribute, value) in values { attributes[attribute] = .plain(value) }
        return Item(
            domain: domain, indexed: WallTime(milliseconds: Int64(created * 1000) + 700),
            attributes: attributes)
    }

    // MARK: Texts

    private mutating func word(_ language: Lexicon.Language) -> String {
        lexicons[language]?.word(&generator) ?? ""
    }

    private mutating func phrase(_ language: Lexicon.Language, _ words: ClosedRange<Int>) -> String {
        (0..<generator.number(words)).map { _ in word(language) }.joined(separator: language.space)
    }

    /// Some sentences: most texts are short, some are long.
    private mutating func text(_ language: Lexicon.Language) -> String {
        let sentences = generator.chance(10) ? generator.number(8...16) : generator.number(2...6)
        return (0..<sentences).map { _ in phrase(language, 5...15) + language.end }.joined()
    }
}
