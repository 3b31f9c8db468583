import BatonCore

/// Counts by how much the number of items that have a word changes, for each word.
///
/// The tokenizer passes each word of an item that is stored or removed to the tally.
final class WordTally {
    /// The new count of the word whose row in the table `words` was changed last; nil if the word was new in the table.
    var noted: Int64?

    /// The words and the changes of their counts.
    private(set) var words = TalliedWords()

    /// Begins to count the words of an item that is stored.
    func beginAdding() { words.begin(counting: 1) }

    /// Begins to count the words of an item that is removed.
    func beginRemoving() { words.begin(counting: -1) }

    /// Counts a word of the present item.
    func countWord(_ word: UnsafeBufferPointer<UInt8>) { unsafe words.countWord(word) }

    /// Forgets all changes.
    func clear() { words = TalliedWords() }
}

/// Words, and the changes of their counts.
///
/// The words are stored in one array and found through a hash table. This must be fast, because every word of every
/// item is counted here.
struct TalliedWords {
    /// The number of words from which they must be written to the database before others are counted.
    ///
    /// This number of words takes about 3 MiB of memory.
    static let most = 32_768

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// The hash table: the place in `entries` of each word, or -1 for an empty slot.
    ///
    /// The lowest bits of a word's hash give its slot.
    private var slots = [Int32](repeating: -1, count: 1024)
    /// The number of the present item, and the change that each of its words counts.
    private var (item, amount): (Int32, Int32) = (0, 0)

    private struct Entry {
        let start: Int32
        let count: Int32
        let hash: UInt32
        /// The number of the last item in which the word was counted.
        ///
        /// So a word is counted once for each item.
        var item: Int32
        var change: Int32
        /// The first eight bytes of the word, by which words are compared first.
        let beginning: UInt64
    }

    /// Whether the words must be written to the database before others are counted.
    var isFull: Bool { entries.count >= Self.most }

    /// Begins to count the words of an item.
    ///
    /// Each word of the item changes its count by `amount`.
    mutating func begin(counting amount: Int32) { (item, self.amount) = (item + 1, amount) }

    /// Counts a word of the present item.
    ///
    /// A word is counted once, however often it is in the item.
    mutating func countWord(_ word: UnsafeBufferPointer<UInt8>) {
        let place = unsafe place(of: word)
        guard entries[place].item != item else { return }
        entries[place].item = item
        entries[place].change += amount
    }

    /// Adds a change to the count of a word.
    mutating func add(_ change: Int32, to word: UnsafeBufferPointer<UInt8>) {
        entries[unsafe place(of: word)].change &+= change
    }

    /// Returns the place of a word in `entries`, and adds the word if it is not there yet.
    private mutating func place(of word: UnsafeBufferPointer<UInt8>) -> Int {
        let beginning = unsafe Self.beginning(of: word)
        var hash = beginning ^ UInt64(word.count)
        for place in word.indices.dropFirst(8) {
            hash = (hash ^ UInt64(unsafe word[place])) &* 0x100_0000_01b3
        }
        let short = UInt32(truncatingIfNeeded: ((hash ^ hash >> 29) &* 0x9e37_79b9_7f4a_7c15) >> 32)
        var slot = Int(short) & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if entries[place].hash == short, entries[place].beginning == beginning,
                unsafe stands(word, at: entries[place])
            {
                return place
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(entries.count)
        entries.append(
            Entry(
                start: Int32(bytes.count), count: Int32(word.count), hash: short, item: 0, change: 0,
                beginning: beginning))
        unsafe bytes += word
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
    }

    /// Returns the first eight bytes of a word as a big-endian number.
    private static func beginning(of word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        if word.count >= 8 {
            return UInt64(
                bigEndian: unsafe UnsafeRawBufferPointer(word).loadUnaligned(as: UInt64.self))
        }
        var beginning: UInt64 = 0
        for place in word.indices { beginning |= UInt64(unsafe word[place]) << UInt64(56 - 8 * place) }
        return beginning
    }

    /// Whether a word equals the word of an entry.
    ///
    /// The caller has already compared the first eight bytes, so only the other bytes are compared.
    private func stands(_ word: UnsafeBufferPointer<UInt8>, at entry: Entry) -> Bool {
        guard Int(entry.count) == word.count else { return false }
        for place in word.indices.dropFirst(8)
        where bytes[Int(entry.start) + place] != (unsafe word[place]) {
            return false
        }
        return true
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (place, entry) in entries.enumerated() {
            var slot = Int(entry.hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(place)
        }
    }

    /// Visits the words in the order of their bytes, and the change of each word.
    ///
    /// A word is left out if its changes add up to zero.
    func visitChanges(
        _ body: (_ word: ArraySlice<UInt8>, _ change: Int) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let changed = entries.filter { $0.change != 0 }.sorted { left, right in
            if left.beginning != right.beginning { return left.beginning < right.beginning }
            return letters(of: left).lexicographicallyPrecedes(letters(of: right))
        }
        for entry in changed { try body(letters(of: entry), Int(entry.change)) }
    }

    private func letters(of entry: Entry) -> ArraySlice<UInt8> {
        bytes[Int(entry.start)..<Int(entry.start + entry.count)]
    }
}
