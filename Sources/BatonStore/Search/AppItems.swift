import BatonCore

/// The number of items of an app, and the names of its indexes.
package struct AppItems: Equatable, Sendable {
    package var count: Int
    /// The number of these items that have expired.
    package var expired: Int
    /// The names of the indexes that have items.
    package var filled: [String]

    /// The names of the indexes that have items, and of the app's default index.
    package var indexes: [String] { LaneReader.withUsual(filled) }
}

extension AppItems {
    /// Counts the items of an app, and finds its indexes.
    init(of app: String, at now: WallTime, in index: LaneReader) throws(StoreFailure) {
        count = try index.tables.usage.amount(of: Scope.app(app).encoded).items
        expired = try index.tables.records.expiredItems(within: .app(app), at: now)
        filled = try index.indexesWithItems(of: app)
    }
}
