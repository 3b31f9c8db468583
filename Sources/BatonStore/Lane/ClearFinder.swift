import BatonCore

/// Finds the clears of a lane that end arriving writes.
///
/// Clears are records, and an app or a peer may make any number of them. So not all of them are in memory; they are
/// looked up by a write's scope and the few scopes around it.
final class ClearFinder: LanePart {
    /// Records the scopes of all clears; with more than `ClearedScopes.countMost` clears, every scope is looked up
    /// instead.
    func load() throws(StoreFailure) {
        var count = 0
        try tables.records.visitClears { (clear) in
            transaction.state.clears.scopes.recordScope(clear.scope)
            count += 1
            return count < ClearedScopes.countMost
        }
        if count == ClearedScopes.countMost { transaction.state.clears.scopes.noteAll() }
    }

    /// Returns what clears leave of an arriving write: a tombstone for a full write, nil for a counter.
    func remains(of write: Write) throws(StoreFailure) -> Write? {
        guard let (scope, begun) = write.clearable, let latest = try latest(covering: scope), latest > begun
        else { return write }
        return write.cleared
    }

    /// Returns the largest stamp among the clears that cover a scope.
    func latest(covering scope: Scope) throws(StoreFailure) -> Stamp? {
        var latest: Stamp?
        for outer in transaction.state.clears.scopes.suspects(around: scope) {
            guard let stamp = try stamp(of: outer) else { continue }
            latest = max(latest ?? stamp, stamp)
        }
        return latest
    }

    /// Returns the stamp of the clear of exactly this scope; nil if there is none.
    private func stamp(of scope: Scope) throws(StoreFailure) -> Stamp? {
        if let stamp = transaction.state.clears.scopes.remembered(scope) { return stamp }
        let identity = scope.clearKey(in: tables.rows.lane).identity
        let stamp = try records.stored(identity)?.record.clear?.stamp
        transaction.state.clears.scopes.remember(stamp, of: scope)
        return stamp
    }
}
