import BatonCore

/// Counts, for each word, the change in the number of items that have it.
///
/// The tokenizer notes each word of an item that is stored or removed.
final class WordTally {
    /// The new count of the word whose row in the table of words was changed last; nil if the word was new there.
    var noted: Int64?

    /// The words that were noted.
    private(set) var words = TalliedWords()

    /// Begins to note the words of an item that is stored.
    func beginAdding() { words.begin(counting: 1) }

    /// Begins to note the words of an item that is removed.
    func beginRemoving() { words.begin(counting: -1) }

    /// Notes a word of the item.
    func countWord(_ word: UnsafeBufferPointer<UInt8>) { unsafe words.countWord(word) }

    /// Forgets all changes.
    func clear() { words = TalliedWords() }
}

/// Words with the changes of their counts.
///
/// The words are stored back to back and found through a hash table, because every word of every item passes through
/// here.
struct TalliedWords {
    /// The number of words at which they must be written to the database before others are noted; they then take some 3
    /// MiB in all.
    static let most = 32_768

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// The places of words in `entries` by the lowest bits of their hashes; -1 where there is none.
    private var slots = [Int32](repeating: -1, count: 1024)
    /// The number of the item whose words are noted, and what each of these words adds to its own count.
    private var (item, amount): (Int32, Int32) = (0, 0)

    private struct Entry {
        let start: Int32
        let count: Int32
        let hash: UInt32
        /// The last item that was counted, so that a word counts once in each.
        var item: Int32
        var change: Int32
        /// The first letters, by which words are sorted.
        let beginning: UInt64
    }

    /// Whether the words must be written to the database before others are noted.
    var isFull: Bool { entries.count >= Self.most }

    /// Begins to note the words of an item; each word changes its own count by `amount`.
    mutating func begin(counting amount: Int32) { (item, self.amount) = (item + 1, amount) }

    /// Notes a word of the item, which counts once however often the item has it.
    mutating func countWord(_ word: UnsafeBufferPointer<UInt8>) {
        let place = unsafe place(of: word)
        guard entries[place].item != item else { return }
        entries[place].item = item
        entries[place].change += amount
    }

    /// Changes the count of a word.
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

    /// The first eight letters, the first one in the highest bits.
    private static func beginning(of word: UnsafeBufferPointer<UInt8>) -> UInt64 {
        if word.count >= 8 {
            return UInt64(
                bigEndian: unsafe UnsafeRawBufferPointer(word).loadUnaligned(as: UInt64.self))
        }
        var beginning: UInt64 = 0
        for place in word.indices { beginning |= UInt64(unsafe word[place]) << UInt64(56 - 8 * place) }
        return beginning
    }

    /// Whether a word equals that of an entry with the same beginning.
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

    /// Visits the words in order, each with its change, without those whose changes cancelled each other out.
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
