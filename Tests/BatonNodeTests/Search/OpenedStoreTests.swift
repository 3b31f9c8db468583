import BatonCore
import BatonSecurity
import BatonStore
import Support
import Testing

@testable import BatonNode

/// The copy of protected indexes with opened items, and the store that it follows.
@Suite struct `The opened items of a store` {
    /// An account's store, and the opened items beside it.
    private final class Stage {
        private static let index = ClientStateName(
            app: "org.example.notes", index: IndexProtection.completeUnlessOpen.name(of: "main"))
        private let folder: TemporaryFolder
        let credentials: Credentials
        let path: String
        let store: SQLiteStore
        var opened: OpenedStore?
        private var journal: Journal
        private let key: ContentKey
        private let sealing: ItemSealing

        init() throws {
            folder = try TemporaryFolder()
            let home = try RunningNode.home(folder)
            _ = try home.makeAccount(name: "own")
            credentials = try home.credentials()
            path = home.account()
            store = try SQLiteStore(folder: path, account: credentials.account, device: credentials.device)
            key = try #require(credentials.contentKey)
            sealing = ItemSealing(with: key)
            let life = Life(after: HybridTime(value: 8 << 16), of: credentials.device, random: 0)
            journal = Journal(life: life, latest: .zero)
            opened = OpenedStore(in: path, of: credentials, key: key, stop: SearchStop())
        }

        func commit(_ changes: [IndexChange], at now: WallTime) throws {
            let drafts = try IndexDrafts(Self.index, at: now) {
                [sealing] (change) throws(LocalFailure) in
                try sealing.seal(change, of: Self.index)
            }.drafts(changes)
            let transaction = journal.transaction(.index, drafts, now: now)
            _ = try store.commit(try #require(transaction))
        }

        /// Sweeps expired items of the account's store, as the node does.
        func sweep(at time: WallTime) throws {
            let (lane, device) = (store.ownLane(.index), credentials.device)
            try lane.group(durably: false) { () throws(StoreFailure) in
                try lane.report(of: device, having: store.complete)
            }
            var request = SweepRequest(time: time, roster: [device])
            while let step = try lane.sweep(request) { request.after = step.next }
        }

        /// Collects the deletions of the account's store, as the node does once all devices have them.
        func collect() throws {
            let device = credentials.device
            try store.group { () throws(StoreFailure) in
                try store.ownLane(.index).report(of: device, having: store.complete)
            }
            let request = CollectRequest(roster: [device], most: 1000)
            #expect(try store.collect(request) > 0)
        }

        /// Lets the opened items follow the store, in parts of about `bytes` bytes; returns the number of parts.
        func follow(bytes: Int = 1500) throws -> Int {
            let opened = try #require(opened)
            for count in 1...1000 {
                let place = try opened.place()
                let changes = try store.ownLane(.index).protectedChanges(
                    after: place.token, covered: place.covered, collected: place.collected, bytes: bytes)
                guard case .changes(let part) = changes else {
                    throw LocalFailure(.failed, "the opened items can't follow")
                }
                #expect(try opened.add(part, after: place).isEmpty)
                if part.complete != nil { return count }
            }
            throw LocalFailure(.failed, "the opened items never reach the end")
        }

        /// The identities of the items in the account's store and in the opened one, expired ones included.
        func items() throws -> (own: [RecordIdentity], opened: [RecordIdentity]) {
            opened = nil
            let pageKey = try key.pageKey(for: "opened items")
            let copy = try SQLiteStore(
                folder: path + "/" + OpenedStore.folderName, account: credentials.account,
                device: credentials.device, cipher: pageKey)
            opened = OpenedStore(in: path, of: credentials, key: key, stop: SearchStop())
            return (
                try store.records(of: .item).map(\.identity), try copy.records(of: .item).map(\.identity)
            )
        }
    }

    private func item(_ number: Int, until expiration: WallTime? = nil) -> IndexChange {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("Item \(number)"))
        return .item(
            "\(number)", Item(domain: "d.\(number % 3)", expiration: expiration, attributes: attributes))
    }

