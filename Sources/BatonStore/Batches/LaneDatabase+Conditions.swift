import BatonCore

/// Whether what an app wrote may be kept.
extension LaneDatabase {
    /// Why a transaction of this device is not kept; nil if it is.
    ///
    /// To know what an app has, the store may have to finish batches and clears first; `settled` gets what that did.
    func refusal(
        of transaction: StoreTransaction, settling settled: inout StoreCommit?
    ) throws(StoreFailure) -> IndexRefusal? {
        guard let condition = transaction.condition else { return nil }
        if let expected = condition.state {
            let state = try shownState(expected.name.key.identity)?.state.state
            if state != expected.state { return .otherState(state) }
        }
        guard let quota = condition.quota else { return nil }
        if progress.counted == nil {
            var most = try usage(of: quota.app)
            most += try incoming(transaction)
            for pending in progress.pending { most += pending.written }
            if most.items <= quota.items, most.bytes <= quota.bytes { return nil }
        }
        // Only here does it matter how much of that replaces what is there, and what clears have yet to remove.
        while hasPending {
            let step = try settle(most: recordsAtOnce + 1)
            settled = settled.map(step.after) ?? step
        }
        let added = try change(by: transaction)
        var total = try usage(of: quota.app)
        total += added
        // A change that makes it no more is never refused, so that an app that has too much can mend it.
        guard added.items > 0 && total.items > quota.items || added.bytes > 0 && total.bytes > quota.bytes
        else { return nil }
        return .quota(items: total.items, bytes: total.bytes)
    }

    /// The most that a transaction can add: all items that it writes in full, and all that updates write.
    private func incoming(_ transaction: StoreTransaction) throws(StoreFailure) -> AppUsage.Amount {
        var amount = AppUsage.Amount()
        for write in transaction.writes {
            guard write.identity.kind == .item, case .full(let content) = write.action else { continue }
            amount += AppUsage.Amount(items: 1, bytes: content.encodedCount)
        }
        amount.bytes += transaction.updateBytes
        if let batch = transaction.batch, let open = progress.staging[batch.identifier] {
            amount += open.written
        }
        return amount
    }

    /// By how much an app's items become more or fewer with a transaction.
    ///
    /// It may write an item again and again, or clear its index first. Fields that updates write are counted as new.
    private func change(by transaction: StoreTransaction) throws(StoreFailure) -> AppUsage.Amount {
        var change = UsageChange()
        if let batch = transaction.batch, let open = progress.staging[batch.identifier] {
            let numbers = StagedNumber.all(of: open.number)
            try visitStaged(numbers) { (place, draft) throws(StoreFailure) in
                let (dot, stamp) = batch.name(at: place)
                if let write = draft.write(dot, at: stamp) { try note(write, in: &change) }
            }
        }
        for write in transaction.writes { try note(write, in: &change) }
        var amount = change.amount
        amount.bytes += transaction.updateBytes
        return amount
    }

    private func note(_ write: Write, in change: inout UsageChange) throws(StoreFailure) {
        if let scope = write.clear?.scope {
            for record in try items(in: scope) { change.noteStanding(record.content, record.identity) }
            change.clear(scope)
        } else if write.identity.kind == .item {
            if !change.knows(write.identity) {
                change.noteStanding(try storedRecord(write.identity)?.raw.content, write.identity)
            }
            change.note(write)
        }
    }

    /// The items that a clear of a scope ends.
    private func items(in scope: Scope) throws(StoreFailure) -> [Record] {
        let (numbers, _) = try records(in: scope, after: (scope.encoded, -1), most: .max)
        var items: [Record] = []
        for number in Set(numbers) {
            guard let record = try storedRecord(number: number)?.raw, record.identity.kind == .item,
                record.content?.scope.isWithin(scope) ?? false
            else { continue }
            items.append(record)
        }
        return items
    }
}

/// How items change, write by write; the change is counted before any of it is made.
private struct UsageChange {
    private var items: [RecordIdentity: (before: Write.Content?, after: Write.Content?)] = [:]

    /// How many items, and how many of their bytes, all writes together add.
    var amount: AppUsage.Amount {
        var amount = AppUsage.Amount()
        for (before, after) in items.values {
            if let after { amount += AppUsage.Amount(items: 1, bytes: after.encodedCount) }
            if let before { amount += AppUsage.Amount(items: -1, bytes: -before.encodedCount) }
        }
        return amount
    }

    func knows(_ identity: RecordIdentity) -> Bool { items[identity] != nil }

    /// Takes note of what stands, unless it is known already.
    mutating func noteStanding(_ content: Write.Content?, _ identity: RecordIdentity) {
        if !knows(identity) { items[identity] = (content, content) }
    }

    mutating func note(_ write: Write) {
        switch write.action {
        case .full(let content): items[write.identity]?.after = content
        case .deletion: items[write.identity]?.after = nil
        case .partial, .count: break
        }
    }

    mutating func clear(_ scope: Scope) {
        for (identity, item) in items where item.after?.scope.isWithin(scope) ?? false {
            items[identity]?.after = nil
        }
    }
}

extension StoreTransaction {
    /// How many bytes the fields have that its updates write.
    fileprivate var updateBytes: Int {
        late.reduce(0) { sum, late in
            guard case .update(_, _, let fields) = late.action else { return sum }
            return sum + fields.encodedCount
        }
    }
}
