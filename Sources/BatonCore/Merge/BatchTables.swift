/// What many writes of a batch have in common, spelled out once while they are encoded: lives and scopes, which
/// the writes number, the time from which their stamps count, and the beginnings of names.
struct BatchTables {
    private(set) var lives: [Life] = []
    private(set) var scopes: [Scope] = []
    /// No stamp of the batch is earlier, and one is not later.
    let base: HybridTime
    private var lifeNumbers: [Life: Int] = [:]
    private var scopeNumbers: [Scope: Int] = [:]
    /// The name of the last write that had one.
    private var lastName: [UInt8] = []

    /// The most bytes that a name takes from the one before it, so that a small batch can't grow without end
    /// when it is read.
    static let sharedBytes = 128

    /// Tables for those writes, to be filled while they are encoded.
    init(for writes: [Write]) { base = writes.lazy.map(\.earliestTime).min() ?? .zero }

    /// The number of a life, which is added where it has none yet.
    mutating func number(of life: Life) -> Int {
        if lives.last == life { return lives.count - 1 }
        if let number = lifeNumbers[life] { return number }
        lives.append(life)
        lifeNumbers[life] = lives.count - 1
        return lives.count - 1
    }

    /// The number of a scope, which is added where it has none yet.
    mutating func number(of scope: Scope) -> Int {
        if scopes.last == scope { return scopes.count - 1 }
        if let number = scopeNumbers[scope] { return number }
        scopes.append(scope)
        scopeNumbers[scope] = scopes.count - 1
        return scopes.count - 1
    }

    /// How many bytes a name has in common with the one before it.
    mutating func sharedCount(of name: [UInt8]) -> Int {
        defer { lastName = name }
        let most = min(name.count, lastName.count, Self.sharedBytes)
        var count = 0
        while count < most, name[count] == lastName[count] { count += 1 }
        return count
    }
}

/// The tables of a batch while its writes are read, which must use them as a sender does that has but one way to
/// say a thing.
struct BatchReading {
    let lane: Lane
    let base: HybridTime
    private let lives: [Life]
    private let scopes: [Scope]
    private var livesUsed = 0
    private var scopesUsed = 0
    private var earliest: HybridTime?
    private var lastName: [UInt8] = []
    /// Whether a write refers to what is not in the tables, so that nothing in the batch can be believed.
    private(set) var isBroken = false
    /// Whether a write was set aside, so that it is not known what it used of the tables.
    private var hasAsides = false
    /// Whether the beginning of the next name is known, should it be taken from the last one.
    private var isNameKnown = true

    init(lane: Lane, base: HybridTime, lives: [Life], scopes: [Scope]) {
        (self.lane, self.base, self.lives, self.scopes) = (lane, base, lives, scopes)
    }

    /// Reads a life by its number; a new one must be the next.
    mutating func life(from reader: inout CBORReader) throws(CBORError) -> Life {
        lives[try place(from: &reader, used: \.livesUsed, of: lives.count)]
    }

    /// Reads a scope by its number; a new one must be the next.
    mutating func scope(from reader: inout CBORReader) throws(CBORError) -> Scope {
        scopes[try place(from: &reader, used: \.scopesUsed, of: scopes.count)]
    }

    private mutating func place(
        from reader: inout CBORReader, used: WritableKeyPath<Self, Int>, of count: Int
    ) throws(CBORError) -> Int {
        let start = reader.offset
        let number = try reader.unsigned()
        guard number < UInt64(count), number <= UInt64(self[keyPath: used]) || hasAsides else {
            isBroken = true
            throw CBORError(number < UInt64(count) ? .redundant : .outOfRange, at: start)
        }
        if number == UInt64(self[keyPath: used]) { self[keyPath: used] += 1 }
        return Int(number)
    }

    /// Reads a time, which counts from the base.
    mutating func time(from reader: inout CBORReader) throws(CBORError) -> HybridTime {
        let since = try reader.unsigned(upTo: HybridTime.largest.value - base.value)
        let time = HybridTime(value: base.value + since)
        earliest = min(earliest ?? time, time)
        return time
    }

    /// Reads a name, of which the beginning may be that of the one before it.
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
            // The name was put together of two parts, so that a place in it is none in the message.
            throw CBORError(.outOfRange, at: start)
        }
        return lastName
    }

    /// A write breaks a rule: what it used of the tables, and its name, are known only as far as can be read.
    mutating func noteAside() { (hasAsides, isNameKnown) = (true, false) }

    /// Reads the name of a write that breaks a rule, whatever it is.
    mutating func anyName(from reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        let shared = Int(try reader.unsigned(upTo: UInt64(min(lastName.count, BatchTables.sharedBytes))))
        let rest = try reader.slice(upTo: .max)
        // If the name was read before, its beginning is the same.
        lastName.replaceSubrange(shared..., with: rest)
        isNameKnown = true
        return lastName
    }

    /// Refuses tables that say more than the writes used, once all were read.
    func end(at offset: Int) throws(CBORError) {
        guard !hasAsides else { return }
        guard livesUsed == lives.count, scopesUsed == scopes.count, base == earliest ?? .zero,
            Set(lives).count == lives.count, Set(scopes).count == scopes.count
        else { throw CBORError(.redundant, at: offset) }
    }
}

extension Write {
    /// The earliest time that this write speaks of.
    fileprivate var earliestTime: HybridTime {
        switch action {
        case .full, .deletion: stamp.time
        case .partial(let base, _): min(stamp.time, base.time)
        case .count(let begun, _): min(stamp.time, begun.time)
        }
    }
}
