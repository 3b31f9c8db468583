import BatonCore

/// Batches, all of which stay in memory and are merged when they end.
extension InMemoryStore {
    /// Returns the refusal of a transaction whose condition does not hold, or nil.
    func refusal(of transaction: StoreTransaction) -> IndexRefusal? {
        guard let condition = transaction.condition else { return nil }
        if let mark = condition.mark,
            mark.isSaved(by: notes(in: .batchMark).first { $0.name == mark.writer })
        {
            return .savedBefore
        }
        if let expected = condition.state {
            let state = shownState(of: expected.name)?.state.state
            if state != expected.state { return .otherState(state) }
        }
        guard let quota = condition.quota else { return nil }
        let scope = Scope.app(quota.app)
        let cleared = Set(records(of: .indexClear).compactMap { $0.clear?.scope })
        let newlyCleared = Set(writes(of: transaction).compactMap { $0.clear?.scope }).subtracting(cleared)
        let allCleared = cleared.count { $0.isWithin(scope) } + newlyCleared.count
        if !newlyCleared.isEmpty, allCleared > quota.clears { return .clears(allCleared) }
        let here = records(of: .item).filter { $0.content?.scope.isWithin(scope) ?? false }
        let (before, after) = contents(after: transaction)
        let items = after.count - before.count
        let bytes = total(after) - total(before) + transaction.updateBytes
        let (allItems, allBytes) = (here.count + items, total(here.compactMap(\.content)) + bytes)
        guard items > 0 && allItems > quota.items || bytes > 0 && allBytes > quota.bytes else { return nil }
        return .quota(items: allItems, bytes: allBytes)
    }

    /// Returns the writes of a transaction, first those of the batch that it ends.
    private func writes(of transaction: StoreTransaction) -> [Write] {
        let batch = transaction.batch
        let staged = batch.flatMap { state.index.staged[$0.identifier] } ?? []
        let writes = staged.enumerated().compactMap { place, draft in
            batch.map { $0.name(at: place) }.flatMap { draft.write($0.dot, at: $0.stamp) }
        }
        return writes + transaction.writes
    }

    private func total(_ contents: [Write.Content]) -> Int { contents.reduce(0) { $0 + $1.encodedCount } }

    /// Returns the items that a transaction concerns, as they are and as they will be.
    private func contents(
        after transaction: StoreTransaction
    ) -> (before: [Write.Content], after: [Write.Content]) {
        var before: [RecordIdentity: Write.Content] = [:]
        for record in records(of: .item) where record.isThere { before[record.identity] = record.content }
        var after = before
        for write in writes(of: transaction) {
            if let scope = write.clear?.scope { after = after.filter { !$0.value.scope.isWithin(scope) } }
            switch (write.identity.kind, write.action) {
            case (.item, .full(let content)): after[write.identity] = content
            case (.item, .deletion): after[write.identity] = nil
            default: break
            }
        }
        return (Array(before.values), Array(after.values))
    }
}

extension StoreTransaction {
    fileprivate var updateBytes: Int {
        late.reduce(0) { sum, late in
            guard case .update(_, _, let fields) = late.action else { return sum }
            return sum + fields.encodedCount
        }
    }
}
