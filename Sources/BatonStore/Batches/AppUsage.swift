import BatonCore

/// How much apps have in their indexes: what the open transaction changed of it.
package struct AppUsage: Equatable {
    /// By the first part of the items' scopes, encoded.
    private(set) var changes: [[UInt8]: Amount] = [:]
    /// The app of the last item, which most often is that of the next one.
    private var last: [UInt8] = []

    package struct Amount: Equatable {
        package var items = 0, bytes = 0

        /// Counts so many items with so many bytes.
        package init(items: Int = 0, bytes: Int = 0) { (self.items, self.bytes) = (items, bytes) }

        package static func += (left: inout Self, right: Self) {
            (left.items, left.bytes) = (left.items + right.items, left.bytes + right.bytes)
        }
    }

    mutating func note(_ record: Record, times sign: Int) {
        guard record.identity.kind == .item, let content = record.content, let app = app(content.scope) else {
            return
        }
        changes[app, default: Amount()] += Amount(items: sign, bytes: sign * content.encodedCount)
    }

    private mutating func app(_ scope: Scope) -> [UInt8]? {
        if last.isEmpty || !scope.encoded.starts(with: last) {
            guard let app = scope.outward([1]).first else { return nil }
            last = app.encoded
        }
        return last
    }

    /// Forgets what is kept now.
    mutating func takeAll() -> [(app: [UInt8], amount: Amount)] {
        defer { changes = [:] }
        return changes.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .filter { $0.value != Amount() }.map { ($0.key, $0.value) }
    }
}

extension LaneDatabase {
    /// Takes note of what became of an item.
    func noteUsage(_ number: Int64, from old: Record?, to new: Record?) {
        guard progress.counted.map({ number <= $0 }) ?? true else { return }
        if let old { progress.usage.note(old, times: -1) }
        if let new { progress.usage.note(new, times: 1) }
    }

    /// Keeps what changed.
    func keepUsage() throws(StoreFailure) {
        for (app, amount) in progress.usage.takeAll() {
            try connection.run(
                """
                INSERT INTO usage (app, items, bytes) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes
                """, .blob(app), .integer(Int64(amount.items)), .integer(Int64(amount.bytes)))
            try connection.run("DELETE FROM usage WHERE app = ? AND items = 0", .blob(app))
        }
    }

    /// How much an app has by now.
    func usage(of app: String) throws(StoreFailure) -> AppUsage.Amount {
        try usage(ofScope: Scope.app(app).encoded)
    }

    private func usage(ofScope key: [UInt8]) throws(StoreFailure) -> AppUsage.Amount {
        var amount =
            try connection.statement("SELECT items, bytes FROM usage WHERE app = ?").first([.blob(key)]) {
                (row) throws(StoreFailure) in
                AppUsage.Amount(items: Int(row.integer(0)), bytes: Int(row.integer(1)))
            } ?? AppUsage.Amount()
        if let change = progress.usage.changes[key] { amount += change }
        return amount
    }

    /// How much every app has of which anything is noted, by the first part of its scopes.
    func usages() throws(StoreFailure) -> [[UInt8]: AppUsage.Amount] {
        var apps = Set(progress.usage.changes.keys)
        try connection.statement("SELECT app FROM usage").rows([]) { (row) in
            apps.insert(row.blob(0))
            return true
        }
        var usages: [[UInt8]: AppUsage.Amount] = [:]
        for app in apps { usages[app] = try usage(ofScope: app) }
        return usages
    }

    // MARK: What stood here before

    /// Reads how far items were counted that stood here before any was.
    func loadUsage() throws(StoreFailure) {
        progress.counted =
            try connection.statement("SELECT through FROM usage_progress").first([]) {
                (row) throws(StoreFailure) in row.isNull(0) ? nil : row.integer(0)
            } ?? 0
        guard progress.counted != nil, try nextUncounted(1).isEmpty else { return }
        progress.counted = nil
        try keepCounted()
    }

    /// Counts so many further items.
    func goOnCounting(most: Int) throws(StoreFailure) {
        let numbers = try nextUncounted(most)
        for number in numbers {
            progress.counted = number
            if let stored = try storedRecord(number: number) { progress.usage.note(stored.raw, times: 1) }
        }
        if numbers.count < most { progress.counted = nil }
        try keepCounted()
    }

    private func nextUncounted(_ most: Int) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        try connection.statement("SELECT number FROM records WHERE number > ? ORDER BY number LIMIT ?").rows(
            [.integer(progress.counted ?? .max), .integer(Int64(most))]
        ) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers
    }

    private func keepCounted() throws(StoreFailure) {
        try connection.run(
            "UPDATE usage_progress SET through = ?", progress.counted.map { .integer($0) } ?? .null)
    }
}
