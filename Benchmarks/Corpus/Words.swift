import Support

/// Text as people write it, from a seed.
struct Words {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { generator.number(range) }

    mutating func random() -> UInt64 { generator.next() }

    mutating func chance(_ percent: Int) -> Bool { generator.chance(percent) }

    mutating func bytes(_ count: Int) -> [UInt8] { generator.bytes(count...count) }

    mutating func word() -> String { generator.pick(Self.all) }

    /// So many words with spaces between them, the first with a capital.
    mutating func phrase(_ count: ClosedRange<Int>) -> String {
        let text = list(count).joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// So many words, of which none stands twice.
    mutating func list(_ count: ClosedRange<Int>) -> [String] {
        let count = generator.number(count)
        var words: [String] = []
        while words.count < count {
            let word = word()
            if !words.contains(word) { words.append(word) }
        }
        return words
    }

    /// A moment of the year 2026, in milliseconds since 1970.
    mutating func milliseconds() -> Int64 { 1_767_225_600_000 + Int64(generator.next() % 31_536_000_000) }

    private static let all = """
        account agenda album annual answer archive article autumn balance board book bridge budget build café \
        calendar camera chapter chart city client coast contract corner course customer data daily delivery design \
        détail draft early east estimate evening event family figure finance first garden guide harbour history \
        hotel index invoice island journal journey kitchen lake language letter library list lunch machine market \
        meeting memory merger minutes model morning museum music network north note notes offer office order outline \
        paper party photo piano picture plan plans portrait price product project quarter question receipt recipe \
        release report research résumé review river road route sample schedule school season second sketch spring \
        station statement story street summer survey table team ticket town travel tutorial update valley version \
        village visit weekly winter workshop writing year
        """.split(separator: " ").map(String.init)
}
