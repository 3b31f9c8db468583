import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// The store of a device that was killed: some of its items are in the database, and later ones in the journal.
struct KilledStore {
    let device: DeviceIdentifier
    var image: DiskImage
    /// The identifiers of the items that are in the database without its journal.
    private(set) var settled: Set<String> = []

    static let day = "2026-01-02"

    /// Writes the items of a device, whose identifiers name the device.
    init(_ name: String, number: UInt64, settled count: Int, inJournal late: Int) throws {
        device = DeviceIdentifier(high: number << 32, low: number)
        image = DiskImage()
        var journal = Journal(life: Life(after: .zero, of: device, random: number), latest: .zero)
        let write = {
            (device: DeviceIdentifier, image: DiskImage, range: Range<Int>, isKilled: Bool) throws
                -> DiskImage in
            let disk = TestDisk(image, seed: number)
            return try withExtendedLifetime(disk) {
                var store: SQLiteStore? = try SQLiteStore(
                    folder: "", account: StoreSeries.account, device: device, fileSystem: disk.name)
                for first in stride(from: range.lowerBound, to: range.upperBound, by: 50) {
                    let drafts = (first..<min(first + 50, range.upperBound)).map {
                        Self.draft("\(name) \($0)")
                    }
                    let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1))
                    _ = try store?.commit(try #require(transaction))
                }
                defer { store = nil }
                if !isKilled { store = nil }
                return disk.image.afterProcesses
            }
        }
        image = try write(device, image, 0..<count, false)
        settled = Set((0..<count).map { "\(name) \($0)" })
        // Many of the settled items are written again, so that the journal has pages from the middle of the database.
        image = try write(device, image, count / 3..<count + late, true)
    }

    private static func draft(_ identifier: String) -> Journal.Draft {
        var fields = Fields()
        fields.set(1) { $0.text("The text of \(identifier), which is not very long.") }
        let name = ItemName(app: "org.example.notes", index: "main", identifier: identifier)
        let scope = Scope.items(app: name.app, index: name.index, domain: nil)
        return Journal.Draft(.full(Write.Content(scope: scope, fields: fields)), name.key)
    }

    /// Opens the store as a node does, with the present files, and passes it to the closure.
    ///
    /// The lanes in `damaged` are rescued without an attempt to open them.
    @discardableResult
    func open<Value>(
        damaged: [Lane: StoreFailure] = [:], watch: RescueWatch = RescueWatch(),
        _ body: (SQLiteStore, [LaneRescue], TestDisk) throws -> Value
    ) throws -> Value {
        let disk = TestDisk(image)
        return try withExtendedLifetime(disk) {
            let (store, rescues) = try SQLiteStore.open(
                StoreFolder(disk), account: StoreSeries.account, device: device, day: Self.day,
                damaged: damaged, watch: watch)
            return try withExtendedLifetime(store) { try body(store, rescues, disk) }
        }
    }

    static func items(_ store: SQLiteStore) throws -> Set<String> {
        Set(try store.records(of: .item).compactMap(\.key).map { try ItemName($0).identifier })
    }

    /// Runs a script on the index with plain SQLite, and leaves what it writes in the journal.
    mutating func run(_ script: String) throws {
        let disk = TestDisk(image)
        image = try withExtendedLifetime(disk) {
            let database = try #require(try RawDatabase(.index, on: disk))
            return try withExtendedLifetime(database) {
                _ = try database.texts(script)
                return disk.image.afterProcesses
            }
        }
    }
}
