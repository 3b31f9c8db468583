import BatonCore

/// Says whether the item that an activity is about is in the index.
///
/// If the item is missing, a search does not find the activity.
///
/// All answers are about the same state of the index.
struct RelatedItems {
    private let index: LaneReader
    private let now: WallTime
    /// A cache of the names of each app's indexes.
    private var indexes: [String: [String]] = [:]

    init(_ index: LaneReader, at now: WallTime) { (self.index, self.now) = (index, now) }

    /// Whether the item that an activity is about exists and has not expired.
    ///
    /// Returns true if the activity is about no item.
    mutating func have(_ names: ThingNames) throws(StoreFailure) -> Bool {
        guard let related = names.relatedItem else { return true }
        let indexes =
            if let known = self.indexes[related.app] { known } else {
                try index.indexes(of: related.app)
            }
        self.indexes[related.app] = indexes
        // The names of protected items are hashes, which can't be compared here. If the app has such items, the item may be
        // one of them.
        if indexes.contains(where: { IndexProtection(ofIndex: $0) != nil }) { return true }
        for name in indexes {
            let item = ItemName(app: related.app, index: name, identifier: related.identifier)
            guard let number = try index.tables.records.number(of: item.key.identity),
                let found = try index.records.item(number: number), !found.hasExpired(at: now)
            else { continue }
            return true
        }
        return false
    }
}

extension LaneReader {
    /// The name of an app's default index.
    private static let usualIndex = "default"
    /// The largest number of indexes of an app in which an item is searched.
    private static let indexesMost = 100

    /// Returns the indexes of an app that have items, and its default index.
    func indexes(of app: String) throws(StoreFailure) -> [String] {
        Self.withUsual(try indexesWithItems(of: app))
    }

    /// Adds the name of the default index before the names of other indexes.
    static func withUsual(_ indexes: [String]) -> [String] {
        [usualIndex] + indexes.filter { $0 != usualIndex }
    }

    /// Returns the indexes of an app that have items.
    func indexesWithItems(of app: String) throws(StoreFailure) -> [String] {
        let all = Scope([app, "items"])
        var (indexes, place) = ([String](), (scope: all.encoded, record: Int64.min))
        let table = CandidateTable(rows: tables.rows)
        while indexes.count < Self.indexesMost {
            var scope: [UInt8]?
            try table.visitScopes(after: place, before: WriteTable.end(of: all), most: 1) { next, _ in
                scope = next
                return false
            }
            guard let scope else { break }
            let parts = try tables.rows.scope(scope).parts
            guard parts.count > 2 else {
                place = (scope, .max)
                continue
            }
            indexes.append(parts[2])
            place = (WriteTable.end(of: .items(app: app, index: parts[2])), .max)
        }
        return indexes
    }
}
