import BatonCore

/// The texts of items in memory, with each word as a number.
///
/// Each word is stored once, even if many items have it. A search for phrases compares numbers instead of letters.
struct NumberedTexts {
    private var vocabulary = Vocabulary()
    /// The numbers of the words of all texts, one text after the other.
    private var words: [UInt32] = []
    /// The number of words in each column of each text.
    private var sizes: [UInt32] = []
    /// The items, in the order of their texts; nil for a removed text.
    private var items: [Int64?] = []
    /// The place of each item in `items`.
    private var places: [Int64: Int] = [:]

    private static let columnCount = SearchText.columns.count

    /// Whether this value has the text of an item.
    func contains(_ item: Int64) -> Bool { places[item] != nil }

    /// Adds the text of an item.
    ///
    /// The item must not have a text yet.
    mutating func add(_ text: SearchText, of item: Int64) {
        var cutter = WordCutter()
        for var column in text.texts {
            let before = words.count
            column.withUTF8 { column in
                unsafe cutter.cut(column, for: .index) { word, _ in
                    words.append(unsafe vocabulary.add(word))
                    return true
                }
            }
            sizes.append(UInt32(words.count - before))
        }
        places[item] = items.count
        items.append(item)
    }

    /// Removes the text of an item.
    mutating func remove(_ item: Int64) {
        if let place = places.removeValue(forKey: item) { items[place] = nil }
    }

    /// Removes the texts of all items except `kept`.
    ///
    /// The memory of removed texts is freed once there are many of them.
    mutating func keep(_ kept: Set<Int64>) {
        for item in places.keys.filter({ !kept.contains($0) }) { remove(item) }
        guard items.count - places.count > places.count / 4 + Self.spareTexts else { return }
        let old = self
        self = NumberedTexts()
        var (start, columns) = (0, old.sizes[...])
        for item in old.items {
            let own = columns.prefix(Self.columnCount)
            columns = columns.dropFirst(Self.columnCount)
            let end = start + own.reduce(0) { $0 + Int($1) }
            if let item {
                for word in old.words[start..<end] {
                    words.append(vocabulary.add(old.vocabulary.letters(of: word)))
                }
                sizes += own
                places[item] = items.count
                items.append(item)
            }
            start = end
        }
    }

    /// The number of removed texts that may stay in memory, in addition to a quarter of the number of other texts.
    private static let spareTexts = 256

    /// Visits the items that have all phrases.
    ///
    /// The closure is given the item, the places of the phrases in its text, and the number of words in each column.
    func visitMatches(
        _ phrases: [Phrase], _ body: (Int64, [TextRank.Place], _ sizes: [Int]) -> Void
    ) {
        guard let sought = NumberedPhrases(phrases, in: vocabulary) else { return }
        var (places, columns) = ([TextRank.Place](), [Int](repeating: 0, count: Self.columnCount))
        var (start, firstSize) = (0, 0)
        for item in items {
            for column in columns.indices { columns[column] = Int(sizes[firstSize + column]) }
            firstSize += Self.columnCount
            if let item, sought.find(in: words.span, from: start, columns, &places) {
                body(item, places, columns)
            }
            for size in columns { start += size }
        }
    }
}

/// The phrases of a search, prepared to be found in texts of numbered words.
///
/// All words of all phrases are numbered. A set of these words is stored as the bits of an integer.
private struct NumberedPhrases {
    /// For each word of the vocabulary, the place in `kinds` that says which words of phrases match it.
    private var kind: [UInt8]
    /// Each kind has two sets of the words of phrases.
    ///
    /// A word of this kind equals the words in `same`. It begins with the words in `longer`, and is longer than they
    /// are. The sets of the first kind are empty.
    private var kinds: [(same: UInt64, longer: UInt64)] = [(0, 0)]
    /// The phrase of each word, and the place of the word in the phrase.
    private var owners: [(phrase: Int, place: Int)] = []
    /// The set of the words that are the first of a phrase, and the set of those that are the last.
    private var (first, last): (UInt64, UInt64) = (0, 0)
    /// The set of all phrases.
    private let all: UInt64
    /// Whether each phrase has only one word.
    ///
    /// The places of such phrases are found in their order.
    private let isOrdered: Bool

    /// Looks up the words of the phrases in the vocabulary; returns nil if no text can have all phrases.
    ///
    /// All phrases together must have at most 64 words.
    init?(_ phrases: [Phrase], in vocabulary: Vocabulary) {
        kind = [UInt8](repeating: 0, count: vocabulary.count)
        all = 1 << UInt64(phrases.count) - 1
        let wordsOf = phrases.map(\.words)
        isOrdered = wordsOf.allSatisfy { $0.count == 1 }
        var open: [(word: [UInt8], bit: UInt64)] = []
        for (number, phrase) in phrases.enumerated() {
            let words = wordsOf[number]
            first |= 1 << UInt64(owners.count)
            for (place, word) in words.enumerated() {
                let bit: UInt64 = 1 << UInt64(owners.count)
                owners.append((number, place))
                if place == words.count - 1 {
                    last |= bit
                    if phrase.isOpen { open.append((word, bit)) }
                }
                if let number = vocabulary.number(of: word) {
                    add(bit, 0, to: number)
                } else if !phrase.isOpen || place < words.count - 1 {
                    return nil
                }
            }
        }
        for number in 0..<(open.isEmpty ? 0 : vocabulary.count) {
            var longer: UInt64 = 0
            for (word, bit) in open where vocabulary.isLonger(number, than: word) { longer |= bit }
            if longer != 0 { add(0, longer, to: number) }
        }
    }

