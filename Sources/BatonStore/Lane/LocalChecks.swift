import BatonCore

/// Checks a transaction of this device before the transaction is merged.
///
/// It decides whether the transaction is refused, and which of its writes will have no effect.
final class LocalChecks {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let clears: ClearFinder
    private let usage: UsageCounter
    private let states: StateJudge

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader,
        clears: ClearFinder, usage: UsageCounter, states: StateJudge
    ) {
        (self.tables, self.transaction, self.records) = (tables, transaction, records)
        (self.clears, self.usage, self.states) = (clears, usage, states)
    }

    // MARK: Refusals

    /// Returns the reason why a transaction of this device is refused; nil if it is accepted.
    ///
    /// The closure finishes all batches and clears. This may be necessary to know how much an app has.
    func refusal(
        of own: StoreTransaction, settleAll: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> IndexRefusal? {
        guard let condition = own.condition else { return nil }
        if let mark = condition.mark,
            mark.isSaved(by: try tables.notes.note(in: .batchMark, named: mark.writer))
        {
            return .savedBefore
        }
        if let expected = condition.state {
            let state = try states.shownState(expected.name.key.identity)?.state.state
            if state != expected.state { return .otherState(state) }
        }
        guard let quota = condition.quota else { return nil }
        if transaction.state.usage.counted == nil {
            var most = try usage.amount(of: quota.app)
            most += try mostIncoming(own)
            for pending in transaction.state.batches.pending { most += pending.written }
            if most.items <= quota.items, most.bytes <= quota.bytes, most.clears <= quota.clears {
                return nil
            }
        }
        // From here on, the result depends on what the transaction replaces and on what unfinished clears will remove.
        try settleAll()
        let added = try change(by: own)
        var total = try usage.amount(of: quota.app)
        total += added
        // A change that adds nothing is never refused. Otherwise, an app that has too much could not remove anything.
        if added.clears > 0, total.clears > quota.clears { return .clears(total.clears) }
        guard added.items > 0 && total.items > quota.items || added.bytes > 0 && total.bytes > quota.bytes
        else { return nil }
        return .quota(items: total.items, bytes: total.bytes)
    }

    /// Returns an upper limit of what a transaction adds.
    ///
    /// It counts all items that the transaction writes in full, all fields of its updates, and all clears.
    private func mostIncoming(_ own: StoreTransaction) throws(StoreFailure) -> AppUsage.Amount {
        var amount = AppUsage.Amount()
        for write in own.writes {
            if write.identity.kind.isClear { amount.clears += 1 }
            guard write.identity.kind == .item, case .full(let content) = write.action else { continue }
            amount += AppUsage.Amount(items: 1, bytes: content.encodedCount)
        }
        amount.bytes += own.updateBytes
        if let open = openBatch(of: own) {
            amount += open.written
            amount.clears += try tables.batches.clearCount(of: open.number)
        }
        return amount
    }

    /// Returns the amount by which a transaction changes what an app has.
    ///
    /// The transaction may write an item several times, or first clear the index of the app. All fields of updates are
    /// counted as if they were new.
    private func change(by own: StoreTransaction) throws(StoreFailure) -> AppUsage.Amount {
        var change = UsageChange(most: try mostIncoming(own))
        if let batch = own.batch, let open = openBatch(of: own) {
            try tables.batches.visit(StagedNumber.all(of: open.number)) {
                (place, draft) throws(StoreFailure) in
                let (dot, stamp) = batch.name(at: place)
                if let write = draft.write(dot, at: stamp) { try countWrite(write, in: &change) }
            }
        }
        for write in own.writes { try countWrite(write, in: &change) }
        var amount = change.amount
        amount.bytes += own.updateBytes
        return amount
    }

    private func countWrite(_ write: Write, in change: inout UsageChange) throws(StoreFailure) {
        if let scope = write.clear?.scope {
            try noteEnded(by: scope, in: &change)
            change.clear(scope)
            if try records.stored(write.identity) == nil { change.noteNewClear(write.identity) }
        } else if write.identity.kind == .item {
            if !change.knows(write.identity) {
                change.noteStanding(try records.stored(write.identity)?.raw.content, write.identity)
            }
            change.countWrite(write)
        }
    }

    /// Counts the items that a clear of a scope ends.
    ///
    /// The count stops once these items make room for everything that the transaction can add.
    ///
    /// The scope may have any number of items. Since each item has at least one byte, this limits the number of items
    /// that are read.
    private func noteEnded(by scope: Scope, in change: inout UsageChange) throws(StoreFailure) {
        var place: WriteTable.ScopePlace? = (scope.encoded, 0)
        while let after = place, change.mayAdd {
            let (numbers, last) = try tables.writes.records(
                in: scope, after: after, most: Self.lookedUpAtOnce)
            for number in numbers where change.mayAdd {
                guard let record = try records.stored(number: number)?.raw, record.identity.kind == .item,
                    let content = record.content, content.scope.isWithin(scope)
                else { continue }
                change.noteEnded(content, record.identity)
            }
            place = last
        }
    }

    /// The number of records of a scope that are looked up at once.
    private static let lookedUpAtOnce = 100

    /// Returns the notes to be stored so that the batch is recognized if the app sends it again.
    func notes(of own: StoreTransaction) throws(StoreFailure) -> [LocalNote] {
        guard let mark = own.condition?.mark else { return [] }
        let standing = try tables.notes.note(in: .batchMark, named: mark.writer)
        return mark.notes(
            beside: standing == nil ? try tables.notes.notes(in: .batchMark) : nil, replacing: standing)
    }

    private func openBatch(of own: StoreTransaction) -> OpenBatch? {
        own.batch.flatMap { transaction.state.batches.open[$0.identifier] }
    }

    // MARK: Writes that don't count

    /// Returns the records in which the writes of this device's transaction have no effect.
    ///
    /// This happens if the existing write has an unbelieved time (`HybridTime.isUnbelieved`).
    ///
    /// Such a time arrives rarely. Before the first one has arrived, nothing is looked up.
    func outranked(by own: StoreTransaction) throws(StoreFailure) -> [RecordIdentity] {
        guard transaction.state.hasUnbelievedTime, own.isNamedHere else { return [] }
        var found: [RecordIdentity] = []
        for write in own.newWrites where try isOutranked(write) { found.append(write.identity) }
        guard let batch = own.batch, let open = openBatch(of: own) else { return found }
        // Reads at least one draft at a time, even if `recordsAtOnce` is zero.
        let most = transaction.recordsAtOnce + 1
        for start in stride(from: 0, to: open.count, by: most) {
            let places = start..<min(start + most, open.count)
            for (place, draft) in try tables.batches.drafts(StagedNumber.range(open.number, places)) {
                guard let write = batch.newWrite(draft, at: place), try isOutranked(write) else { continue }
                found.append(write.identity)
            }
        }
        return found
    }

    private func isOutranked(_ write: NewWrite) throws(StoreFailure) -> Bool {
        if case .clear(let clear) = write.effect { return try leavesSurvivors(write, in: clear.scope) }
        var cleared: Stamp?
        if let scope = write.scope { cleared = try clears.latest(covering: scope) }
        return write.isOutranked(by: try records.stored(write.identity)?.record, clearedAt: cleared)
    }

    /// Whether something in the scope of a clear will survive the clear.
    private func leavesSurvivors(_ clear: NewWrite, in scope: Scope) throws(StoreFailure) -> Bool {
        var hasSurvivors = false
        let unswept = transaction.state.clears.unswept
        try tables.writes.visitUnbelieved(in: scope) { (place, begun) in
            hasSurvivors = clear.isSurvived(by: place, begun: begun) && !unswept.covers(place, begun)
            return !hasSurvivors
        }
        return hasSurvivors
    }
}

