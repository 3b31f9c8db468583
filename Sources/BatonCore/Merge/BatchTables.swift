/// The values that many writes of a batch share, each spelled out once while the batch is encoded: lives and scopes,
/// which the writes refer to by number, the time that stamps count from, and the prefixes of names.
struct BatchTables {
    private(set) var lives: [Life] = []
    private(set) var scopes: [Scope] = []
    /// The earliest time in the batch; stamps count from it.
    let base: HybridTime
    private var lifeNumbers: [Life: Int] = [:]
    private var scopeNumbers: [Scope: Int] = [:]
    /// The name of the previous write that had one.
    private var lastName: [UInt8] = []

    /// The most bytes that a name shares with the previous one; the limit keeps a small batch from growing without end
    /// when it is read.
    static let sharedBytes = 128

    /// Creates the tables for these writes; they fill while the writes are encoded.
    init(for writes: [Write]) { base = writes.lazy.map(\.earliestTime).min() ?? .zero }

    /// Returns the number of a life, and adds the life if it has none yet.
    mutating func number(of life: Life) -> Int {
        if lives.last == life { return lives.count - 1 }
        if let number = lifeNumbers[life] { return number }
        lives.append(life)
        lifeNumbers[life] = lives.count - 1
        return lives.count - 1
    }

    /// Returns the number of a scope, and adds the scope if it has none yet.
    mutating func number(of scope: Scope) -> Int {
        if scopes.last == scope { return scopes.count - 1 }
        if let number = scopeNumbers[scope] { return number }
        scopes.append(scope)
        scopeNumbers[scope] = scopes.count - 1
        return scopes.count - 1
    }

    /// Returns how many leading bytes a name shares with the previous one.
    mutating func sharedCount(of name: [UInt8]) -> Int {
        defer { lastName = name }
        let most = min(name.count, lastName.count, Self.sharedBytes)
        var count = 0
        while count < most, name[count] == lastName[count] { count += 1 }
        return count
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
    /// Whether a write referred to an entry that the tables lack, so that nothing in the batch can be trusted.
    private(set) var isBroken = false
    /// Whether a write was quarantined, so that its use of the tables is unknown.
    private var hasQuarantined = false
    /// Whether the last name is known, so that the next name can take its beginning from it.
    private var isNameKnown = true

    init(lane: Lane, base: HybridTime, lives: [Life], scopes: [Scope]) {
        (self.lane, self.base, self.lives, self.scopes) = (lane, base, lives, scopes)
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
            // The name was assembled from two parts, so an offset in it is no offset in the message.
            throw CBORError(.outOfRange, at: start)
        }
        return lastName
    }

    /// Records that a write breaks a rule: its use of the tables and its name are known only as far as they can be
    /// read.
    mutating func noteQuarantined() { (hasQuarantined, isNameKnown) = (true, false) }

    /// Reads the name of a write that breaks a rule, whatever the name is.
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
            Set(lives).count == lives.count, Set(scopes).count == scopes.count
        else { throw CBORError(.redundant, at: offset) }
    }
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
