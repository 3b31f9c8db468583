import BatonCore

/// The rows of the table `word_changes`, which has changes of word counts that are not in the table `words` yet.
///
/// A batch is merged in steps, and most steps change the same words. So the changes of large steps are kept in this
/// table first. Later, the changes of many steps are added up, and the table `words` is changed once.
struct WordChangeTable {
    let rows: LaneRows

    /// The largest number of words in a row.
    ///
    /// Adding a row to the table `words` takes a few milliseconds.
    static let rowWords = 1000
    /// The largest change of one word in a row.
    ///
    /// No step makes a change that is larger.
    private static let changeMost = 1 << 20

    /// Returns the number of rows.
    func count() throws(StoreFailure) -> Int {
        try rows.statement("SELECT count(*) FROM word_changes").first([]) { (row) in Int(row.integer(0)) }
            ?? 0
    }

    /// Stores the changes of words in new rows, and returns the number of rows.
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

    /// Removes the first rows, and returns the sums of their changes and the number of removed rows.
    ///
    /// It removes at most `most` rows, and fewer if the rows have many words.
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

    /// Appends an encoded change.
    ///
    /// The number is twice the size of the change, plus one if the change is negative. It is stored in groups of seven
    /// bits, the lowest group first. All bytes except the last have the highest bit set.
    private static func encode(_ change: Int, into bytes: inout [UInt8]) {
        var rest = UInt64(change.magnitude) << 1 | (change < 0 ? 1 : 0)
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Adds the changes in a row to `words`; returns false if the row can't be decoded.
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
