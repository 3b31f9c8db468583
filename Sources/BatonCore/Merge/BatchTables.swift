/// The values that many writes of a batch share, collected while the batch is encoded.
///
/// Each life and each scope is encoded only once, and the writes refer to it by a number. Stamps are encoded as the
/// difference from a base time. A name is encoded without the prefix that it shares with the previous name.
struct BatchTables {
    private var numberedLives = NumberedValues<Life>()
    private var numberedScopes = NumberedValues<Scope>()
    /// The earliest time in the batch; the times of stamps are encoded as differences from it.
    let base: HybridTime
    /// The name of the last encoded write that had a name.
    private var lastName: [UInt8] = []

    /// The largest number of bytes that a name can share with the previous name.
    ///
    /// Without a limit, reading a small batch could need unbounded memory.
    static let sharedBytes = 128

    /// Creates the tables for a batch of writes; lives and scopes are added while the writes are encoded.
    init(for writes: [Write]) { base = writes.lazy.map(\.earliestTime).min() ?? .zero }

    /// Returns the number of a life; adds the life to the table if the table lacks it.
    mutating func number(of life: Life) -> Int { numberedLives.number(of: life) }

    /// Returns the number of a scope; adds the scope to the table if the table lacks it.
    mutating func number(of scope: Scope) -> Int { numberedScopes.number(of: scope) }

    /// The lives in the order of their numbers.
    var lives: [Life] { numberedLives.values }

    /// The scopes in the order of their numbers.
    var scopes: [Scope] { numberedScopes.values }

    /// Returns the number of leading bytes that a name shares with the previous name.
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
    /// The numbers of all values; empty while there are only a few values.
    private var numbers: [Value: Int] = [:]

    /// The number of values up to which comparing them one by one is faster than hashing.
    private static var fewMost: Int { 8 }

    /// Returns the number of a value; adds the value if it was not added before.
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

/// The tables of a batch, used while its writes are read.
///
/// There is only one correct way to encode a batch. So the reader checks that the writes use the tables in that way.
struct BatchReading {
    let lane: Lane
    let base: HybridTime
    private let lives: [Life]
    private let scopes: [Scope]
    private var livesUsed = 0
    private var scopesUsed = 0
    private var earliest: HybridTime?
    private var lastName: [UInt8] = []
    /// Whether a write referred to a table entry that does not exist; if so, nothing in the batch can be trusted.
    private(set) var isBroken = false
    /// Whether a write was quarantined; it is then unknown which table entries the write uses.
    private var hasQuarantined = false
    /// Whether the last name is known; otherwise, the next name can't share its prefix.
    private var isNameKnown = true

    init(lane: Lane, base: HybridTime, lives: [Life], scopes: [Scope]) {
        self.lane = lane
        self.base = base
        self.lives = lives
        self.scopes = scopes
    }

    /// Reads the number of a life, and returns the life.
    ///
    /// A life that is used for the first time must be the next life in the table.
    mutating func life(from reader: inout CBORReader) throws(CBORError) -> Life {
        let place = try place(from: &reader, used: livesUsed, of: lives.count)
        if place == livesUsed { livesUsed += 1 }
        return lives[place]
    }

    /// Reads the number of a scope, and returns the scope.
    ///
    /// A scope that is used for the first time must be the next scope in the table.
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

    /// Reads a time, which is encoded as the difference from the base time.
    mutating func time(from reader: inout CBORReader) throws(CBORError) -> HybridTime {
        let since = try reader.unsigned(upTo: HybridTime.largest.value - base.value)
        let time = HybridTime(value: base.value + since)
        earliest = min(earliest ?? time, time)
        return time
    }

    /// Reads a name, which may share a prefix with the previous name.
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
            // The name was put together from two parts. So an offset in the name is not an offset in the message.
            throw CBORError(.outOfRange, at: start)
        }
        return lastName
    }

    /// Notes that a write breaks a rule; its name and the table entries that it uses may then be unknown.
    mutating func noteQuarantined() { (hasQuarantined, isNameKnown) = (true, false) }

    /// Reads the name of a write that breaks a rule, without validating the name.
    mutating func anyName(from reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        let shared = Int(try reader.unsigned(upTo: UInt64(min(lastName.count, BatchTables.sharedBytes))))
        let rest = try reader.slice(upTo: .max)
        // If the name was read before, its shared prefix has not changed.
        lastName.replaceSubrange(shared..., with: rest)
        isNameKnown = true
        return lastName
    }

    /// Checks the tables after all writes were read; throws an error if the writes did not use all entries.
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
    /// The earliest time that this write contains.
    fileprivate var earliestTime: HybridTime {
        switch action {
        case .full, .deletion: stamp.time
        case .partial(let base, _): min(stamp.time, base.time)
        case .count(let begun, _): min(stamp.time, begun.time)
        }
    }
}
