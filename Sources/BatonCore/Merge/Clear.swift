/// A write that deletes many records: everything of its lane that lies in a scope and is older.
package struct Clear: Equatable, Sendable {
    package let scope: Scope
    package let stamp: Stamp

    package init(scope: Scope, stamp: Stamp) { (self.scope, self.stamp) = (scope, stamp) }

    /// Whether the clear ends content in the scope `other` that began with the stamp `begun`.
    ///
    /// Records with an empty scope can't be cleared, and a clear of the empty scope clears nothing.
    package func covers(_ other: Scope, _ begun: Stamp) -> Bool {
        !scope.isEmpty && stamp > begun && other.isWithin(scope)
    }
}

/// Some clears of a lane, to check writes against.
///
/// A member of the account may make any number of clears, so only the clears whose sweep has not finished are kept
/// here. All others are looked up in a store.
package struct Clears: Equatable, Sendable {
    private var stamps: [Scope: Stamp] = [:]
    /// The depths (numbers of parts) of the clears' scopes; only scopes of these depths are looked up.
    private var counts: Set<Int> = []

    package init() {}

    package var isEmpty: Bool { stamps.isEmpty }

    /// Adds a clear; of two clears of one scope the larger stamp wins, as it does in their record.
    package mutating func add(_ clear: Clear) {
        guard stamps[clear.scope].map({ $0 < clear.stamp }) ?? true else { return }
        stamps[clear.scope] = clear.stamp
        counts.insert(clear.scope.count)
    }

    /// Removes a clear whose record was removed.
    package mutating func remove(_ clear: Clear) {
        if stamps[clear.scope] == clear.stamp { stamps[clear.scope] = nil }
    }

    /// Returns what the clears leave of an arriving write: a tombstone of a full write, nil for a counter.
    package func remains(of write: Write) -> Write? {
        guard let (scope, begun) = write.clearable, covers(scope, begun) else { return write }
        return write.cleared
    }

    /// Whether a clear ends content of a scope, if that content began with the stamp `begun`.
    package func covers(_ scope: Scope, _ begun: Stamp) -> Bool {
        latest(covering: scope).map { $0 > begun } ?? false
    }

    /// Returns the largest stamp among the clears that cover a scope.
    package func latest(covering scope: Scope) -> Stamp? {
        stamps.isEmpty ? nil : scope.outward(counts).compactMap { stamps[$0] }.max()
    }
}

/// The effect of a clear on a covered write that arrives later; it makes the order of the two irrelevant.
extension Write {
    /// The scope of this write for clears, and the stamp with which its content began; nil if no clear can end the
    /// content.
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
    /// The clear that this record stores; nil if it stores none.
    package var clear: Clear? {
        guard identity.kind.isClear, isThere, let key else { return nil }
        do throws(CBORError) {
            return Clear(scope: try Scope(clear: key), stamp: incarnation)
        } catch {
            // Only a newer version understands this name; the record is kept, and clears nothing here.
            return nil
        }
    }
}
