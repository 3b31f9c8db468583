import BatonCore

/// Keeps the writes that can't be read, until they come in a readable form or have no effect any more.
final class LaneQuarantine: LanePart {
    /// Quarantines the unreadable writes that are not here, and releases those that have arrived in a readable form, or
    /// that the sender of a range knows and does not have.
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

    /// Releases quarantined writes that have no effect any more, because these records have been overwritten.
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

    /// Whether the write came from another peer in a form that can be read, or was overwritten.
    private func isHere(_ write: QuarantinedWrite) throws(StoreFailure) -> Bool {
        guard let identity = write.identity, let stored = try records.stored(identity) else { return false }
        return write.isOverwritten(in: stored.record)
            || stored.writes.contains { $0.write.dot == write.dot }
    }
}
