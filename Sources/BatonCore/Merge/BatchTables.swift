/// The values that many writes of a batch share, each spelled out once while the batch is encoded: lives and scopes,
/// which the writes refer to by number, the time that stamps count from, and the prefixes of names.
struct BatchTables {
    private var numberedLives = NumberedValues<Life>()
    private var numberedScopes = NumberedValues<Scope>()
    /// The earliest time in the batch; stamps count from it.
    let base: HybridTime
    /// The name of the previous write that had one.
    private var lastName: [UInt8] = []

    /// The most bytes that a name shares with the previous one; without the limit, a small batch could need unbounded
    /// memory when it is read.
    static let sharedBytes = 128

    /// Creates the tables for these writes; they fill while the writes are encoded.
    init(for writes: [Write]) { base = writes.lazy.map(\.earliestTime).min() ?? .zero }

    /// Returns the number of a life, and adds the life if it has none yet.
    mutating func number(of life: Life) -> Int { numberedLives.number(of: life) }

    /// Returns the number of a scope, and adds the scope if it has none yet.
    mutating func number(of scope: Scope) -> Int { numberedScopes.number(of: scope) }

    /// The lives in the order of their numbers.
    var lives: [Life] { numberedLives.values }

    /// The scopes in the order of their numbers.
    var scopes: [Scope] { numberedScopes.values }

    /// Returns how many leading bytes a name shares with the previous one.
    mutating func sharedCount(of name: [UInt8]) -> Int {
        defer { lastName = name }
        let most = min(name.count, lastName.count, Self.sharedBytes)
        var count = 0
        while count < most, name[count] == lastName[count] { count += 1 }
        return count
    }
}

/// Values that are numbered in the order in which they were added.
private struct NumberedValues<Value: Hashable> {
    private(set) var values: [Value] = []
    /// The numbers of all values, once they are more than a few.
    private var numbers: [Value: Int] = [:]

    /// Up to this number of values, comparing them one by one is faster than hashing.
    private static var fewMost: Int { 8 }

    /// Returns the number of a value, and adds the value if it has none yet.
    mutating func number(of value: Value) -> Int {
        if values.last == value { return values.count - 1 }
        let isFew = values.count <= Self.fewMost
        if let number = isFew ? values.firstIndex(of: value) : numbers[value] { return number }
        values.append(value)
        if values.count > Self.fewMost {
            if isFew {
                for (number, value) in values.enumerated() { numbers[value] = number }
            } else {
                numbers[value] = values.count - 1
            }
        }
        return values.count - 1
    }
}

/// The tables of a batch while its writes are read.
///
/// A sender has only one way to encode a batch, so the reader checks that the tables are used in that way.
struct BatchReading {
    let lane: Lane
    let base: HybridTime
    private let lives: [Life]
    private let scopes: [Scope]
    private var livesUsed = 0
    private var scopesUsed = 0
    private var earliest: HybridTime?
    private var lastName: [UInt8] = []
    /// Whether a write referred to an entry that the tables lack; then nothing in the batch can be trusted.
    private(set) var isBroken = false
    /// Whether a write was quarantined; its use of the tables is then unknown.
    private var hasQuarantined = false
    /// Whether the last name is known; only then can the next name share its beginning.
    private var isNameKnown = true

    init(lane: Lane, base: HybridTime, lives: [Life], scopes: [Scope]) {
        self.lane = lane
        self.base = base
        self.lives = lives
        self.scopes = scopes
    }

    /// Reads a life by its number; a life used for the first time must be the next in the table.
    mutating func life(from reader: inout CBORReader) throws(CBORError) -> Life {
        let place = try place(from: &reader, used: livesUsed, of: lives.count)
        if place == livesUsed { livesUsed += 1 }
        return lives[place]
    }

    /// Reads a scope by its number; a scope used for the first time must be the next in the table.
    mutating func scope(from reader: inout CBORReader) throws(CBORError) -> Scope {
        let place = try place(from: &reader, used: scopesUsed, of: scopes.count)
        if place == scopesUsed { scopesUsed += 1 }
        return scopes[place]
    }

    private mutating func place(
        from reader: inout CBORReader, used: Int, of count: Int
    ) throws(CBORError) -> Int {
        let start = reader.offset
        let number = try reader.unsigned()
        guard number < UInt64(count), number <= UInt64(used) || hasQuarantined else {
            isBroken = true
            throw CBORError(number < UInt64(count) ? .redundant : .outOfRange, at: start)
        }
        return Int(number)
    }

    /// Reads a time that counts from the base.
    mutating func time(from reader: inout CBORReader) throws(CBORError) -> HybridTime {
        let since = try reader.unsigned(upTo: HybridTime.largest.value - base.value)
        let time = HybridTime(value: base.value + since)
        earliest = min(earliest ?? time, time)
        return time
    }

    /// Reads a name, which may share its beginning with the previous one.
    mutating func name(from reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        let start = reader.offset
        let shared = Int(try reader.unsigned(upTo: UInt64(min(lastName.count, BatchTables.sharedBytes))))
        let rest = try reader.slice(upTo: RecordKey.nameBytes - shared)
        guard isNameKnown || shared == 0 else { throw CBORError(.outOfRange, at: start) }
        isNameKnown = true
        if shared < BatchTables.sharedBytes, shared < lastName.count, rest.first == lastName[shared] {
            throw CBORError(.redundant, at: start)
        }
        lastName.replaceSubrange(shared..., with: rest)
        do {
            try CBORReader.whole(lastName[...]) { (reader) throws(CBORError) in try reader.skip() }
        } catch {
            // The name was assembled from two parts, so an offset in it is not an offset in the message.
            throw CBORError(.outOfRange, at: start)
        }
        return lastName
    }

    /// Records that a write breaks a rule; its use of the tables and its name may then be unknown.
    mutating func noteQuarantined() { (hasQuarantined, isNameKnown) = (true, false) }

    /// Reads the name of a write that breaks a rule, without validating the name.
    mutating func anyName(from reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        let shared = Int(try reader.unsigned(upTo: UInt64(min(lastName.count, BatchTables.sharedBytes))))
        let rest = try reader.slice(upTo: .max)
        // If the name was read before, its beginning is unchanged.
        lastName.replaceSubrange(shared..., with: rest)
        isNameKnown = true
        return lastName
    }

    /// Refuses tables with entries that the writes did not use, once all writes were read.
    func end(at offset: Int) throws(CBORError) {
        guard !hasQuarantined else { return }
        guard livesUsed == lives.count, scopesUsed == scopes.count, base == earliest ?? .zero,
            lives.areDistinct, scopes.areDistinct
        else { throw CBORError(.redundant, at: offset) }
    }
}

extension Array where Element: Hashable {
    /// Whether no two elements are equal.
    fileprivate var areDistinct: Bool { count < 2 || Set(self).count == count }
}

extension Write {
    /// The earliest time in this write.
    fileprivate var earliestTime: HybridTime {
        switch action {
        case .full, .deletion: stamp.time
        case .partial(let base, _): min(stamp.time, base.time)
        case .count(let begun, _): min(stamp.time, begun.time)
        }
    }
}
