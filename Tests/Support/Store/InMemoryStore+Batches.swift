import BatonCore

/// Batches, all of which stay in memory and are merged when they end.
extension InMemoryStore {
    /// Why nothing of a transaction is kept, if its condition does not hold.
    func refusal(of transaction: StoreTransaction) -> IndexRefusal? {
        guard let condition = transaction.condition else { return nil }
        if let expected = condition.state {
            let state = shownState(of: expected.name)?.state.state
            if state != expected.state { return .otherState(state) }
        }
        guard let quota = condition.quota else { return nil }
        let scope = Scope.app(quota.app)
        let (items, bytes) = amount(records(of: .item).filter { $0.content?.scope.isWithin(scope) ?? false })
        let added = incoming(transaction)
        let replaced = amount(added.map(\.identity).compactMap { records(with: $0) })
        let newItems = added.count - replaced.items
        let newBytes = added.reduce(0) { $0 + $1.bytes } - replaced.bytes
        let total = (items: items + newItems, bytes: bytes + newBytes)
        guard newItems > 0 && total.items > quota.items || newBytes > 0 && total.bytes > quota.bytes else {
            return nil
        }
        return .quota(items: total.items, bytes: total.bytes)
    }

    private func records(with identity: RecordIdentity) -> Record? {
        record(identity).flatMap { $0.isThere ? $0 : nil }
    }

    private func amount(_ records: [Record]) -> (items: Int, bytes: Int) {
        (records.count, records.reduce(0) { $0 + ($1.content?.encodedCount ?? 0) })
    }

    /// The items that are written in full.
    private func incoming(_ transaction: StoreTransaction) -> [(identity: RecordIdentity, bytes: Int)] {
        var incoming: [(RecordIdentity, Int)] = []
        for write in transaction.writes {
            guard write.identity.kind == .item, case .full(let content) = write.action else { continue }
            incoming.append((write.identity, content.encodedCount))
        }
        for draft in transaction.batch.flatMap({ state.index.staged[$0.identifier] }) ?? []
        where draft.key.kind == .item && draft.isFull {
            incoming.append((draft.key.identity, draft.encoded.count))
        }
        return incoming
    }
}
