import BatonCore

/// Finds the clears of a lane that end an arriving write.
///
/// Clears are records, and an app or a peer may make any number of them. So clears are not all kept in memory. Instead,
/// the database is asked for clears of the write's scope and of the few scopes around it.
final class ClearFinder: LanePart {
    /// Records the scopes of all clears in memory.
    ///
    /// If there are `ClearedScopes.countMost` clears or more, every scope is looked up in the database instead.
    func load() throws(StoreFailure) {
        var count = 0
        try tables.records.visitClears { (clear) in
            transaction.state.clears.scopes.recordScope(clear.scope)
            count += 1
            return count < ClearedScopes.countMost
        }
        if count == ClearedScopes.countMost { transaction.state.clears.scopes.noteAll() }
    }

    /// Returns the part of an arriving write that the clears leave.
    ///
    /// A clear leaves a tombstone of a full write, and nothing (nil) of a counter.
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
