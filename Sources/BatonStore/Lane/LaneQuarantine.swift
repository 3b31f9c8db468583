import BatonCore

/// Keeps unreadable writes in quarantine until they arrive in a readable form or no longer have any effect.
final class LaneQuarantine: LanePart {
    /// Quarantines the unreadable writes of a transaction, and releases the quarantined writes that are no longer
    /// needed.
    ///
    /// A quarantined write is released if it has arrived in a readable form, or if the sender of a range knows the
    /// write and no longer has it.
    func quarantine(
        _ arriving: StoreTransaction, _ commit: inout StoreCommit
    ) throws(StoreFailure) {
        for write in arriving.writes where transaction.state.quarantine.contains(write.dot) {
            try release(write.dot, &commit)
        }
        if let range = arriving.range {
            for write in transaction.state.quarantine.sorted
            where range.resolves(write, sent: arriving.quarantined) {
                try release(write.dot, &commit)
            }
        }
        for write in arriving.quarantined
        where !transaction.state.quarantine.contains(write.dot)
            && !transaction.state.claims.complete.covers(write.dot)
        {
            guard try !isHere(write) else { continue }
            guard transaction.state.quarantine.count < Limits.quarantinedWrites else {
                throw StoreFailure(
                    .unreadable,
                    "more than \(Limits.quarantinedWrites) records can't be read: \(write.reason)")
            }
            transaction.state.quarantine.add(write)
            try tables.quarantine.keep(write)
            commit.quarantined.append(write)
        }
    }

    /// Releases quarantined writes that no longer have any effect, because one of these records has overwritten them.
    func releaseOverwritten(in records: [Record], _ commit: inout StoreCommit) throws(StoreFailure) {
        for write in transaction.state.quarantine.overwritten(in: records) {
            try release(write.dot, &commit)
        }
        commit.resolved.sort()
    }

    private func release(_ dot: Dot, _ commit: inout StoreCommit) throws(StoreFailure) {
        transaction.state.quarantine.remove(dot)
        try tables.quarantine.remove(dot)
        commit.resolved.append(dot)
    }

    /// Whether an unreadable write was overwritten, or has arrived from another peer in a readable form.
    private func isHere(_ write: QuarantinedWrite) throws(StoreFailure) -> Bool {
        guard let identity = write.identity, let stored = try records.stored(identity) else { return false }
        return write.isOverwritten(in: stored.record)
            || stored.writes.contains { $0.write.dot == write.dot }
    }
}
