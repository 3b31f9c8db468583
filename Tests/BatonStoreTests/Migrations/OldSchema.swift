import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// What a node of an earlier version had left: the rows of both lanes, as that version wrote them, and what was seen
/// of them.
///
/// They stand in `Tests/Schemas`. `BATON_WRITE_SCHEMA=4` writes those of schema 4; that is done once, while its tables
/// have the same rows as those of the newest, and then never again, because a later version writes other rows.
struct OldSchema: CustomTestStringConvertible {
    let version: Int

    /// All schemas before the newest; of the first there is nothing but empty files.
    static let earlier = (0..<Schema.newest).map(OldSchema.init)

    var testDescription: String { "schema \(version)" }

    // MARK: Files

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Schemas")

    private func url(_ name: String) -> URL {
        Self.folder.appendingPathComponent("schema-\(version)-\(name)")
    }

    private func rows(_ lane: Lane) throws -> String {
        guard version > 0 else { return "" }
        return try String(contentsOf: url("\(lane).sql"), encoding: .utf8)
    }

    /// What was seen when the rows were written.
    var seen: String {
        get throws {
            guard version > 0 else { return try withEmptyStore { try Self.look(at: $0, on: $1) } }
            return try String(contentsOf: url("seen.txt"), encoding: .utf8)
        }
    }

    private func withEmptyStore<Value>(_ body: (SQLiteStore, TestDisk) throws -> Value) throws -> Value {
        let disk = TestDisk()
        return try withExtendedLifetime(disk) { try body(try Self.open(disk), disk) }
    }

    /// A disk on which that version was closed in order; all of it stands for good.
    func image() throws -> DiskImage {
        let disk = TestDisk()
        try withExtendedLifetime(disk) {
            for lane in Lane.allCases where version > 0 {
                let draft = try LaneDraft(
                    path: "/\(lane).sqlite", schema: version, fileSystem: disk.name)
                try draft.run(try rows(lane) + "COMMIT")
            }
        }
        var generator = SeededGenerator(seed: 1)
        return disk.image.afterPowerLoss(.keeps, &generator)
    }

    // MARK: The store

    static func open(_ disk: TestDisk) throws -> SQLiteStore {
        try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
    }