/// The change of what an app has, which is computed write by write before any write is merged.
private struct UsageChange {
    /// For each item, its number of bytes before the change, and its content after the change.
    ///
    /// `before` is nil if the item did not exist, and `after` is nil if the item no longer exists.
    private var items: [RecordIdentity: (before: Int?, after: Write.Content?)] = [:]
    /// The clears of scopes that have no clear in the store.
    ///
    /// A transaction has few of them.
    private var newClears: Set<RecordIdentity> = []
    /// An upper limit of what all writes together add.
    private let most: AppUsage.Amount
    /// The number and the bytes of the existing items that the clears end.
    private var ended = AppUsage.Amount()

    init(most: AppUsage.Amount) { self.most = most }

    /// Whether the writes may add more than the clears remove.
    ///
    /// If not, the remaining items that the clears end need not be counted, because a change that adds nothing is never
    /// refused.
    var mayAdd: Bool { ended.items < most.items || ended.bytes < most.bytes }

    /// The numbers of items, of bytes of items, and of clears that all writes together add.
    var amount: AppUsage.Amount {
        var amount = AppUsage.Amount(clears: newClears.count)
        for (before, after) in items.values {
            if let after { amount += AppUsage.Amount(items: 1, bytes: after.encodedCount) }
            if let before { amount += AppUsage.Amount(items: -1, bytes: -before) }
        }
        return amount
    }

    func knows(_ identity: RecordIdentity) -> Bool { items[identity] != nil }

    /// Records the stored content of an item before the change, unless the item was recorded already.
    mutating func noteStanding(_ content: Write.Content?, _ identity: RecordIdentity) {
        if !knows(identity) { items[identity] = (content?.encodedCount, content) }
    }

    /// Records a stored item that a clear ends, unless the item was recorded already.
    mutating func noteEnded(_ content: Write.Content, _ identity: RecordIdentity) {
        guard !knows(identity) else { return }
        let bytes = content.encodedCount
        items[identity] = (bytes, nil)
        ended += AppUsage.Amount(items: 1, bytes: bytes)
    }

    /// Records a clear of a scope that has no clear yet.
    mutating func noteNewClear(_ identity: RecordIdentity) { newClears.insert(identity) }

    mutating func countWrite(_ write: Write) {
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
    /// The number of bytes of the fields in the transaction's updates.
    fileprivate var updateBytes: Int {
        late.reduce(0) { sum, late in
            guard case .update(_, _, let fields) = late.action else { return sum }
            return sum + fields.encodedCount
        }
    }
}
