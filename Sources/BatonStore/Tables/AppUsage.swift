import BatonCore

/// The changes of the numbers of items, bytes and clears that each app has in its indexes.
package struct AppUsage: Equatable {
    /// The change of each app.
    ///
    /// The key of an app is the encoded first part of its scopes.
    private(set) var changes: [[UInt8]: Amount] = [:]
    /// A cache of the key of the last item's app, because the next item often belongs to the same app.
    private var last: [UInt8] = []

    package struct Amount: Equatable {
        package var items = 0, bytes = 0
        /// The number of scopes that have a clear.
        package var clears = 0

        /// Creates an amount from a number of items, the bytes of these items, and a number of clears.
        package init(items: Int = 0, bytes: Int = 0, clears: Int = 0) {
            (self.items, self.bytes, self.clears) = (items, bytes, clears)
        }

        package static func += (left: inout Self, right: Self) {
            (left.items, left.bytes) = (left.items + right.items, left.bytes + right.bytes)
            left.clears += right.clears
        }
    }

    /// Adds an item or a clear if `sign` is 1, and subtracts it if `sign` is -1.
    ///
    /// Records of other kinds are ignored.
    mutating func count(_ record: Record, times sign: Int) {
        if record.identity.kind == .indexClear, let scope = record.clear?.scope, let app = app(scope) {
            changes[app, default: Amount()].clears += sign
        }
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

    /// Returns the changes, sorted by app, and removes them from this value.
    mutating func takeAll() -> [(app: [UInt8], amount: Amount)] {
        defer { changes = [:] }
        return changes.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .filter { $0.value != Amount() }.map { ($0.key, $0.value) }
    }
}
