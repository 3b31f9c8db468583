import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// A store as an earlier version left it, seen from a later version that is made up: its schema has one more step.
struct EarlierSchema: CustomTestStringConvertible {
    let version: Int

    /// The schema of the later version.
    ///
    /// Its step changes a table, makes an index, and copies rows, so that it writes many pages.
    static let later = Schema.lane.followed(
        by: """
            ALTER TABLE progress ADD COLUMN planted INTEGER;
            CREATE TABLE planted (arrival INTEGER PRIMARY KEY, fields BLOB) STRICT;
            INSERT INTO planted (arrival, fields) SELECT arrival, fields FROM records WHERE arrival > 0;
            CREATE INDEX planted_by_fields ON planted (fields);
            """)

    /// A store that was never opened, and one of this version.
    static let all = [EarlierSchema(version: 0), filled]

    /// A store of this version, with everything that a person's store may hold.
    static let filled = EarlierSchema(version: Schema.lane.newest)

    var testDescription: String { "schema \(version)" }

    /// Returns a disk on which the store was closed, and what was seen of it.
    func make() throws -> (image: DiskImage, seen: String) {
        let disk = TestDisk(seed: 11)
        var seen = ""
        try withExtendedLifetime(disk) {
            if version > 0 { seen = try StoreContent.fill(disk) }
        }
        var generator = SeededGenerator(seed: 1)
        let image = disk.image.afterPowerLoss(.keeps, &generator)
        if version == 0 {
            let empty = TestDisk()
            seen = try withExtendedLifetime(empty) {
                try StoreContent.look(at: try StoreContent.open(empty), on: empty)
            }
        }
        return (image, seen)
    }

    /// Opens the store as the later version does.
    static func open(_ disk: TestDisk) throws -> SQLiteStore {
        try StoreContent.open(disk, schema: later)
    }

    /// Whether the step was taken in a lane, and copied every write.
    static func isTaken(_ lane: Lane, on disk: TestDisk) throws -> Bool {
        let query = "SELECT (SELECT count(arrival) FROM records) = (SELECT count(*) FROM planted)"
        return try RawDatabase(lane, on: disk)?.texts(query) == ["1"]
    }
}

/// Contents like those of a real store, made the same way each time.
enum StoreContent {
    static let state = ClientStateName(app: "a", index: "i")
    static let searches = ["resume", "annual rep", "東京", "note", "nothing at all"]

    static func open(_ disk: TestDisk, schema: Schema = .lane) throws -> SQLiteStore {
        try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name, schema: schema)
    }

    /// Describes what there is to see of a store, in lines.
    static func look(at store: SQLiteStore, on disk: TestDisk) throws -> String {
        while try !store.fillSearch() {}
        let summary = try store.summary()
        var lines = [
            "digest \(try store.digest(at: WallTime(milliseconds: 1_500_000)))",
            "complete \(summary.complete.digest.hex)", "dropped \(summary.dropped.digest.hex)",
            "reports \(summary.reports.sorted.map { "\($0.device) \($0.vector.digest.hex)" })",
            "quarantined \(store.quarantined().map(\.dot).count)",
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

    /// Fills a store, and describes what is seen of it.
    static func fill(_ disk: TestDisk) throws -> String {
        let store = try open(disk)
        var series = StoreSeries(seed: 11)
        for _ in 0..<60 {
            let step = series.next()
            if !step.isReopening { try series.take(step, try step.perform(store)) }
        }
        try write(to: store)
        return try look(at: store, on: disk)
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
