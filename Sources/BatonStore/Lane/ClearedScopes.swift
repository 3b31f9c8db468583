import BatonCore

/// A summary of the clears of a lane that takes little memory, however many clears there are.
///
/// For most scopes without a clear, the summary tells that there is none, which saves a query of the database. It also
/// caches the results of the last queries.
struct ClearedScopes {
    /// The numbers of parts of all scopes that have a clear.
    ///
    /// Only scopes with one of these numbers of parts are looked up.
    private var depths: Set<Int> = []
    /// A Bloom filter of the scopes that have a clear; empty before the first clear.
    ///
    /// Each scope has two bits in the filter, and a clear of the scope sets both. No bit is unset before the lane is
    /// closed.
    private var filter: [UInt64] = []
    /// A cache of the scopes that were looked up last.
    ///
    /// The value is the stamp of the scope's clear, or nil if the scope has no clear.
    private var found: [Scope: Stamp?] = [:]

    /// The size of the filter in bits.
    ///
    /// With 10,000 clears, one in fifty scopes without a clear is looked up in vain.
    private static let bits: UInt64 = 1 << 17
    /// The number of clears from which every scope is looked up.
    ///
    /// Twice this number of clears would set almost every bit of the filter.
    static let countMost = 1 << 16
    /// The largest number of scopes in the cache.
    ///
    /// A small number suffices, because the items of one index share almost all of their scopes.
    private static let foundMost = 64

    /// Notes that a scope has a clear.
    mutating func recordScope(_ scope: Scope) {
        guard !scope.isEmpty else { return }
        depths.insert(scope.count)
        if filter.isEmpty { filter = [UInt64](repeating: 0, count: Int(Self.bits / 64)) }
        for bit in Self.places(of: scope) { filter[Int(bit / 64)] |= 1 << (bit % 64) }
    }

    /// Notes that every scope may have a clear.
    mutating func noteAll() {
        depths = Set(1...Scope.partsMost)
        filter = [UInt64](repeating: .max, count: Int(Self.bits / 64))
    }

    /// Empties the cache, because a clear was added or removed.
    mutating func forgetFound() { if !found.isEmpty { found = [:] } }

    /// Returns those of the scope and the scopes around it that may have a clear.
    func suspects(around scope: Scope) -> [Scope] {
        guard !depths.isEmpty else { return [] }
        return scope.outward(depths).filter { outer in
            Self.places(of: outer).allSatisfy { filter[Int($0 / 64)] & 1 << ($0 % 64) != 0 }
        }
    }

    /// Returns the cached stamp of a scope's clear, or `.some(nil)` if the scope is known to have no clear.
    ///
    /// Returns nil if the scope is not in the cache.
    func remembered(_ scope: Scope) -> Stamp?? { found[scope] }

    /// Caches the stamp of a scope's clear, or that the scope has no clear if `stamp` is nil.
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
