package import BatonCore

extension AccountStore {
    /// Returns the changes that a peer lacks; the request must be one that the store can answer.
    package func delta(_ request: ChangesRequest) throws(StoreFailure) -> Changes {
        guard case .changes(let changes) = try changes(request) else {
            throw StoreFailure(.failed, "a snapshot is needed")
        }
        return changes
    }
}

extension InMemoryStore {
    /// Commits a transaction that can't be refused.
    @discardableResult
    package func keep(_ transaction: StoreTransaction) -> StoreCommit? {
        do throws(StoreFailure) { return try commit(transaction) } catch { return nil }
    }

    /// Returns the changes that a peer lacks; the request must be one that the store can answer.
    package func delta(_ request: ChangesRequest) -> Changes {
        guard case .changes(let changes) = changes(request) else {
            preconditionFailure("a snapshot is needed")
        }
        return changes
    }
}
