import BatonCore
import BatonStore
import Support
import Testing

/// A store with more clears than are held in memory, as a malicious member can make them.
@Suite struct `A lane with many clears` {
    private let stage: SearchStage

    init() throws { stage = try SearchStage() }

    private static func scope(_ domain: String) -> Scope {
        .items(app: "org.example.app", index: "notes", domain: domain)
    }

    private static func clearing(_ scope: Scope) -> Journal.Draft {
        Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
    }

    private func clear(_ numbers: Range<Int>) throws {
        try stage.write(
            numbers.map { Self.clearing(Self.scope("gone\($0)")) })
    }

    /// Writes a hundred items in a domain, and returns the steps that SQLite made for it.
    private func write(in domain: String, _ first: Int) throws -> Int {
        let before = stage.store.steps
        try stage.write((first..<first + 100).map { .item("\($0)", domain: domain, [.title: "one"]) })
        return stage.store.steps - before
    }

    @Test func `a write costs at most a tenth more in a lane with thousands of clears`() throws {
        _ = try write(in: "here.first", 0)
        let before = try write(in: "here.then", 100)
        for part in 0..<5 { try clear(part * 1000..<(part + 1) * 1000) }
        let beside = try write(in: "here.later", 200)
        #expect(beside < before * 11 / 10, "\(before) steps, then \(beside)")
        try stage.reopen()
        _ = try write(in: "here.again", 300)
        let reopened = try write(in: "here.last", 400)
        #expect(reopened < before * 11 / 10, "\(before) steps, then \(reopened)")
    }

    /// Returns the steps that SQLite makes for a clear and one item of an app that has the most items it may have.
    private static func steps(clearing count: Int) throws -> Int {
        let stage = try SearchStage()
        for first in stride(from: 0, to: count, by: 500) {
            try stage.write((first..<first + 500).map { .item("\($0)", domain: "here", [.title: "one"]) })
        }
        let new = Journal.Draft.item("new", domain: "there", [.title: "one"])
        var transaction = try stage.transaction([clearing(scope("here")), new])
        let quota = Quota(app: "org.example.app", items: count, bytes: .max)
        transaction.condition = IndexCondition(quota: quota)
        let before = stage.store.steps
        #expect(try stage.store.commit(transaction).refusal == nil)
        return stage.store.steps - before
    }

    @Test func `a clear in a full quota costs the same for any number of items`() throws {
        let (few, many) = (try Self.steps(clearing: 1500), try Self.steps(clearing: 6000))
        #expect(many < few * 11 / 10, "\(few) steps, then \(many)")
    }

    @Test func `each of many clears ends the records that it covers`() throws {
        var generator = SeededGenerator(seed: 5)
        var clears = Clears()
        let domain = { (generator: inout SeededGenerator) in
            (0..<generator.number(1...3)).map { _ in "d\(generator.number(0...12))" }.joined(separator: ".")
        }
        for round in 0..<20 {
            var writes: [Write] = []
            for _ in 0..<20 {
                let write = Write.clear(
                    Self.scope(domain(&generator)), at: UInt64(generator.number(1...1000)),
                    by: UInt64(generator.number(2...9)))
                writes.append(write)
                if let clear = write.clear { clears.add(clear) }
            }
            for number in 0..<40 {
                writes.append(
                    .told(
                        .told(UInt64(round * 40 + number)), at: UInt64(generator.number(1...1000)), by: 1,
                        .full(in: Self.scope(domain(&generator)))))
            }
            let transaction = StoreTransaction(
                lane: .index, writes: writes, completing: VersionVector(),
                clock: HybridTime(value: 1000))
            _ = try stage.store.commit(transaction)
            if round % 5 == 4 { try stage.reopen() }
            for write in writes where !write.identity.kind.isClear {
                let left = clears.remains(of: write).map { [$0] } ?? []
                #expect(try stage.store.record(write.identity)?.survivingWrites == left)
            }
        }
    }

