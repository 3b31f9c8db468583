/// What many writes of a batch have in common, spelled out once: lives and scopes, which the writes number, and
/// the time from which their stamps count.
package struct BatchTables {
    package private(set) var lives: [Life]
    package private(set) var scopes: [Scope]
    /// No stamp of the batch is earlier.
    package let base: HybridTime
    private var lifeNumbers: [Life: Int] = [:]
    private var scopeNumbers: [Scope: Int] = [:]

    /// Tables for those writes, to be filled while they are encoded.
    package init(for writes: [Write]) {
        (lives, scopes) = ([], [])
        base = writes.map(\.earliestTime).min() ?? .zero
    }

    /// Tables as they were read.
    init(lives: [Life], scopes: [Scope], base: HybridTime) {
        (self.lives, self.scopes, self.base) = (lives, scopes, base)
    }

    /// The number of a life, which is added where it has none yet.
    mutating func number(of life: Life) -> Int {
        if let number = lifeNumbers[life] { return number }
        lives.append(life)
        lifeNumbers[life] = lives.count - 1
        return lives.count - 1
    }

    /// The number of a scope, which is added where it has none yet.
    mutating func number(of scope: Scope) -> Int {
        if let number = scopeNumbers[scope] { return number }
        scopes.append(scope)
        scopeNumbers[scope] = scopes.count - 1
        return scopes.count - 1
    }

    /// Reads a number and finds its life.
    func life(from reader: inout CBORReader) throws(CBORError) -> Life {
        let start = reader.offset
        let number = try reader.unsigned()
        guard number < UInt64(lives.count) else { throw CBORError(.outOfRange, at: start) }
        return lives[Int(number)]
    }

    /// Reads a number and finds its scope.
    func scope(from reader: inout CBORReader) throws(CBORError) -> Scope {
        let start = reader.offset
        let number = try reader.unsigned()
        guard number < UInt64(scopes.count) else { throw CBORError(.outOfRange, at: start) }
        return scopes[Int(number)]
    }

    /// Writes the base time, the lives and the scopes.
    func encode(to writer: inout CBORWriter) {
        writer.unsigned(base.value)
        writer.array(count: lives.count)
        for life in lives { writer.identifier(life) }
        writer.array(count: scopes.count)
        for scope in scopes { scope.encode(to: &writer) }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let base = HybridTime(value: try reader.unsigned(upTo: HybridTime.largest.value))
        // A write names three lives and one scope at the most.
        let lives = try reader.array(upTo: 3 * Limits.batchWrites) { (reader) throws(CBORError) in
            try reader.identifier(Life.self)
        }
        let scopes = try reader.array(upTo: Limits.batchWrites) { (reader) throws(CBORError) in
            try Scope(from: &reader)
        }
        self.init(lives: lives, scopes: scopes, base: base)
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
