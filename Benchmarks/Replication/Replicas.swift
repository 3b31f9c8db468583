import BatonCore
import BatonStore
import Foundation
import Support

/// An account of which two devices have all: so many small items in SQLite, written in a thousand lives.
final class Replicas {
    let first, second: SQLiteStore
    private var journal: Journal
    private var now = WallTime(milliseconds: 1_790_000_000_000)
    private let count: Int
    /// Goes with this object.
    private let folder: TemporaryFolder
    /// How many lives of devices wrote the items, each in one transaction.
    private static let lives = 1000

    init(records count: Int) throws {
        self.count = count
        folder = try TemporaryFolder()
        let (one, two) = (folder.path + "/1", folder.path + "/2")
        try FileManager.default.createDirectory(atPath: one, withIntermediateDirectories: true)
        now = try Self.fill(one, count, at: now)
        // The first store is closed, so that its files are whole.
        try FileManager.default.copyItem(atPath: one, toPath: two)
        first = try SQLiteStore(folder: one, account: Account.identifier)
        second = try SQLiteStore(folder: two, account: Account.identifier)
        let clock = try first.summary().clock
        journal = Journal(
            life: Life(after: clock, of: Account.device(1), random: UInt64(Self.lives)), latest: clock)
        try acquaint(clock)
    }

    /// Writes the items in the order in which a store keeps records, which is quick.
    private static func fill(_ folder: String, _ count: Int, at start: WallTime) throws -> WallTime {
        let store = try SQLiteStore(folder: folder, account: Account.identifier)
        let names = (0..<count).map { number in (name(number).key.identity, number) }.sorted { $0.0 < $1.0 }
        var (now, clock) = (start, HybridTime.zero)
        for life in 0..<lives {
            var journal = Journal(
                life: Life(after: clock, of: Account.device(UInt64(life % 8 + 1)), random: UInt64(life)),
                latest: clock)
            now = now.advanced(by: .seconds(1))
            let part = names[life * count / lives..<(life + 1) * count / lives]
            let transaction = try self.transaction(of: part.map(\.1), in: &journal, at: now)
            clock = try store.commit(transaction).clock
        }
        return now
    }

    /// The devices have met before: each knows where to go on with the other, and what both have for good.
    private func acquaint(_ clock: HybridTime) throws {
        try first.begin(ArrivalOrder(high: 1, low: 1))
        try second.begin(ArrivalOrder(high: 2, low: 2))
        var other = Journal(
            life: Life(after: clock, of: Account.device(2), random: UInt64(Self.lives)), latest: clock)
        try change(1)
        _ = try second.commit(Self.transaction(of: [count - 1], in: &other, at: now))
        try Meeting(first, second).play()
        _ = try second.keep(try first.report(of: Account.device(1), having: try first.summary().complete))
        _ = try first.keep(try second.report(of: Account.device(2), having: try second.summary().complete))
    }

    /// The first device writes so many of the items anew, here and there among all.
    func change(_ changes: Int) throws {
        now = now.advanced(by: .seconds(1))
        let numbers = (0..<changes).map { $0 * (count / changes) }
        _ = try first.commit(Self.transaction(of: numbers, in: &journal, at: now))
    }

    private static func transaction(
        of numbers: [Int], in journal: inout Journal, at now: WallTime
    ) throws -> StoreTransaction {
        let drafts = numbers.map { number in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("The note with the number \(1_000_000 + number)"))
            let item = Item(domain: "notes", indexed: now, attributes: attributes)
            return Journal.Draft(.full(item.content(name(number))), name(number).key)
        }
        guard let transaction = journal.transaction(.index, drafts, now: now) else {
            throw BenchmarkFailure("items are larger than the limits allow")
        }
        return transaction
    }

    /// All names are of one length and as little alike as any two, however many there are: a batch spells out only
    /// where a name differs from the one before it.
    private static func name(_ number: Int) -> ItemName {
        var generator = SeededGenerator(seed: UInt64(number))
        let digits = String(generator.next(), radix: 16)
        let identifier = String(repeating: "0", count: 16 - digits.count) + digits
        return ItemName(app: "org.example.notes", index: "notes", identifier: identifier)
    }
}