    /// Returns the steps that SQLite makes to collect ten of so many clears and deletions.
    private static func steps(collectingAmong count: Int) throws -> Int {
        let stage = try SearchStage()
        for first in stride(from: 0, to: count, by: 500) {
            let numbers = first..<first + 500
            try stage.write(numbers.map { clearing(scope("gone\($0)")) })
            try stage.write(numbers.map { .item("\($0)", domain: "here", [:]) })
            try stage.write(numbers.map { .removal(of: "\($0)") })
        }
        var steps = 0
        // Deletions go first, then clears; a deletion that stays keeps all clears behind it.
        for most in [10, count, 10] {
            let before = stage.store.steps
            #expect(try stage.store.collect(CollectRequest(roster: [], most: most)) > 0)
            if most == 10 { steps += stage.store.steps - before }
        }
        return steps
    }

    @Test func `collecting a few tombstones costs the same for any number of tombstones`() throws {
        let (few, many) = (try Self.steps(collectingAmong: 500), try Self.steps(collectingAmong: 5000))
        #expect(many < few * 11 / 10, "\(few) steps, then \(many)")
    }

    @Test func `clears are sent in batches, and no batch reads all of them`() throws {
        for part in 0..<5 { try clear(part * 1000..<(part + 1) * 1000) }
        var request = ChangesRequest(lane: .index, after: .none, covered: VersionVector(), bytes: 2000)
        let before = stage.store.steps
        guard case .changes(let changes) = try stage.store.changes(request) else {
            return #expect(Bool(false), "no changes")
        }
        #expect((1..<100).contains(changes.writes.count) && changes.complete == nil)
        let steps = stage.store.steps - before
        #expect(steps < 5000, "\(steps) steps")
        request.clearsAfter = changes.clears
        guard case .changes(let further) = try stage.store.changes(request) else {
            return #expect(Bool(false), "no further changes")
        }
        #expect(Set(further.writes.map(\.identity)).isDisjoint(with: changes.writes.map(\.identity)))
    }

    @Test func `clears made during a snapshot are sent ahead of its next range, in batches`() throws {
        _ = try write(in: "here", 0)
        let since = try stage.write([.item("last", [:])]).head
        for part in 0..<3 { try clear(part * 1000..<(part + 1) * 1000) }
        let last = ItemName(app: "org.example.app", index: "notes", identifier: "7").key.identity
        var request = RangeRequest(
            lane: .index, after: last, since: since, covered: nil, bytes: 20_000)
        var (ahead, pieces): ([Write], Int) = ([], 0)
        while pieces < 1000 {
            pieces += 1
            switch try stage.store.range(request) {
            case .ahead(let clears, let place):
                #expect(clears.count < 500)
                ahead += clears
                request.since = place
                continue
            case .range(let range): ahead += range.ahead
            case .anew, .notNow: #expect(Bool(false), "no range")
            }
            break
        }
        #expect(ahead.count == 3000 && Set(ahead.map(\.identity)).count == 3000 && pieces > 3, "\(pieces)")
    }

    @Test func `the digest during unfinished clears equals the digest after them`() throws {
        for (place, domain) in ["a.b", "a", "a.c", "d"].enumerated() {
            let numbers = place * 300..<(place + 1) * 300
            try stage.write(
                numbers.map {
                    .item(
                        "\($0)", domain: domain, expires: $0 % 7 == 0 ? Int64(500 + $0) : nil,
                        [.title: "one"])
                })
        }
        for number in stride(from: 0, to: 1200, by: 50) { try stage.open("\(number)", times: 1) }
        stage.store.recordsAtOnce = 100
        try stage.write([Self.clearing(Self.scope("a.b"))])
        try stage.write([Self.clearing(Self.scope("a"))])
        try stage.write([.item("700", domain: "a", [.title: "after the clears"])])
        let times = [WallTime(milliseconds: .min), WallTime(milliseconds: 800), WallTime(milliseconds: .max)]
        func read() throws -> [StateDigest] {
            try times.map { time in
                let found = try UnsweptDigest(of: .index, in: stage.folder.path, stop: SearchStop())
                    .digest(at: time)
                return try #require(found?.digest)
            }
        }
        var digests = [try read()]
        #expect(stage.store.isUnsettled(.index))
        for _ in 0..<3 {
            _ = try stage.store.ownLane(.index).settle(most: 70)
            digests.append(try read())
        }
        #expect(stage.store.isUnsettled(.index))
        while try stage.store.ownLane(.index).settle(most: 70) != nil {}
        let settled = try times.map { try stage.store.digest(at: $0) }
        for digest in digests + [try read()] { #expect(digest == settled) }
    }
}
