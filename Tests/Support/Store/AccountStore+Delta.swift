package import BatonCore

extension AccountStore {
    /// What a peer lacks, which is within what the store can tell.
    package func delta(_ request: ChangesRequest) throws(StoreFailure) -> Changes {
        guard case .changes(let changes) = try changes(request) else {
            throw StoreFailure(.failed, "a snapshot is needed")
        }
        return changes
    }
}

extension InMemoryStore {
    /// Takes what can't be refused.
    @discardableResult
    package func keep(_ transaction: StoreTransaction) -> StoreCommit? {
        do throws(StoreFailure) { return try commit(transaction) } catch { return nil }
    }

    /// What a peer lacks, which is within what the store can tell.
    package func delta(_ request: ChangesRequest) -> Changes {
        guard case .changes(let changes) = changes(request) else {
            preconditionFailure("a snapshot is needed")
        }
        return changes
    }
}
