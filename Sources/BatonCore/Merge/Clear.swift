/// One write that deletes many: everything of its lane that belongs to a scope and is older.
package struct Clear: Equatable, Sendable {
    package let scope: Scope
    package let stamp: Stamp

    package init(scope: Scope, stamp: Stamp) { (self.scope, self.stamp) = (scope, stamp) }

    /// Whether it ends what was begun with that stamp and belongs to that scope.
    ///
    /// What belongs nowhere can't be cleared, and a clear of nowhere clears nothing.
    package func covers(_ other: Scope, _ begun: Stamp) -> Bool {
        #if DEBUG
            if Faults.isPlanted(.clearByPrefix), !scope.isEmpty, stamp > begun {
                return other.parts.joined(separator: ".").hasPrefix(scope.parts.joined(separator: "."))
            }
        #endif
        return !scope.isEmpty && stamp > begun && other.isWithin(scope)
    }
}

/// The clears that are known of a lane, to be asked about what arrives.
package struct Clears: Equatable, Sendable {
    private var stamps: [Scope: Stamp] = [:]
    /// How many parts their scopes have, so that only such are looked for.
    private var counts: Set<Int> = []

    package init() {}

    package var isEmpty: Bool { stamps.isEmpty }

    /// Takes note of a clear's record; the larger stamp wins, as it does in the record.
    package mutating func add(_ clear: Clear) {
        guard stamps[clear.scope].map({ $0 < clear.stamp }) ?? true else { return }
        stamps[clear.scope] = clear.stamp
        counts.insert(clear.scope.count)
    }

    /// Forgets a clear whose record is gone.
    package mutating func remove(_ clear: Clear) {
        if stamps[clear.scope] == clear.stamp { stamps[clear.scope] = nil }
    }

    /// What they leave of a write that arrives: of a full one the trace of a deletion, and nothing of a count.
    ///
    /// So it makes no difference whether a write or its clear comes first.
    package func remains(of write: Write) -> Write? {
        guard !write.identity.kind.isPermanent else { return write }
        #if DEBUG
            if Faults.isPlanted(.deleteAllLeavesState), write.identity.kind.isCheckpoint { return write }
            if Faults.isPlanted(.counterSurvivesClear), case .count = write.action { return write }
        #endif
        switch write.action {
        case .deletion, .partial: return write
        case .full(let content):
            guard covers(content.scope, write.stamp) else { return write }
            #if DEBUG
                if Faults.isPlanted(.clearWithoutTrace) { return nil }
            #endif
            return Write(deleting: write.identity, dot: write.dot, stamp: write.stamp)
        case .count(let begun, let content): return covers(content.scope, begun) ? nil : write
        }
    }

    /// Whether one of them ends what was begun with that stamp and belongs to that scope.
    package func covers(_ scope: Scope, _ begun: Stamp) -> Bool {
        latest(covering: scope).map { $0 > begun } ?? false
    }

    /// The largest stamp of those that cover a scope.
    func latest(covering scope: Scope) -> Stamp? {
        stamps.isEmpty ? nil : scope.outward(counts).compactMap { stamps[$0] }.max()
    }
}

extension Write {
    /// The clear that it makes, if it makes one.
    package var clear: Clear? {
        guard identity.kind.isClear else { return nil }
        var record = Record(identity)
        return record.merge(self) ? record.clear : nil
    }
}

extension Record {
    /// The clear that this record is, if it is one.
    package var clear: Clear? {
        guard identity.kind.isClear, isThere, let key else { return nil }
        do throws(CBORError) {
            return Clear(scope: try Scope(clear: key), stamp: incarnation)
        } catch {
            // A name that a newer version gave a meaning to; it is kept, and clears nothing here.
            return nil
        }
    }
}
