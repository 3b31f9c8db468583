import BatonCore
import BatonStore
import Support
import Testing

/// All writes that were ever seen on the disks of some machines; each dot must name only one of them.
struct KnownDots {
    private var writes: [Dot: Write] = [:]
    private let account: AccountIdentifier

    /// Starts without writes, for the account of a running machine.
    init(_ machine: Machine) throws {
        account = try #require(
            try machine.json("status")["account"].string.flatMap { AccountIdentifier(text: $0) })
    }

    /// Records the writes on the disk of a machine whose node is not running.
    mutating func note(_ machine: Machine, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let home = try Home(option: machine.home) { _ in nil }
        let store = try SQLiteStore(folder: home.account(), account: account)
        for lane in Lane.allCases {
            let request = RangeRequest(lane: lane, after: nil, since: nil, covered: nil, bytes: .max)
            guard case .range(let range) = try store.range(request) else { continue }
            for write in range.ahead + range.writes {
                let known = writes[write.dot]
                #expect(known == nil || known == write, "\(write.dot)", sourceLocation: sourceLocation)
                writes[write.dot] = write
            }
        }
    }

    var count: Int { writes.count }

    /// Adds notes to the index of a machine whose node is not running.
    func index(_ titles: [String], on machine: Machine) throws {
        let home = try Home(option: machine.home) { _ in nil }
        let store = try SQLiteStore(folder: home.account(), account: account)
        let clock = try store.summary().clock
        var journal = Journal(
            life: Life(
                after: clock, of: DeviceIdentifier(high: 5, low: 5), random: .random(in: 0...UInt64.max)),
            latest: clock)
        for (number, title) in titles.enumerated() {
            var item = Item()
            item.attributes[.title] = .plain(.string(title))
            let name = ItemName(app: "org.example.notes", index: "main", identifier: "\(title) \(number)")
            let draft = Journal.Draft(.full(item.content(name)), name.key)
            let transaction = journal.transaction(.index, [draft], now: WallTime(milliseconds: 1_000_000))
            _ = try store.commit(try #require(transaction))
        }
    }
}