    /// What there is to see of a store, in lines.
    static func look(at store: SQLiteStore, on disk: TestDisk) throws -> String {
        while try !store.fillSearch() {}
        let summary = try store.summary()
        var lines = [
            "digest \(try store.digest(at: WallTime(milliseconds: 1_500_000)))",
            "complete \(summary.complete.digest.hex)", "dropped \(summary.dropped.digest.hex)",
            "reports \(summary.reports.sorted.map { "\($0.device) \($0.vector.digest.hex)" })",
            "asides \(store.asides().map(\.dot).count)",
            "shown \(try store.shownState(of: StoreContent.state)?.state.fields.encoded.hex ?? "nothing")",
        ]
        for kind in (UInt64(0)...13).map({ RecordKind(rawValue: $0) }) {
            lines.append("kind \(kind.rawValue): \(try store.records(of: kind).count)")
        }
        for space in [NoteSpace.address, .reindex] {
            let notes = try store.notes(in: space)
            lines.append(
                "notes \(space.rawValue): \(notes.map { $0.name.hex + "=" + ($0.value?.hex ?? "") })")
        }
        let reader = try SearchReader(folder: "", stop: SearchStop(), fileSystem: disk.name)
        for words in StoreContent.searches {
            let found = try reader.find(words, most: 50, at: WallTime(milliseconds: 0))
            lines.append("search \(words): \(found.items.map(\.identifier)) \(found.isWhole)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Writing

    /// Writes the rows of the newest schema, or of an earlier one whose tables have the same rows.
    func write() throws {
        let disk = TestDisk(seed: 11)
        try withExtendedLifetime(disk) {
            let seen = try StoreContent.fill(disk)
            let empty = TestDisk()
            try withExtendedLifetime(empty) {
                for lane in Lane.allCases {
                    _ = try LaneDraft(path: "/\(lane).sqlite", schema: version, fileSystem: empty.name)
                    try script(lane, from: disk, tablesOf: empty)
                        .write(to: url("\(lane).sql"), atomically: true, encoding: .utf8)
                }
            }
            try seen.write(to: url("seen.txt"), atomically: true, encoding: .utf8)
        }
    }

    private func script(_ lane: Lane, from disk: TestDisk, tablesOf empty: TestDisk) throws -> String {
        let (source, known) = (
            try #require(try RawDatabase(lane, on: disk)), try #require(try RawDatabase(lane, on: empty))
        )
        var lines: [String] = []
        let tables = try known.texts(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')
            AND name NOT IN ('sqlite_schema', 'sqlite_sequence') ORDER BY name
            """)
        for table in tables + ["sqlite_sequence"] {
            let columns = try known.texts("SELECT '\"' || name || '\"' FROM pragma_table_info('\(table)')")
            let names = columns.joined(separator: ", ")
            let values = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
            lines.append("DELETE FROM \"\(table)\";")
            lines += try source.texts("SELECT \(values) FROM \"\(table)\" ORDER BY 1")
                .map { "INSERT INTO \"\(table)\" (\(names)) VALUES (\($0));" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// What a store of a person may hold, made anew the same way.
enum StoreContent {
    static let state = ClientStateName(app: "a", index: "i")
    static let searches = ["resume", "annual rep", "東京", "note", "nothing at all"]

    /// Fills a store, and tells what is seen of it.
    static func fill(_ disk: TestDisk) throws -> String {
        let store = try OldSchema.open(disk)
        var series = StoreSeries(seed: 11)
        for _ in 0..<60 {
            let step = series.next()
            if !step.isReopening { try series.take(step, try step.perform(store)) }
        }
        try write(to: store)
        // What is kept up of the digest is of no time, as earlier versions have it.
        for lane in Lane.allCases { _ = try store.recount(lane, at: InMemoryStore.past) }
        return try OldSchema.look(at: store, on: disk)
    }

    private static func write(to store: SQLiteStore) throws {
        let clock = try store.summary().clock
        var journal = Journal(life: Life(after: clock, of: StoreSeries.own, random: 5), latest: clock)
        let items: [Journal.Draft] = [
            .item("1", domain: "work", [.title: "Résumé of the year"]),
            .item("2", domain: "work.reports", [.title: "Annual report", .contentDescription: "A résumé"]),
            .item("3", [.title: "東京都の天気"]), .item("4", [.title: "Note to delete"]),
            .item("5", domain: "old", [.title: "Note to clear"]), .item("6", indexed: 9, [.title: "Note"]),
            .item("7", expires: 1_400_000, [.title: "Note that expires"]),
        ]
        let scope = Scope.items(app: "org.example.app", index: "notes", domain: "old")
        let clear = Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
        for drafts in [items, [.removal(of: "4")], [clear]] {
            let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1_200_000))
            _ = try store.commit(try #require(transaction))
        }
        let device = Device(
            identifier: StoreSeries.own, name: "laptop", admitted: WallTime(milliseconds: 1_000_000))
        var activity = Activity(type: "org.example.editing", started: WallTime(milliseconds: 1_100_000))
        activity.title = "Draft of the report"
        let name = ActivityName(device: StoreSeries.own, app: "org.example.app", instance: "window")
        var transaction = journal.transaction(
            .activities,
            [
                .init(.full(Write.Content(fields: device.fields)), Device.key(device.identifier)),
                .init(.full(Write.Content(fields: activity.fields)), name.key),
            ], now: WallTime(milliseconds: 1_200_000))
        transaction?.notes = [LocalNote(space: .address, name: StoreSeries.own.bytes, value: [1, 2, 3])]
        _ = try store.commit(try #require(transaction))
    }
}