    private mutating func add(_ same: UInt64, _ longer: UInt64, to number: Int) {
        let old = kinds[Int(kind[number])]
        let new = (same: old.same | same, longer: old.longer | longer)
        // Few words of phrases match the same word of the vocabulary, so there are few kinds.
        if let known = kinds.firstIndex(where: { $0 == new }) {
            kind[number] = UInt8(known)
        } else {
            kind[number] = UInt8(kinds.count)
            kinds.append(new)
        }
    }

    /// Finds the places of all phrases in the text that begins at `first`; returns whether all phrases were found.
    func find(
        in words: borrowing Span<UInt32>, from first: Int, _ sizes: [Int], _ places: inout [TextRank.Place]
    ) -> Bool {
        places.removeAll(keepingCapacity: true)
        let kind = kind.span
        var (found, start): (UInt64, Int) = (0, first)
        for (column, size) in sizes.enumerated() {
            // If the bit of a word is set, the last words that were read are those of its phrase up to that word, as in
            // `PhraseFinder`.
            var state: UInt64 = 0
            for position in 0..<size {
                let number = Int(kind[Int(words[start + position])])
                guard number != 0 else {
                    state = 0
                    continue
                }
                let (same, longer) = kinds[number]
                let begun = state << 1 | self.first
                state = begun & same
                var ended = begun & (same | longer) & last
                while ended != 0 {
                    let bit = ended.trailingZeroBitCount
                    ended &= ended - 1
                    found |= 1 << UInt64(owners[bit].phrase)
                    guard places.count < TextRank.placesMost || !isOrdered else { continue }
                    places.append(
                        TextRank.Place(
                            phrase: owners[bit].phrase, column: column,
                            position: position - owners[bit].place,
                            isWhole: same & 1 << UInt64(bit) != 0))
                }
            }
            start += size
        }
        guard found == all else { return false }
        if !isOrdered {
            places.sort { ($0.column, $0.position, $0.phrase) < ($1.column, $1.position, $1.phrase) }
            places.removeLast(max(0, places.count - TextRank.placesMost))
        }
        return true
    }
}

/// Words that are numbered in the order in which they were added, and found through a hash table.
private struct Vocabulary {
    /// The bytes of the words, one word after the other, and the offset where each word ends.
    private var letters: [UInt8] = []
    private var ends: [UInt32] = []
    /// The hash table: the number of each word, or the largest number for an empty slot.
    ///
    /// The lowest bits of a word's hash give its slot.
    private var slots = [UInt32](repeating: .max, count: 1024)

    var count: Int { ends.count }

    /// Returns the bytes of the word with this number.
    func letters(of number: UInt32) -> ArraySlice<UInt8> { letters[range(of: Int(number))] }

    /// Whether the word with this number begins with another word and is longer.
    func isLonger(_ number: Int, than word: [UInt8]) -> Bool {
        let range = range(of: number)
        guard range.count > word.count else { return false }
        for place in word.indices where letters[range.lowerBound + place] != word[place] { return false }
        return true
    }

    /// Returns the number of a word; nil if the vocabulary does not have the word.
    func number(of word: [UInt8]) -> Int? {
        let number = unsafe word.withUnsafeBufferPointer { unsafe slots[slot(of: $0)] }
        return number == .max ? nil : Int(number)
    }

    /// Returns the number of a word, and adds the word if it is new.
    mutating func add(_ word: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let slot = unsafe slot(of: word)
        guard slots[slot] == .max else { return slots[slot] }
        let number = UInt32(ends.count)
        slots[slot] = number
        unsafe letters += word
        ends.append(UInt32(letters.count))
        if ends.count * 2 > slots.count { grow() }
        return number
    }

    mutating func add(_ word: ArraySlice<UInt8>) -> UInt32 {
        unsafe word.withUnsafeBufferPointer { unsafe add($0) }
    }

    private func range(of number: Int) -> Range<Int> {
        (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
    }

    /// Returns the slot of a word, or the free slot for the word if it is new.
    private func slot(of word: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for place in word.indices { hash = (hash ^ UInt64(unsafe word[place])) &* 0x100_0000_01b3 }
        var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
        while slots[slot] != .max {
            let range = range(of: Int(slots[slot]))
            if range.count == word.count, unsafe word.elementsEqual(letters[range]) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = [UInt32](repeating: .max, count: slots.count * 2)
        for number in ends.indices {
            let word = letters(of: UInt32(number))
            let free = unsafe word.withUnsafeBufferPointer { unsafe slot(of: $0) }
            slots[free] = UInt32(number)
        }
    }
}
