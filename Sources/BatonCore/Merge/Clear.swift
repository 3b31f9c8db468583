/// A write that deletes everything in a scope of its lane that is older than the write.
package struct Clear: Equatable, Sendable {
    package let scope: Scope
    package let stamp: Stamp

    package init(scope: Scope, stamp: Stamp) { (self.scope, self.stamp) = (scope, stamp) }

    /// Whether the clear ends content in the scope `other`; `begun` is the stamp with which the content began.
    ///
    /// No clear ends records that have an empty scope. A clear of the empty scope clears nothing.
    package func covers(_ other: Scope, _ begun: Stamp) -> Bool {
        !scope.isEmpty && stamp > begun && other.isWithin(scope)
    }
}

/// A collection of clears of one lane, against which writes are checked.
///
/// A member of the account may make any number of clears. So this collection has only the clears whose sweep is not
/// finished. The store is asked about all other clears.
package struct Clears: Equatable, Sendable {
    private var stamps: [Scope: Stamp] = [:]
    /// The numbers of parts that the scopes of the clears have; only scopes with these numbers are looked up.
    private var counts: Set<Int> = []

    package init() {}

    package var isEmpty: Bool { stamps.isEmpty }

    /// Adds a clear.
    ///
    /// If two clears have the same scope, the one with the larger stamp is kept. The records of clears merge in the
    /// same way.
    package mutating func add(_ clear: Clear) {
        guard stamps[clear.scope].map({ $0 < clear.stamp }) ?? true else { return }
        stamps[clear.scope] = clear.stamp
        counts.insert(clear.scope.count)
    }

    /// Removes a clear, because its record was removed.
    package mutating func remove(_ clear: Clear) {
        if stamps[clear.scope] == clear.stamp { stamps[clear.scope] = nil }
    }

    /// Returns the part of an arriving write that the clears leave.
    ///
    /// If a clear covers the write, a full write becomes a tombstone, and nothing is left of a counter.
    package func remains(of write: Write) -> Write? {
        guard let (scope, begun) = write.clearable, covers(scope, begun) else { return write }
        return write.cleared
    }

    /// Whether a clear ends content of a scope; `begun` is the stamp with which the content began.
    package func covers(_ scope: Scope, _ begun: Stamp) -> Bool {
        latest(covering: scope).map { $0 > begun } ?? false
    }

    /// Returns the largest stamp among the clears that cover a scope.
    package func latest(covering scope: Scope) -> Stamp? {
        stamps.isEmpty ? nil : scope.outward(counts).compactMap { stamps[$0] }.max()
    }
}

/// The effect of a clear on a write that arrives later than the clear.
///
/// The result is the same as if the write had arrived first.
extension Write {
    /// The scope of this write, and the stamp with which its content began; nil if no clear can end the content.
    package var clearable: (scope: Scope, begun: Stamp)? {
        guard !identity.kind.isPermanent else { return nil }
        switch action {
        case .deletion, .partial: return nil
        case .full(let content): return (content.scope, stamp)
        case .count(let begun, let content): return (content.scope, begun)
        }
    }

    /// The part of this write that a clear leaves: a tombstone of a full write, and nil for a counter.
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
            // Only a newer version understands this name. The record is kept, but it clears nothing here.
            return nil
        }
    }
}
