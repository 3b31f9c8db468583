import BatonCore

/// Rows as the store would write them for new items, made ahead, so that who writes them does nothing else.
struct PlainRows {
    /// All bytes of all rows, one behind the other.
    private(set) var bytes: [UInt8] = []
    private(set) var rows: [Row] = []
    /// Where each word of the items lies, and how many of them have it, in the order of words.
    private(set) var words: [(word: Range<Int>, items: Int64)] = []

    /// Where the columns of one item lie.
    struct Row {
        let hash, name, scope, fields: Range<Int>
        /// Those of the full-text table.
        let texts: [Range<Int>]
        let sequence, place, time: Int64
    }

    /// The bytes of names, domains and fields alone, which hold all that is known of the items.
    var toldBytes: Int { rows.reduce(0) { $0 + $1.name.count + $1.scope.count + $1.fields.count } }

    /// Rows for the items that these drafts write, as a journal would name them.
    init(_ drafts: [Journal.Draft], _ journal: inout Journal, now: WallTime) throws {
        for write in journal.transaction(.index, drafts, now: now)?.writes ?? [] { try add(write) }
        guard rows.count == drafts.count else { throw BenchmarkFailure("the corpus is beyond the limits") }
        countWords()
    }

    private mutating func countWords() {
        var (counts, cutter) = ([[UInt8]: Int64](), WordCutter())
        for row in rows {
            var words: Set<[UInt8]> = []
            for text in row.texts {
                bytes[text].withUnsafeBufferPointer { text in
                    cutter.cut(text, for: .index) { word, _ in
                        words.insert(Array(word))
                        return true
                    }
                }
            }
            for word in words { counts[word, default: 0] += 1 }
        }
        let sorted = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        words = sorted.map { (add($0.key), $0.value) }
    }

    private mutating func add(_ write: Write) throws {
        guard case .full(let content) = write.action, let name = write.name,
            let words = SearchText(Record(write))
        else { throw BenchmarkFailure("the corpus holds something else than items") }
        rows.append(
            Row(
                hash: add(write.identity.hash.bytes), name: add(name), scope: add(content.scope.encoded),
                fields: add(content.fields.encoded), texts: words.texts.map { add(Array($0.utf8)) },
                sequence: Int64(write.dot.sequence), place: Int64(write.dot.place),
                time: Int64(write.stamp.time.value)))
    }

    private mutating func add(_ column: [UInt8]) -> Range<Int> {
        defer { bytes += column }
        return bytes.count..<bytes.count + column.count
    }
}
