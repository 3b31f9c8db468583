import BatonCore
import BatonStore
import CSQLite
import Support
import Testing

/// A store on a real disk, with a device that writes items and a reader that searches them.
final class SearchStage {
    static let account = AccountIdentifier(high: 1, low: 2)

    let folder: TemporaryFolder
    private(set) var store: SQLiteStore
    private var reader: SearchReader?
    private let cipher: (any PageCipher)?
    private var journal: Journal
    private var now = WallTime(milliseconds: 1_000_000)

    init(cipher: (any PageCipher)? = nil) throws {
        folder = try TemporaryFolder()
        self.cipher = cipher
        store = try SQLiteStore(folder: folder.path, account: Self.account, cipher: cipher)
        journal = Journal(life: Life(high: 5, low: 1), latest: .zero)
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        reader = nil
        store = try SQLiteStore(folder: folder.path, account: Self.account, cipher: cipher)
    }

    /// Commits drafts as one transaction.
    @discardableResult
    func write(_ drafts: [Journal.Draft]) throws -> StoreCommit {
        let transaction = try transaction(drafts)
        return try store.commit(transaction)
    }

    func transaction(_ drafts: [Journal.Draft]) throws -> StoreTransaction {
        now = now.advanced(by: .milliseconds(1))
        let transaction = journal.transaction(.index, drafts, now: now)
        return try #require(transaction)
    }

    /// Returns a transaction that ends a batch.
    func ending(_ batch: BatchIdentifier, count: Int) throws -> StoreTransaction {
        let transaction = journal.ending(batch, count: count, with: nil, now: now)
        return try #require(transaction)
    }

    /// Counts that the person opened an item.
    func open(_ identifier: String, times: Int, at time: WallTime? = nil) throws {
        let thing = Journal.Draft.removal(of: identifier).key
        let scope = try #require(try store.record(thing.identity)?.content?.scope)
        for _ in 0..<times {
            let counted = try store.record(EngagementName(counting: thing).key.identity)
            let device = DeviceIdentifier(high: 5, low: 5)
            try write([
                Engagement.draft(opening: thing, in: scope, by: device, at: time ?? now, after: counted)
            ])
        }
    }

    /// Returns how many items have each word, as the table of words says, and as the items say.
    func words() throws -> (counted: [String: Int], present: [String: Int]) {
        var (connection, statement): (OpaquePointer?, OpaquePointer?)
        defer { sqlite3_close(connection) }
        let path = folder.path + "/index.sqlite"
        try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        let query = "SELECT CAST(word AS TEXT), items, level FROM words"
        try #require(sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var counted: [String: Int] = [:]
        while sqlite3_step(statement) == SQLITE_ROW {
            let items = Int(sqlite3_column_int64(statement, 1))
            counted[String(cString: try #require(sqlite3_column_text(statement, 0)))] = items
            #expect(Int(sqlite3_column_int64(statement, 2)) == Int.bitWidth - items.leadingZeroBitCount)
        }
        var present: [String: Int] = [:]
        for text in try store.records(of: .item).compactMap(SearchText.init) {
            let words = text.texts.flatMap { WordCutter.words(of: $0, for: .index).map(\.folded) }
            for word in Set(words) { present[word, default: 0] += 1 }
        }
        return (counted, present)
    }

    /// Returns the number that a query of SQL gives.
    func count(_ query: String, in lane: Lane = .index) throws -> Int {
        var (connection, statement): (OpaquePointer?, OpaquePointer?)
        defer { sqlite3_close(connection) }
        let path = folder.path + "/\(lane).sqlite"
        try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        try #require(sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return Int(sqlite3_column_int64(statement, 0))
    }

    /// Changes the index with plain SQLite.
    func change(_ text: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        let path = folder.path + "/index.sqlite"
        try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        try #require(sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK)
    }

    /// Returns how many rows FTS5 believes that the full-text table has, and how many it has.
    func rowCounts() throws -> (counted: Int, present: Int) {
        var (connection, statement): (OpaquePointer?, OpaquePointer?)
        defer { sqlite3_close(connection) }
        let path = folder.path + "/index.sqlite"
        try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        let query = "SELECT block, (SELECT count(*) FROM search_docsize) FROM search_data WHERE id = 1"
        try #require(sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        let block = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, 0), count: Int(sqlite3_column_bytes(statement, 0)))
        // The block begins with the number in groups of seven bits, of which all but the last have the highest bit set.
        let end = block.firstIndex { $0 < 128 }
        let counted = block.prefix((end ?? -1) + 1).reduce(0) { $0 << 7 | Int($1 & 127) }
        return (counted, Int(sqlite3_column_int64(statement, 1)))
    }

    /// Returns what a search finds, best first.
    func find(
        _ text: String, filter: SearchFilter = SearchFilter(), most: Int = 10_000,
        at time: WallTime = WallTime(milliseconds: 0), in scope: SearchScope = SearchScope()
    ) throws -> SearchFinding {
        var scope = scope
        if filter != SearchFilter() { scope.filter = filter }
        return try opened().find(text, most: most, at: time, in: scope)
    }

    func opened() throws -> SearchReader {
        if reader == nil {
            reader = try SearchReader(folder: folder.path, stop: SearchStop(), cipher: cipher)
        }
        return try #require(reader)
    }

    /// Returns why a search shows an activity, or why it does not.
    func explain(
        _ call: ExplainActivity, at time: WallTime, in scope: SearchScope
    ) throws -> SearchExplanation? {
        try opened().explain(call, at: time, in: scope)
    }

    /// Returns why a search shows items, or why it does not.
    func explain(
        _ call: ExplainItem, at time: WallTime, in scope: SearchScope
    ) throws -> [SearchExplanation] {
        try opened().explain(call, at: time, in: scope)
    }

    /// Returns what meets a query, in the order of results; the closure is called before each step.
    func find(
        _ query: SearchQuery, app: String? = nil, most: Int = 10_000,
        at time: WallTime = WallTime(milliseconds: 0), in scope: SearchScope = SearchScope(),
        within stop: SearchStop = SearchStop(),
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws -> SearchFinding {
        var scope = scope
        scope.filter.app = app ?? scope.filter.app
        return try SearchReader(folder: folder.path, stop: stop, cipher: cipher).find(
            query, most: most, at: time, in: scope, demandWanted: demandWanted)
    }

    /// Returns the identifiers of what a search finds.
    func names(_ text: String, at time: WallTime = WallTime(milliseconds: 0)) throws -> [String] {
        try find(text, at: time).items.map(\.identifier)
    }
}

extension Journal.Draft {
    /// Returns the draft of an item with texts.
    static func item(
        _ identifier: String, domain: String? = nil, expires: Int64? = nil, indexed: Int64? = nil,
        _ texts: [Attribute: String], app: String = "org.example.app"
    ) -> Journal.Draft {
        var item = Item(domain: domain)
        item.expiration = expires.map { WallTime(milliseconds: $0) }
        item.indexed = indexed.map { WallTime(milliseconds: $0) }
        for (attribute, text) in texts { item.attributes[attribute] = .plain(.string(text)) }
        let name = ItemName(app: app, index: "notes", identifier: identifier)
        return Journal.Draft(.full(item.content(name)), name.key)
    }

    static func removal(of identifier: String, app: String = "org.example.app") -> Journal.Draft {
        Journal.Draft(.deletion, ItemName(app: app, index: "notes", identifier: identifier).key)
    }
}

extension SearchFinding {
    /// The items among the things that were found, in their order.
    var items: [FoundItem] { things.compactMap(\.thing.item) }
}
