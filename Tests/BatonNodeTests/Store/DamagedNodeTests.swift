import BatonCore
import BatonNode
import BatonStore
import CSQLite
import Foundation
import Support
import Testing

/// Nodes whose disk returns other bytes than were written.
@Suite struct `A node on a damaged disk` {
    fileprivate static func quick(_ limits: inout Limits) {
        limits.redialTime = .milliseconds(10)...(.milliseconds(100))
    }

    /// Two devices of an account, and all writes that they were seen to have.
    private final class Pair {
        let folder = try? TemporaryFolder()
        private(set) var near: RunningNode
        private(set) var far: RunningNode
        private let addresses: [String]
        let account: AccountIdentifier
        private var sequence: UInt64 = 0
        /// The stamp of every write that was ever seen, by its dot.
        private var stamps: [Dot: Stamp] = [:]

        init() throws {
            let folder = try #require(folder)
            near = try RunningNode.first(folder, "near", `A node on a damaged disk`.quick)
            try near.admit("far")
            far = try RunningNode(folder, "far", `A node on a damaged disk`.quick)
            addresses = [near.port, far.port].map { "127.0.0.1:\($0)" }
            account = try near.status().account
            try awaitStep()
        }

        func awaitStep() throws {
            let nodes = [near, far]
            try eventually("two nodes in step: \(nodes.map { $0.lines.suffix(6) })") {
                try nodes.allSatisfy {
                    let peers = try $0.peers()
                    return !peers.isEmpty && peers.allSatisfy { $0.isInStep && !$0.addresses.isEmpty }
                }
            }
        }

        func stop() throws {
            near.stop()
            far.stop()
            for home in [near.home, far.home] { try checkDots(home) }
        }

        func start(near startsNear: Bool = true, far startsFar: Bool = true) throws {
            let folder = try #require(folder)
            if startsFar {
                far = try RunningNode(folder, "far", at: addresses[1], `A node on a damaged disk`.quick)
            }
            if startsNear {
                near = try RunningNode(folder, "near", at: addresses[0], `A node on a damaged disk`.quick)
            }
        }

        func store(_ node: RunningNode) throws -> SQLiteStore {
            try SQLiteStore(folder: node.home.account(), account: account)
        }

        /// Writes items into the index of a home that no node uses.
        func index(_ count: Int, of node: RunningNode, text: String) throws {
            sequence += 1
            try store(node).index(count, titled: text, random: sequence)
        }

        /// Checks that no dot names two writes.
        private func checkDots(_ home: Home) throws {
            let store = try SQLiteStore(folder: home.account(), account: account)
            for lane in Lane.allCases {
                let request = RangeRequest(lane: lane, after: nil, since: nil, covered: nil, bytes: .max)
                guard case .range(let range) = try store.range(request) else { continue }
                for write in range.writes {
                    let known = stamps.updateValue(write.stamp, forKey: write.dot)
                    #expect(known == nil || known == write.stamp, "\(write.dot) names two writes")
                }
            }
        }
    }

    private func flip(_ node: RunningNode, _ name: String, every distance: Int) throws {
        try FileDamage.flipPages(of: "\(node.home.account())/\(name)", every: distance)
    }

    private func activity(_ node: RunningNode, _ number: Int) throws {
        let start = StartActivity(
            app: "org.example.edit", instance: "\(number)", lifetime: .untilFinished,
            type: "org.example.edit",
            change: ActivityChange())
        guard case .success = try node.ask(start) else {
            throw DeadlinePassed(description: "an activity was not started")
        }
    }

    /// Returns the titles that a search finds.
    private func found(_ node: RunningNode, _ text: String) throws -> [String] {
        guard case .success(let items) = try node.ask(SearchItems(text, most: 5)).map(\.items) else {
            return []
        }
        return items.compactMap(\.title)
    }

    private func expectSame(_ pair: Pair) throws {
        let checks = try [pair.near, pair.far].map { try pair.store($0).check(at: InMemoryStore.past) }
        #expect(checks[0] == checks[1] && checks[0] != nil)
        let digests = try [pair.near, pair.far].map {
            try pair.store($0).recount(.index, at: InMemoryStore.past)
        }
        #expect(digests[0] == digests[1])
    }

