import BatonCore

/// The rows of `word_changes`: changes of word counts that are not in the table of words yet.
///
/// The steps in which a batch is merged change mostly the same words. So the changes of large steps are kept here and
/// added up, and the table of words is changed once for many steps.
struct WordChangeTable {
    let rows: LaneRows

    /// The most words in a row: adding them to the table of words takes a few milliseconds.
    static let rowWords = 1000
    /// The largest change of a word in a row, which is more than any step makes.
    private static let changeMost = 1 << 20

    /// Returns how many rows there are.
    func count() throws(StoreFailure) -> Int {
        try rows.statement("SELECT count(*) FROM word_changes").first([]) { (row) in Int(row.integer(0)) }
            ?? 0
    }

    /// Keeps the changes of words; returns how many rows they take.
    func keep(_ words: TalliedWords) throws(StoreFailure) -> Int {
        var (encoded, count, kept): ([UInt8], Int, Int) = ([], 0, 0)
        try words.visitChanges { (word, change) throws(StoreFailure) in
            // No word is longer than `WordCutter.wordBytes`, so its length fits into a byte.
            encoded.append(UInt8(word.count))
            encoded += word
            Self.encode(change, into: &encoded)
            count += 1
            guard count == Self.rowWords else { return }
            try insert(encoded)
            encoded.removeAll(keepingCapacity: true)
            (count, kept) = (0, kept + 1)
        }
        if count > 0 { try insert(encoded) }
        return kept + (count > 0 ? 1 : 0)
    }

    private func insert(_ encoded: [UInt8]) throws(StoreFailure) {
        try rows.run("INSERT INTO word_changes (changes) VALUES (?)", .blob(encoded))
    }

    /// Removes the first rows, at most `most`, and fewer if they have many words; returns the sums of their changes,
    /// and how many rows were removed.
    func take(most: Int) throws(StoreFailure) -> (words: TalliedWords, rows: Int) {
        var (words, count, last): (TalliedWords, Int, Int64) = (TalliedWords(), 0, 0)
        try rows.statement("SELECT number, changes FROM word_changes ORDER BY number LIMIT ?")
            .rows([.integer(Int64(most))]) { (row) throws(StoreFailure) in
                last = row.integer(0)
                count += 1
                guard Self.decode(row.blob(1), into: &words) else { throw rows.damagedWords() }
                return !words.isFull
            }
        try rows.run("DELETE FROM word_changes WHERE number <= ?", .integer(last))
        return (words, count)
    }

    /// Removes all rows.
    func removeAll() throws(StoreFailure) { try rows.removeAll(from: "word_changes") }

    // MARK: Encoding

    /// Appends a change: twice its size, plus one if it is negative, in groups of seven bits from the lowest on; all
    /// bytes but the last have the highest bit set.
    private static func encode(_ change: Int, into bytes: inout [UInt8]) {
        var rest = UInt64(change.magnitude) << 1 | (change < 0 ? 1 : 0)
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Adds the changes of a row; returns false if they can't be read.
    private static func decode(_ bytes: [UInt8], into words: inout TalliedWords) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                let word = place + 1..<place + 1 + Int(unsafe bytes[place])
                guard !word.isEmpty, word.upperBound < bytes.count else { return false }
                place = word.upperBound
                var (change, shift) = (0, 0)
                while place < bytes.count, unsafe bytes[place] > 127, shift < 28 {
                    change |= Int(unsafe bytes[place] & 127) << shift
                    (place, shift) = (place + 1, shift + 7)
                }
                guard place < bytes.count, unsafe bytes[place] < 128 else { return false }
                change |= Int(unsafe bytes[place]) << shift
                place += 1
                let size = change >> 1
                guard size > 0, size <= changeMost else { return false }
                unsafe words.add(
                    Int32(change & 1 == 0 ? size : -size), to: UnsafeBufferPointer(rebasing: bytes[word]))
            }
            return true
        }
    }
}
