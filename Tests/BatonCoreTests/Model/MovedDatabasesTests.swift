import BatonCore
import Testing

/// Tests which moved databases are kept.
@Suite struct `Moved databases` {
    @Test func `are recognized by their names`() {
        let set = MovedDatabases([
            "activities.sqlite", "index.sqlite-wal", "index.sqlite.damaged-2026-01-02",
            "index.sqlite.rescued",
            "index.sqlite.damaged-2026-01-02-wal", "index.sqlite.replaced-2026-01-03-12", "witness",
            "index.sqlite.damaged-yesterday", "index.sqlite.damaged-2026-01-02-2",
        ])
        #expect(
            set.files.map(\.name) == [
                "index.sqlite.replaced-2026-01-03-12", "index.sqlite.damaged-2026-01-02-2",
                "index.sqlite.damaged-2026-01-02",
            ])
        #expect(set.files.map(\.isDamaged) == [false, true, true])
    }

    @Test func `are kept if they are the newest of their kind or recent, up to a limit`() {
        let names =
            (1...9).map { "index.sqlite.damaged-2026-01-0\($0)" } + ["activities.sqlite.damaged-2020-01-01"]
        let set = MovedDatabases(names)
        let most = Limits.movedDatabases
        #expect(set.obsolete(before: "2026-01-01").map(\.name) == names.prefix(9 - most).reversed())
        #expect(set.obsolete(before: "2027-01-01").map(\.name) == names.prefix(8).reversed())
        #expect(MovedDatabases(names.suffix(1)).obsolete(before: "2027-01-01").isEmpty)
    }
}