    @Test func `they follow in parts, and have what the store has`() throws {
        let stage = try Stage()
        let now = WallTime(milliseconds: 1_000_000)
        try stage.commit((0..<40).map { item($0) }, at: now)
        #expect(try stage.follow() > 3)
        try stage.commit([.deletion("3"), .deletion("77"), .clear(domain: "d.1"), item(100)], at: now)
        #expect(try stage.follow() >= 1)
        let items = try stage.items()
        #expect(items.own == items.opened && items.own.count == 27)
    }

    @Test func `they lose expired items when the store has swept them, and not before`() throws {
        let stage = try Stage()
        let (now, later) = (WallTime(milliseconds: 1_000_000), WallTime(milliseconds: 9_000_000))
        try stage.commit(
            (0..<10).map { item($0, until: $0 < 4 ? WallTime(milliseconds: 2_000_000) : nil) }, at: now)
        _ = try stage.follow()
        var items = try stage.items()
        #expect(items.own == items.opened && items.own.count == 10)
        try stage.sweep(at: later)
        try stage.commit([item(20)], at: later)
        _ = try stage.follow()
        items = try stage.items()
        #expect(items.own == items.opened && items.own.count == 7)
    }

    @Test func `erasing comes to an end, and keeps what is there`() throws {
        let stage = try Stage()
        try stage.commit((0..<40).map { item($0) }, at: WallTime(milliseconds: 1_000_000))
        _ = try stage.follow()
        try stage.commit((0..<30).map { .deletion("\($0)") }, at: WallTime(milliseconds: 1_000_001))
        _ = try stage.follow()
        let opened = try #require(stage.opened)
        var steps = 0
        while try opened.erase(), steps < 1000 { steps += 1 }
        #expect((1..<1000).contains(steps))
        let found = try opened.ask(for: SearchWish()) { (reader) throws(StoreFailure) in
            try reader.find("item", most: 100, at: WallTime(milliseconds: 1_000_002))
        }
        #expect(found.things.count == 10)
        opened.releaseMemory()
    }

    @Test func `another order of the store makes them begin anew`() throws {
        let stage = try Stage()
        try stage.commit([item(1)], at: WallTime(milliseconds: 1_000_000))
        _ = try stage.follow()
        try stage.store.begin(ArrivalOrder(high: 7, low: 7))
        let opened = try #require(stage.opened)
        let place = try opened.place()
        guard
            case .anew = try stage.store.ownLane(.index).protectedChanges(
                after: place.token, covered: place.covered, collected: place.collected, bytes: 1000)
        else { throw LocalFailure(.failed, "they go on in another order") }
        try opened.removeAll()
        _ = try stage.follow()
        #expect(try stage.items().opened.count == 1)
    }

    @Test func `they begin although the store has collected deletions, and notice it if that happens later`()
        throws
    {
        let stage = try Stage()
        let now = WallTime(milliseconds: 1_000_000)
        try stage.commit((0..<9).map { item($0) }, at: now)
        try stage.commit([.deletion("1"), .deletion("2")], at: now)
        try stage.collect()
        #expect(try stage.follow() > 1)
        var items = try stage.items()
        #expect(items.own == items.opened && items.own.count == 7)

        // The copy has everything, so further collections do no harm.
        try stage.commit([.deletion("3")], at: now)
        _ = try stage.follow()
        try stage.collect()
        try stage.commit([item(30)], at: now)
        _ = try stage.follow()
        items = try stage.items()
        #expect(items.own == items.opened && items.own.count == 7)

        // A deletion that was collected before the copy has heard of it would be missed.
        try stage.commit([.deletion("4")], at: now)
        try stage.collect()
        try stage.commit([item(31)], at: now)
        #expect(throws: LocalFailure.self) { try stage.follow() }
        try #require(stage.opened).removeAll()
        _ = try stage.follow()
        items = try stage.items()
        #expect(items.own == items.opened && items.own.count == 7)
    }
}