    @Test
    func `a node damaged while stopped gets its data back from other nodes, but no deleted items`()
        throws
    {
        let pair = try Pair()
        for number in 0..<12 { try activity(pair.far, number) }
        for number in 0..<5 {
            let target = ActivityTarget.instance(app: "org.example.edit", instance: "\(number)")
            guard case .success = try pair.far.ask(FinishActivity(target)) else {
                throw DeadlinePassed(description: "an activity was not finished")
            }
        }
        try pair.awaitStep()
        try pair.stop()
        try pair.index(1500, of: pair.near, text: "first")
        try pair.start()
        try pair.awaitStep()
        try pair.stop()
        try flip(pair.far, "index.sqlite", every: 3)
        try flip(pair.far, "activities.sqlite", every: 2)

        try pair.start()
        try eventually("a report of the rescue: \(pair.far.lines)") {
            try pair.far.status().troubles.contains { $0.contains("moved to") && $0.contains("smartctl") }
        }
        try pair.awaitStep()
        try pair.stop()
        try expectSame(pair)
        for node in [pair.near, pair.far] {
            #expect(try pair.store(node).records(of: .currentActivity).count == 7)
            #expect(try pair.store(node).records(of: .item).count == 1500)
        }
    }

    @Test func `a node damaged while it runs continues running, and converges with the others`() throws {
        let pair = try Pair()
        try pair.stop()
        try pair.index(1500, of: pair.near, text: "first")
        try pair.start()
        try pair.awaitStep()
        try pair.stop()
        // The far node runs alone while its disk gets damaged; then the other node sends it changes.
        try pair.index(1500, of: pair.near, text: "second")
        try pair.start(near: false)
        #expect(try found(pair.far, "first 1234").contains("first 1234"))
        try flip(pair.far, "index.sqlite", every: 5)
        try pair.start(far: false)
        try eventually("a report of the rescue: \(pair.far.lines)") {
            try pair.far.status().troubles.contains { $0.contains("the database of the index was damaged") }
        }
        try pair.awaitStep()
        try eventually("a search of what came after the rescue") {
            try found(pair.far, "second 1234").contains("second 1234")
        }
        try pair.stop()
        try expectSame(pair)
        let requests = try pair.store(pair.far).notes(in: .reindex).map(ReindexRequest.init)
        #expect(!requests.isEmpty)
        let quarantined = try FileManager.default.contentsOfDirectory(atPath: pair.far.home.account())
            .filter {
                $0.hasPrefix("index.sqlite.damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
            }
        #expect(quarantined.count == 1)
    }

    @Test func `status does not count quarantined records that a rescue dropped`() throws {
        let pair = try Pair()
        try pair.stop()
        try pair.index(1500, of: pair.near, text: "first")
        try pair.start()
        try pair.awaitStep()
        try pair.stop()
        let dot = Dot(origin: Origin(life: Life(high: 9, low: 9), lane: .index), sequence: 1)
        let sender = DeviceIdentifier(high: 9, low: 9)
        var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
        transaction.quarantined = [QuarantinedWrite(dot: dot, target: nil, reason: "a test", peer: sender)]
        _ = try pair.store(pair.far).commit(transaction)
        try pair.index(1500, of: pair.near, text: "second")
        try pair.start(near: false)
        let trouble = "1 record from “\(sender.short)” can't be read"
        #expect(try pair.far.status().troubles.contains { $0.contains(trouble) })
        try flip(pair.far, "index.sqlite", every: 5)
        try pair.start(far: false)
        try eventually("a rescue that is told: \(pair.far.lines)") {
            try pair.far.status().troubles.contains { $0.contains("the database of the index was damaged") }
        }
        #expect(try !pair.far.status().troubles.contains { $0.contains(trouble) })
        try pair.stop()
    }

    /// A node reads these pages when it starts: the index of records, and the table of the progress.
    @Test(arguments: [10, 22], ["activities.sqlite", "index.sqlite"])
    func `a node starts although a page that it reads when starting is damaged`(page: Int, name: String)
        throws
    {
        let folder = try TemporaryFolder()
        var node = try RunningNode.first(folder, "near")
        node.stop()
        try FileDamage.flipPage(page, of: "\(node.home.account())/\(name)")
        node = try RunningNode(folder, "near")
        let troubles = try node.status().troubles
        #expect(troubles.count == 1 && troubles[0].contains("\(name).damaged-"), "\(troubles)")
        try activity(node, 1)
    }

    @Test(arguments: [
        ("PRAGMA user_version = 99", "Start the newer version of Baton;"),
        ("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE progress SET time = 1", "fuser -v"),
    ])
    func `a fault other than damage ends the node with advice, and quarantines nothing`(
        script: String, advice: String
    )
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near")
        let home = node.home
        node.stop()
        let files = try CheckedFileSystem(over: nil)
        withExtendedLifetime(files) {
            var handle: OpaquePointer?
            let path = home.account() + "/index.sqlite"
            #expect(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK)
            defer { sqlite3_close(handle) }
            #expect(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
            let failure = #expect(throws: LocalFailure.self) { try RunningNode(folder, "near") }
            #expect(failure?.code == .storage && failure?.text.contains(advice) == true, "\(failure as Any)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: home.account())
        #expect(!names.contains { $0.contains("damaged") })
    }
}
