#if MISTAKES
    import BatonCore
    import Support

    /// The behaviour of a node with those `Faults` that are a driver's.
    extension SimulatedNode {
        /// Deletes for everyone what has expired by the clock here, although no person asked for it.
        func sweep(_ records: [Record], _ lane: Lane) {
            let expired = records.filter { record in
                record.isThere && !record.identity.kind.isPermanent
                    && record.expiration.map { $0 <= wallTime } ?? false
            }
            let drafts = expired.compactMap { $0.key.map { Journal.Draft(.deletion, $0) } }
            guard isUp, !drafts.isEmpty else { return }
            write(Work.OwnWrite(isBatch: false, seen: known, isSwept: true) { _ in }) { journal in
                journal.transaction(lane, drafts, now: wallTime)
            }
        }

        /// Acknowledges a write before it is known to be stored.
        func acknowledge(_ transaction: StoreTransaction) {
            for write in transaction.writes {
                world.noteWritten(
                    Ledger.Entry(write: write, author: number, at: world.now, seen: known), at: self)
            }
            world.ledger.acknowledge(transaction.writes)
        }
    }
#endif
