import BatonCore
import BatonStore
import CSQLite
import Support

extension Benchmark {
    static let queries = Benchmark(
        name: "queries",
        what:
            "the hundred newest items that meet a query, against SQL by hand on a table with the same values"
    ) { settings in
        let folder = try TemporaryFolder()
        let filled = try FilledStore(folder.path)
        let table = try QueriedTable(folder.path + "/table.sqlite")
        var items = QueriedItems(words: Words(seed: 17), generator: SeededGenerator(seed: 17))
        for start in stride(from: 0, to: settings.largeItems, by: FilledStore.transactionItems) {
            let count = min(FilledStore.transactionItems, settings.largeItems - start)
            let made = (0..<count).map { items.next(start + $0) }
            let drafts = made.map { Journal.Draft(.full($0.item.content($0.name)), $0.name.key) }
            use(try filled.store.commit(try filled.transaction(drafts)))
            try table.add(made)
        }
        try filled.settle(most: 5000)
        let reader = try SearchReader(folder: folder.path, stop: SearchStop(questionsMost: .max))
        let present = PresentTime(filled.now) { _ in 0 }
        var figures: [Figure] = []
        for query in QueriedItems.queries {
            let (mine, sql) = (try SearchQuery(query.text, at: present), query.sql)
            let found = try reader.find(mine, most: 100, at: filled.now).things.compactMap {
                $0.thing.item?.identifier
            }
            let expected = try table.find(sql)
            guard found == expected else {
                throw BenchmarkFailure("\(query.text) finds \(found.count) items, and SQL \(expected.count)")
            }
            var (own, others) = ([Double](), [Double]())
            for _ in 0..<20 {
                own.append(try milliseconds { use(try reader.find(mine, most: 100, at: filled.now)) })
                others.append(try milliseconds { use(try table.find(sql)) })
            }
            figures += [
                Figure("query, \(query.name), median", own.median, "ms"),
                Figure("query, \(query.name), ratio", own.median / others.median, "×", reach: .atMost(1.5)),
            ]
        }
        return figures
    }
}

/// Items of an app for documents, drawn one after the other.
private struct QueriedItems {
    var words: Words
    var generator: SeededGenerator

    /// An item, and the same values as columns.
    struct Made {
        let name: ItemName
        let item: Item
        let title, type, author, reference: String
        let created: Double
        let pages: Int
        let indexed: Int64
    }

    /// A query, and the same in SQL.
    static let queries: [(name: String, text: String, sql: String)] = [
        (
            "type and date",
            #"contentType == "public.type3" && contentCreationDate >= $time.iso(2026-12-01)"#,
            "type = 'public.type3' AND created >= 1796083200"
        ),
        (
            "domain and author", #"domainIdentifier == "folder7" && authorNames == "name12"cd"#,
            "domain = 'folder7' AND author = 'name12' COLLATE NOCASE"
        ),
        ("custom key", #"com_example_case == "case 4711""#, "reference = 'case 4711'"),
        ("part of a title", #"title == "*needle1*"cd"#, "title LIKE '%needle1%'"),
        ("range of numbers", "InRange(pageCount, 990, 999)", "pages BETWEEN 990 AND 999"),
    ]

    mutating func next(_ number: Int) -> Made {
        let name = ItemName(app: "org.example.documents", index: "main", identifier: "document-\(number)")
        var title = words.phrase(4...7)
        if generator.number(0...999) == 0 { title += " needle\(generator.number(0...9))x" }
        let type = "public.type\(generator.number(0...9))"
        let author = "name\(generator.number(0...99))"
        let reference = "case \(generator.number(0...9999))"
        let created = 1_767_225_600 + Double(generator.number(0...31_535_999))
        let (pages, indexed) = (generator.number(1...1000), Int64(number) * 1000)
        let domain = "folder\(generator.number(0...39))"
        var attributes = AttributeSet()
        let values: [(Attribute, PropertyValue)] = [
            (.title, .string(title)), (.contentType, .string(type)),
            (.authorNames, .array([.string(author)])),
            (.contentDescription, .string(words.phrase(25...32))), (.contentCreationDate, .date(created)),
            (.pageCount, .integer(Int64(pages))),
        ]
        for (attribute, value) in values { attributes[attribute] = .plain(value) }
        attributes[.custom(Array("com_example_case".utf8))] = .plain(.string(reference))
        return Made(
            name: name,
            item: Item(domain: domain, indexed: WallTime(milliseconds: indexed), attributes: attributes),
            title: title, type: type, author: author, reference: reference, created: created, pages: pages,
            indexed: indexed)
    }
}

/// A table with the values that the queries compare, as an app would make it, with an index for each.
private final class QueriedTable {
    private let connection: OpaquePointer
    private var insertion: OpaquePointer?

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw BenchmarkFailure("can't open \(path)")
        }
        connection = opened
        try script(
            """
            PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            CREATE TABLE items (
                number INTEGER PRIMARY KEY, identifier TEXT, domain TEXT, title TEXT, type TEXT, author TEXT,
                reference TEXT, created REAL, pages INTEGER, indexed INTEGER, rest TEXT);
            CREATE INDEX items_by_type ON items (type); CREATE INDEX items_by_creation ON items (created);
            CREATE INDEX items_by_domain ON items (domain);
            CREATE INDEX items_by_author ON items (author COLLATE NOCASE);
            CREATE INDEX items_by_reference ON items (reference); CREATE INDEX items_by_pages ON items (pages);
            """)
        let text = """
            INSERT INTO items (identifier, domain, title, type, author, reference, created, pages, indexed, rest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        guard sqlite3_prepare_v2(connection, text, -1, &insertion, nil) == SQLITE_OK else { throw failure }
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_close_v2(connection)
    }

    func add(_ items: [QueriedItems.Made]) throws {
        try script("BEGIN")
        for made in items {
            var rest = ""
            if case .plain(.string(let text))? = made.item.attributes[
                .number(Attribute.contentDescription.number)]
            {
                rest = text
            }
            let texts = [
                made.name.identifier, made.item.domain ?? "", made.title, made.type, made.author,
                made.reference,
            ]
            for (place, text) in texts.enumerated() { bind(text, Int32(place + 1)) }
            sqlite3_bind_double(insertion, 7, made.created)
            sqlite3_bind_int64(insertion, 8, Int64(made.pages))
            sqlite3_bind_int64(insertion, 9, made.indexed)
            bind(rest, 10)
            guard sqlite3_step(insertion) == SQLITE_DONE else { throw failure }
            sqlite3_reset(insertion)
        }
        try script("COMMIT")
    }

    /// Returns the identifiers of the hundred newest rows; all columns are read, as an app would that shows them.
    func find(_ condition: String) throws -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let text = "SELECT * FROM items WHERE \(condition) ORDER BY indexed DESC LIMIT 100"
        guard sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else { throw failure }
        var (identifiers, code) = ([String](), sqlite3_step(statement))
        while code == SQLITE_ROW {
            for column in 1..<sqlite3_column_count(statement) {
                guard let text = sqlite3_column_text(statement, column) else { throw failure }
                let read = String(cString: text)
                if column == 1 { identifiers.append(read) } else { use(read) }
            }
            code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw failure }
        return identifiers
    }

    private func bind(_ text: String, _ place: Int32) {
        sqlite3_bind_text(insertion, place, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    private func script(_ text: String) throws {
        guard sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: BenchmarkFailure {
        BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
    }
}
