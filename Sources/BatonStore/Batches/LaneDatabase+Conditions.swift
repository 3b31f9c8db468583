import BatonCore

/// Whether what an app wrote may be kept.
extension LaneDatabase {
    /// Why a transaction of this device is not kept; nothing if it is.
    func refusal(of transaction: StoreTransaction) throws(StoreFailure) -> IndexRefusal? {
        guard let condition = transaction.condition else { return nil }
        if let expected = condition.state {
            let state = try shownState(expected.name.key.identity)?.state.state
            if state != expected.state { return .otherState(state) }
        }
        guard let quota = condition.quota else { return nil }
        var usage = try usage(of: quota.app)
        var added = try incoming(transaction)
        guard usage.items + added.items > quota.items || usage.bytes + added.bytes > quota.bytes else {
            return nil
        }
        // Only here it matters how much of that takes the place of what is there, and what clears have left.
        try atomically { () throws(StoreFailure) in
            while hasPending { _ = try settle(most: recordsAtOnce + 1) }
        }
        usage = try self.usage(of: quota.app)
        added += try replaced(by: transaction)
        let total = (items: usage.items + added.items, bytes: usage.bytes + added.bytes)
        // A change that makes it no more is never refused, so that an app that has too much can mend it. An item that
        // one batch writes twice counts twice.
        guard added.items > 0 && total.items > quota.items || added.bytes > 0 && total.bytes > quota.bytes
        else { return nil }
        return .quota(items: total.items, bytes: total.bytes)
    }

    /// How many items a transaction writes in full, and their bytes.
    private func incoming(_ transaction: StoreTransaction) throws(StoreFailure) -> AppUsage.Amount {
        var amount = AppUsage.Amount()
        for write in transaction.writes {
            guard write.identity.kind == .item, case .full(let content) = write.action else { continue }
            amount += AppUsage.Amount(items: 1, bytes: content.encodedCount)
        }
        for late in transaction.late {
            if case .update(_, _, let fields) = late.action { amount.bytes += fields.encodedCount }
        }
        if let batch = transaction.batch, let open = progress.staging[batch.identifier] {
            amount += AppUsage.Amount(items: open.items, bytes: open.bytes)
        }
        return amount
    }

    /// What goes with the items that a transaction writes in full or deletes, as less.
    private func replaced(by transaction: StoreTransaction) throws(StoreFailure) -> AppUsage.Amount {
        var identities = Set(transaction.writes.map(\.identity).filter { $0.kind == .item })
        if let batch = transaction.batch, let open = progress.staging[batch.identifier] {
            let staged = StagedNumber.all(of: open.number)
            try connection.statement(
                """
                SELECT DISTINCT staged.hash FROM staged JOIN records
                ON records.kind = staged.kind AND records.hash = staged.hash
                WHERE staged.number >= ? AND staged.number < ? AND staged.kind = ?
                """
            ).rows(
                [
                    .integer(staged.lowerBound), .integer(staged.upperBound),
                    .integer(RecordKind.item.rawValue),
                ]
            ) { (row) throws(StoreFailure) in
                guard let hash = KeyHash(bytes: row.blob(0)) else { throw damaged(.outOfRange) }
                identities.insert(RecordIdentity(kind: .item, hash: hash))
                return true
            }
        }
        var amount = AppUsage.Amount()
        for identity in identities {
            guard let content = try storedRecord(identity)?.raw.content else { continue }
            amount += AppUsage.Amount(items: -1, bytes: -content.encodedCount)
        }
        return amount
    }
}
