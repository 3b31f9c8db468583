import BatonCore

/// A summary of the clears of a lane, in little memory however many there are.
///
/// It knows that most scopes without a clear have none, which saves a query of the database, and it caches the clears
/// of the scopes that were looked up last.
struct ClearedScopes {
    /// The numbers of parts that the clears' scopes have; only scopes of these depths are looked up.
    private var depths: Set<Int> = []
    /// A Bloom filter of the scopes that have a clear; empty before the first clear.
    ///
    /// A scope sets two bits. A scope that was ever cleared since the lane was opened has both.
    private var filter: [UInt64] = []
    /// A cache of the scopes that were looked up last, each with the stamp of its clear, or nil inside if it has none.
    private var found: [Scope: Stamp?] = [:]

    /// The size of the filter in bits: with 10,000 clears it wrongly suspects one scope in fifty.
    private static let bits: UInt64 = 1 << 17
    /// The most clears that are noted: twice this number would set almost every bit.
    static let countMost = 1 << 16
    /// The most scopes in the cache: items of one index share almost all of their scopes.
    private static let foundMost = 64

    /// Notes that a scope has a clear.
    mutating func recordScope(_ scope: Scope) {
        guard !scope.isEmpty else { return }
        depths.insert(scope.count)
        if filter.isEmpty { filter = [UInt64](repeating: 0, count: Int(Self.bits / 64)) }
        for bit in Self.places(of: scope) { filter[Int(bit / 64)] |= 1 << (bit % 64) }
    }

    /// Makes every scope count as one that may have a clear.
    mutating func noteAll() {
        depths = Set(1...Scope.partsMost)
        filter = [UInt64](repeating: .max, count: Int(Self.bits / 64))
    }

    /// Empties the cache, because a clear was added or removed.
    mutating func forgetFound() { if !found.isEmpty { found = [:] } }

    /// Returns the scope and the scopes around it that may have a clear.
    func suspects(around scope: Scope) -> [Scope] {
        guard !depths.isEmpty else { return [] }
        return scope.outward(depths).filter { outer in
            Self.places(of: outer).allSatisfy { filter[Int($0 / 64)] & 1 << ($0 % 64) != 0 }
        }
    }

    /// Returns the cached stamp of a scope's clear, nil inside if it has no clear; nil if the scope is not in the
    /// cache.
    func remembered(_ scope: Scope) -> Stamp?? { found[scope] }

    /// Adds the stamp of a scope's clear to the cache, or nil if the scope has no clear.
    mutating func remember(_ stamp: Stamp?, of scope: Scope) {
        if found.count >= Self.foundMost { found = [:] }
        found.updateValue(stamp, forKey: scope)
    }

    /// Returns the two places of a scope in the filter.
    private static func places(of scope: Scope) -> [UInt64] {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in scope.encoded { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ hash >> 29) &* 0x9e37_79b9_7f4a_7c15
        return [hash % bits, hash >> 32 % bits]
    }
}
