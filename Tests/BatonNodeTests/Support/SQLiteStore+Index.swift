import BatonCore
import BatonStore
import Testing

extension SQLiteStore {
    /// Writes items with numbered titles into the index of a home that no node uses.
    func index(_ count: Int, titled title: String, random: UInt64 = 1) throws {
        let device = DeviceIdentifier(high: 0x7777_7777 << 32, low: 7)
        let latest = try summary().clock
        var journal = Journal(life: Life(after: latest, of: device, random: random), latest: latest)
        for first in stride(from: 0, to: count, by: 100) {
            let drafts = (first..<first + 100).map { number in
                var item = Item()
                item.attributes[.title] = .plain(.string("\(title) \(number)"))
                let name = ItemName(app: "app", index: "main", identifier: "\(number)")
                return Journal.Draft(.full(item.content(name)), name.key)
            }
            let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1))
            _ = try commit(try #require(transaction))
        }
    }
}
