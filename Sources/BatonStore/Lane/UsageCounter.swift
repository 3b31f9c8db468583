import BatonCore

/// Counts how much each app has in its indexes.
final class UsageCounter: LanePart {
    /// Reads the number of the last record that is counted.
    func load() throws(StoreFailure) {
        transaction.state.usage.counted = try tables.usage.counted()
        guard transaction.state.usage.counted != nil, try nextUncounted(1).isEmpty else { return }
        transaction.state.usage.counted = nil
        if !transaction.isReadOnly { try tables.usage.keepCounted(nil) }
    }

    /// Adds the change of a record to the usage of its app, if the record was counted already.
    func recordChange(_ number: Int64, from old: Record?, to new: Record?) {
        guard transaction.state.usage.counted.map({ number <= $0 }) ?? true else { return }
        if let old { transaction.state.usage.changes.count(old, times: -1) }
        if let new { transaction.state.usage.changes.count(new, times: 1) }
    }

    /// Writes the transaction's changes of usage to the table.
    func write() throws(StoreFailure) {
        for (app, amount) in transaction.state.usage.changes.takeAll() {
            try tables.usage.add(amount, to: app)
        }
    }

    /// Counts the next records that are not counted yet, at most `most`.
    func count(most: Int) throws(StoreFailure) {
        let numbers = try nextUncounted(most)
        for number in numbers {
            transaction.state.usage.counted = number
            if let stored = try records.stored(number: number) {
                transaction.state.usage.changes.count(stored.raw, times: 1)
            }
        }
        if numbers.count < most { transaction.state.usage.counted = nil }
        try tables.usage.keepCounted(transaction.state.usage.counted)
    }

    private func nextUncounted(_ most: Int) throws(StoreFailure) -> [Int64] {
        try tables.records.numbers(after: transaction.state.usage.counted ?? .max, most: most)
    }

    // MARK: Queries

    /// Returns how much an app has now.
    func amount(of app: String) throws(StoreFailure) -> AppUsage.Amount {
        try amount(ofScope: Scope.app(app).encoded)
    }

    /// Returns how much each app has now.
    ///
    /// The key of an app is the first part of its scopes.
    func amounts() throws(StoreFailure) -> [[UInt8]: AppUsage.Amount] {
        var amounts: [[UInt8]: AppUsage.Amount] = [:]
        for app in try tables.usage.apps().union(transaction.state.usage.changes.changes.keys) {
            amounts[app] = try amount(ofScope: app)
        }
        return amounts
    }

    private func amount(ofScope app: [UInt8]) throws(StoreFailure) -> AppUsage.Amount {
        var amount = try tables.usage.amount(of: app)
        if let change = transaction.state.usage.changes.changes[app] { amount += change }
        return amount
    }
}
