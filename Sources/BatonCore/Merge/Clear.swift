/// A write that deletes many records: everything of its lane that lies in a scope and is older.
package struct Clear: Equatable, Sendable {
    package let scope: Scope
    package let stamp: Stamp

    package init(scope: Scope, stamp: Stamp) { (self.scope, self.stamp) = (scope, stamp) }

    /// Whether the clear ends something in that scope that began with that stamp.
    ///
    /// Records with an empty scope can't be cleared, and a clear of the empty scope clears nothing.
    package func covers(_ other: Scope, _ begun: Stamp) -> Bool {
        !scope.isEmpty && stamp > begun && other.isWithin(scope)
    }
}

/// Some clears of a lane, to check writes against.
///
/// A member of the account may make any number of clears, so only few are held in this way: those whose sweep has not
/// finished. All others are looked up in a store.
package struct Clears: Equatable, Sendable {
    private var stamps: [Scope: Stamp] = [:]
    /// The numbers of parts that the clears' scopes have; only scopes of these depths are looked up.
    private var counts: Set<Int> = []

    package init() {}

    package var isEmpty: Bool { stamps.isEmpty }

    /// Adds a clear; the one with the larger stamp wins, as it does in the clear's record.
    package mutating func add(_ clear: Clear) {
        guard stamps[clear.scope].map({ $0 < clear.stamp }) ?? true else { return }
        stamps[clear.scope] = clear.stamp
        counts.insert(clear.scope.count)
    }

    /// Removes a clear whose record is gone.
    package mutating func remove(_ clear: Clear) {
        if stamps[clear.scope] == clear.stamp { stamps[clear.scope] = nil }
    }

    /// Returns what the clears leave of an arriving write: a tombstone of a full write, nil for a counter.
    package func remains(of write: Write) -> Write? {
        guard let (scope, begun) = write.clearable, covers(scope, begun) else { return write }
        return write.cleared
    }

    /// Whether one of the clears ends something in that scope that began with that stamp.
    package func covers(_ scope: Scope, _ begun: Stamp) -> Bool {
        latest(covering: scope).map { $0 > begun } ?? false
    }

    /// Returns the largest stamp among the clears that cover a scope.
    package func latest(covering scope: Scope) -> Stamp? {
        stamps.isEmpty ? nil : scope.outward(counts).compactMap { stamps[$0] }.max()
    }
}

/// The effect of a clear on an arriving write that it covers, so that the order in which the two arrive makes no
/// difference.
extension Write {
    /// The scope in which a clear ends what this write writes, and the stamp with which that began; nil if no clear does.
    package var clearable: (scope: Scope, begun: Stamp)? {
        guard !identity.kind.isPermanent else { return nil }
        switch action {
        case .deletion, .partial: return nil
        case .full(let content): return (content.scope, stamp)
        case .count(let begun, let content): return (content.scope, begun)
        }
    }

    /// The rest that a clear leaves of this write: a tombstone of a full write, nil for a counter.
    package var cleared: Write? {
        guard isFull else { return nil }
        return Write(deleting: identity, dot: dot, stamp: stamp)
    }
}

extension Write {
    /// The clear that this write makes; nil if it makes none.
    package var clear: Clear? {
        guard identity.kind.isClear else { return nil }
        var record = Record(identity)
        return record.merge(self) ? record.clear : nil
    }
}

extension Record {
    /// The clear that this record is; nil if it is none.
    package var clear: Clear? {
        guard identity.kind.isClear, isThere, let key else { return nil }
        do throws(CBORError) {
            return Clear(scope: try Scope(clear: key), stamp: incarnation)
        } catch {
            // A newer version gave this name a meaning; the record is kept, and clears nothing here.
            return nil
        }
    }
}
