import BatonCore
import BatonStore
import Disks

/// A store of notes on a test's disk, whose lanes can be taken for damaged when it is opened.
enum RescuedStore {
    static let day = "2026-01-02"
    private static let index = ClientStateName(app: "org.example.notes", index: "main")

    /// Opens the store; these lanes are rescued, whatever their files are.
    static func open(
        _ disk: TestDisk, damaged: Set<Lane> = []
    ) throws -> (store: SQLiteStore, rescues: [LaneRescue]) {
        let damage = StoreFailure(.damaged, "in a test")
        return try SQLiteStore.open(
            StoreFolder(disk), account: StoreSeries.account, day: day,
            damaged: Dictionary(damaged.map { ($0, damage) }) { first, _ in first })
    }

    /// The name of a note.
    static func name(_ number: Int) -> ItemName {
        ItemName(app: index.app, index: index.index, identifier: "note \(number)")
    }

    /// A draft of a note with this text.
    static func draft(_ number: Int, _ text: String) -> Journal.Draft {
        var fields = Fields()
        fields.set(1) { $0.text(text) }
        let scope = Scope.items(app: index.app, index: index.index, domain: nil)
        return Journal.Draft(.full(Write.Content(scope: scope, fields: fields)), name(number).key)
    }

    /// Returns the identifiers of all items.
    static func items(_ store: SQLiteStore) throws -> Set<String> {
        var items: Set<String> = []
        for record in try store.records(of: .item) {
            if let key = record.key { items.insert(try ItemName(key).identifier) }
        }
        return items
    }
}
