import BatonCore
import BatonStore
import Support
import Testing

@Suite struct `The full-text table` {
    /// The words of which all texts are made.
    private static let words = ["red", "green", "Blau", "café", "東京", "京都", "都", "x1"]
    private static let queries = words + ["r", "c", "京", "東京都", "red green", "green r", "blau 東京", "cafe x"]

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `has exactly the existing items after any sequence of changes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (stage, other) = (try SearchStage(), try SearchStage())
        for _ in 0..<60 {
            try Self.act(on: stage, &generator)
            if generator.chance(10) { try stage.reopen() }
            if generator.chance(10) { try Self.sendAll(from: stage, to: other, &generator) }
            if generator.chance(20) { try Self.compare(stage, "after seed \(seed)") }
        }
        try Self.sendAll(from: stage, to: other, &generator)
        try Self.compare(stage, "in the end")
        try Self.compare(other, "at a peer")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `is refilled in small steps if it was filled by an earlier version's rules`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let stage = try SearchStage()
        for _ in 0..<30 { try Self.act(on: stage, &generator) }
        try stage.change("UPDATE search_progress SET rules = rules + 1")
        try stage.reopen()
        let texts = try stage.store.records(of: .item).compactMap(SearchText.init)
        if !texts.isEmpty { #expect(try !stage.find("red").isWhole) }
        var steps = 0
        while try !stage.store.fillSearch(most: 2) {
            steps += 1
            if generator.chance(40) { try Self.act(on: stage, &generator) }
            if generator.chance(10) { try stage.reopen() }
        }
        #expect(steps > 0)
        #expect(try stage.find("red").isWhole)
        try Self.compare(stage, "when it is whole")
        for _ in 0..<10 { try Self.act(on: stage, &generator) }
        try Self.compare(stage, "and later")
    }

    @Test
    func `loses no words if it is refilled while a clear is being swept`()
        throws
    {
        let stage = try SearchStage()
        let drafts = (0..<4).map {
            Journal.Draft.item("\($0)", domain: $0 < 2 ? "a" : "b", [.title: "red \($0)"])
        }
        try stage.write(drafts)
        try stage.change("UPDATE search_progress SET rules = rules + 1")
        try stage.reopen()
        stage.store.recordsAtOnce = 0
        let scope = Scope.items(app: "org.example.app", index: "notes", domain: "a")
        try stage.write([Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))])
        #expect(stage.store.isUnsettled(.index))
        while try !stage.store.fillSearch() {}
        #expect(try Set(stage.names("red")) == ["2", "3"])
        while try stage.store.lane(.index).settle(most: 10) != nil {}
        #expect(!stage.store.isUnsettled(.index))
        try Self.compare(stage, "after the clear was swept")
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `has exact word counts, whatever is written while batches are merged`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let stage = try SearchStage()
        var keptCount = 0
        for number in 1...30 as ClosedRange<UInt64> {
            stage.store.recordsAtOnce = 0
            let drafts = (0..<generator.number(1...12)).map { _ in Self.batchDraft(&generator) }
            try stage.store.stage(drafts, in: BatchIdentifier(value: number))
            let ending = try stage.ending(BatchIdentifier(value: number), count: drafts.count)
            _ = try stage.store.commit(ending)
            for _ in 0..<generator.number(1...8) {
                // Steps of one batch are large and small, and so is what they take of what was kept.
                stage.store.wordsKeptLeast = generator.pick([1, 1, 2, 3])
                _ = try stage.store.settle(most: generator.number(1...3))
                keptCount += try stage.count("SELECT count(*) FROM word_changes")
                if generator.chance(30) { try Self.act(on: stage, &generator) }
                if generator.chance(10) {
                    try stage.reopen()
                    stage.store.recordsAtOnce = 0
                }
            }
            guard generator.chance(20) else { continue }
            while try stage.store.settle(most: 2) != nil {}
            try Self.compare(stage, "after batch \(number)")
        }
        while try stage.store.settle(most: 100) != nil {}
        try Self.compare(stage, "in the end")
        #expect(try stage.count("SELECT count(*) FROM word_changes") == 0)
        #expect(keptCount > 20, "\(keptCount) rows were kept")
    }

    @Test func `finds items written while a batch is merged, also by the beginning of a word`() throws {
        let stage = try Self.keepingWords()
        try stage.write([.item("4", [.title: "quince"])])
        #expect(try stage.names("quin") == ["4"] && stage.names("quince") == ["4"])
        // The table of words does not have the words of the batch yet.
        try stage.write([.removal(of: "2")])
        #expect(try stage.count("SELECT items FROM words WHERE word = CAST('quixotic' AS BLOB)") == -1)
        #expect(try stage.find("qui").coverage == .merging)
        #expect(try stage.names("qui") == ["4"])
        try stage.reopen()
        #expect(stage.store.isUnsettled(.index))
        while try stage.store.settle(most: 25) != nil {}
        #expect(try stage.names("quix") == ["3"] && stage.find("quix").isWhole)
        #expect(try stage.count("SELECT count(*) FROM word_changes") == 0)
        try Self.compare(stage, "after the batch was merged")
    }

    @Test(arguments: ["x'ff'", "x'0161'", "x'016100'", "x'0161ffffffffffff01'", "x'00'", "zeroblob(500)"])
    func `is refilled if its noted changes of words can't be read`(changes: String) throws {
        let stage = try Self.keepingWords()
        try stage.change("UPDATE word_changes SET changes = \(changes)")
        try stage.reopen()
        while try stage.store.settle(most: 25) != nil {}
        #expect(try !stage.find("quix").isWhole)
        while try !stage.store.fillSearch() {}
        #expect(try Set(stage.names("quix")) == ["2", "3"])
        try Self.compare(stage, "after the damage")
    }

    /// Returns a store with a batch whose items are merged, and whose words are not in the table of words.
    private static func keepingWords() throws -> SearchStage {
        let stage = try SearchStage()
        try stage.write([.item("1", [.title: "red"])])
        (stage.store.recordsAtOnce, stage.store.wordsKeptLeast) = (0, 1)
        let drafts = ["2", "3"].map { Journal.Draft.item($0, [.title: "quixotic"]) }
        try stage.store.stage(drafts, in: BatchIdentifier(value: 7))
        _ = try stage.store.commit(try stage.ending(BatchIdentifier(value: 7), count: 2))
        try #require(try stage.store.settle(most: 2) != nil)
        #expect(try stage.count("SELECT count(*) FROM word_changes") == 1)
        #expect(try stage.store.lane(.index).unsettled().toMerge == 0)
        return stage
    }

    @Test func `is refilled if it is damaged, and nothing else is lost`() throws {
        let stage = try SearchStage()
        try stage.write((0..<50).map { .item("\($0)", [.title: "red \($0)"]) })
        try stage.change("UPDATE search_data SET block = zeroblob(8) WHERE id > 10")
        try stage.reopen()
        try stage.write((0..<50).map { .item("\($0)", [.title: "green \($0)"]) })
        while try !stage.store.fillSearch() {}
        try Self.compare(stage, "after the damage")
        #expect(try stage.names("green").count == 50)
    }

    @Test func `is refilled from the first item if it is damaged during a refill`() throws {
        let stage = try SearchStage()
        try stage.write((0..<40).map { .item("\($0)", [.title: "red \($0)"]) })
        try stage.change(
            """
            UPDATE search_progress SET rules = rules + 1;
            INSERT OR REPLACE INTO search_config (k, v) VALUES ('hashsize', 1);
            """)
        try stage.reopen()
        // Each change is passed to FTS5 at once, which writes it with the next one.
        stage.store.searchBytesMost = 0
        #expect(try !stage.store.fillSearch(most: 10))
        // FTS5 reads this row, which lists the segments, before it writes one.
        try stage.change("UPDATE search_data SET block = x'ffffffffffffffffffff' WHERE id = 10")
        while try !stage.store.fillSearch(most: 100) {}
        #expect(try stage.names("red").count == 40)
        try Self.compare(stage, "after the damage")
    }

    @Test func `loses no other change of the transaction group if emptying the table fails`() throws {
        let stage = try SearchStage()
        try stage.write([.item("1", [.title: "red"])])
        // Emptying the table fails halfway.
        try stage.change(
            """
            CREATE TRIGGER refusing BEFORE DELETE ON search_docsize BEGIN SELECT RAISE(ABORT, 'on purpose'); END
            """)
        let transaction = try stage.transaction([.item("2", [.title: "red"])])
        try stage.store.group { () throws(StoreFailure) in
            _ = try stage.store.commit(transaction)
            #expect(throws: StoreFailure.self) { try stage.store.emptySearch() }
        }
        #expect(try Set(stage.names("red")) == ["1", "2"])
        try Self.compare(stage, "after it could not be made anew")
    }

    @Test func `drops the items that a snapshot removes`() throws {
        let stage = try SearchStage()
        try stage.write([.item("1", [.title: "red"]), .item("2", [.title: "red"])])
        let kept = try #require(try stage.store.record(Self.name("2").key.identity)).survivingWrites
        let known = try stage.store.summary().complete
        var snapshot = StoreTransaction(
            lane: .index, writes: kept, completing: VersionVector(),
            resume: StoreTransaction.Resume(
                peer: DeviceIdentifier(high: 7, low: 7), token: ResumeToken(bytes: [7])))
        snapshot.range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: known, dropped: known,
            horizon: HybridTime(value: .max >> 2), start: known)
        snapshot.renewingLife = Life(high: 9, low: 9)
        _ = try stage.store.commit(snapshot)
        #expect(try stage.store.record(Self.name("1").key.identity) == nil)
        #expect(try stage.names("red") == ["2"])
        try Self.compare(stage, "after the snapshot")
    }

    private static func name(_ identifier: String) -> ItemName {
        ItemName(app: "org.example.app", index: "notes", identifier: identifier)
    }

    @Test func `contains nothing of a failed transaction`() throws {
        let stage = try SearchStage()
        try Self.tryGroup(
            on: stage, [.item("1", [.title: "red"])],
            failing: [.item("1", [.title: "blau"]), .item("2", [.title: "red"])],
            [.item("3", [.title: "green"])])
        #expect(try stage.names("red") == ["1"] && stage.names("green") == ["3"])
        #expect(try stage.names("blau").isEmpty)
        try Self.compare(stage, "after a failure")
    }

    @Test
    func `contains nothing of a large transaction that fails after its text was written`()
        throws
    {
        // The page cache has 16 MiB.
        let large = (0..<60).map { number in
            Journal.Draft.item(
                "\(number)",
                [
                    .title: "red", .textContent: String(repeating: "café x1 \(number) ", count: 1700),
                    .thumbnailURL: String(repeating: "x", count: 190_000),
                    .darkThumbnailURL: String(repeating: "x", count: 190_000),
                ])
        }
        let stage = try SearchStage()
        // Nothing stands before it in its transaction, so all of that is undone, and what follows is kept.
        try Self.tryGroup(on: stage, [], failing: large, [.item("3", [.title: "green"])])
        #expect(try stage.names("red").isEmpty && stage.names("green") == ["3"])
        try Self.compare(stage, "after a large failure")
        // Pages of it were spilled to the journal by then, so it can't be undone without what stands before it: the
        // group fails, and nothing of it is kept.
        #expect(throws: StoreFailure.self) {
            try Self.tryGroup(on: stage, [.item("4", [.title: "blau"])], failing: large, [])
        }
        #expect(try stage.store.records(of: .item).count == 1)
        try Self.compare(stage, "after a group that failed")
        try stage.write(large)
        #expect(try stage.names("red").count == 60)
        try Self.compare(stage, "after what is large was kept")
    }

    @Test
    func `contains nothing of a small transaction that fails after its text was written`()
        throws
    {
        let failing = [Journal.Draft.item("2", [.title: String(repeating: "blau ", count: 200)])]
        // Each change is written at once, so that nothing else is lost with the one that failed.
        let stage = try SearchStage()
        stage.store.searchBytesMost = 0
        try Self.tryGroup(
            on: stage, [.item("1", [.title: "red"])], failing: failing, [.item("3", [.title: "green"])])
        #expect(try stage.names("red") == ["1"] && stage.names("green") == ["3"])
        try Self.compare(stage, "after a failure")
        // The failure affects earlier writes of the same group: the group fails, and nothing of it is kept.
        stage.store.searchBytesMost = 500
        #expect(throws: StoreFailure.self) {
            try Self.tryGroup(on: stage, [.item("4", [.title: "red"])], failing: failing, [])
        }
        #expect(try stage.names("red") == ["1"])
        try Self.compare(stage, "after a group that failed")
    }

    /// Commits two transactions in a group, and between them one that fails at its end.
    private static func tryGroup(
        on stage: SearchStage, _ first: [Journal.Draft], failing: [Journal.Draft], _ last: [Journal.Draft]
    ) throws {
        let before = try first.isEmpty ? nil : stage.transaction(first)
        var wrong = try stage.transaction(failing)
        wrong.quarantined = (0...UInt64(Limits.quarantinedWrites)).map { number in
            let dot = Dot(
                origin: Origin(life: Life(high: 6, low: 6), lane: .index), sequence: number + 1, place: 0)
            return QuarantinedWrite(dot: dot, target: nil, reason: "on purpose", peer: nil)
        }
        wrong.resume = StoreTransaction.Resume(
            peer: DeviceIdentifier(high: 7, low: 7), token: ResumeToken(bytes: [1]))
        let after = try last.isEmpty ? nil : stage.transaction(last)
        var failure: StoreFailure?
        try stage.store.group { () throws(StoreFailure) in
            if let before { _ = try stage.store.commit(before) }
            do throws(StoreFailure) { _ = try stage.store.commit(wrong) } catch { failure = error }
            if let after { _ = try stage.store.commit(after) }
        }
        #expect(failure?.code == .unreadable)
    }

    // MARK: Steps

    private static func act(on stage: SearchStage, _ generator: inout SeededGenerator) throws {
        let drafts = try (0..<generator.number(1...4)).map { _ in try draft(stage, &generator) }
        switch generator.number(0...9) {
        case 0:
            // The step is lost with everything that was done before in the same group.
            let transactions = try [drafts, drafts].map { try stage.transaction($0) }
            #expect(throws: StoreFailure.self) {
                try stage.store.group { () throws(StoreFailure) in
                    for transaction in transactions { _ = try stage.store.commit(transaction) }
                    throw StoreFailure(.full, "on purpose")
                }
            }
        case 1, 2:
            let transactions = try [drafts, drafts].map { try stage.transaction($0) }
            try stage.store.group { () throws(StoreFailure) in
                for transaction in transactions { _ = try stage.store.commit(transaction) }
            }
        default: try stage.write(drafts)
        }
    }

    private static func draft(
        _ stage: SearchStage, _ generator: inout SeededGenerator
    ) throws -> Journal.Draft {
        let identifier = "\(generator.number(1...12))"
        let name = ItemName(app: "org.example.app", index: "notes", identifier: identifier)
        let domain = generator.pick([nil, "a", "a.b", "c"])
        switch generator.number(0...9) {
        case 0: return .removal(of: identifier)
        case 1:
            let scope = Scope.items(app: "org.example.app", index: "notes", domain: domain ?? "a")
            return Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
        case 2, 3, 4:
            guard let record = try stage.store.record(name.key.identity), record.isThere else { fallthrough }
            var update = Item.Update()
            update.attributes[generator.pick([.title, .keywords, .path])] = .plain(.string(text(&generator)))
            if generator.chance(30) { update.removed = [.number(Attribute.contentDescription.number)] }
            return Journal.Draft(.partial(of: record.incarnation, update.fields), name.key)
        case 5:
            // A record whose name is not an item's.
            let key = RecordKey(kind: .item, parts: 1) { $0.unsigned(3) }
            return Journal.Draft(.full(Item(attributes: AttributeSet()).content(name)), key)
        default:
            return .item(
                identifier, domain: domain, [.title: text(&generator), .contentDescription: text(&generator)])
        }
    }

    /// Returns a draft that an app may have in a batch.
    private static func batchDraft(_ generator: inout SeededGenerator) -> Journal.Draft {
        let identifier = "\(generator.number(1...12))"
        switch generator.number(0...9) {
        case 0: return .removal(of: identifier)
        case 1:
            let scope = Scope.items(app: "org.example.app", index: "notes", domain: "a")
            return Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
        case 2, 3, 4:
            var update = Item.Update()
            update.attributes[generator.pick([.title, .keywords, .path])] = .plain(.string(text(&generator)))
            return Journal.Draft(late: .update(name(identifier), domain: nil, update.fields))
        default:
            let domain = generator.pick([nil, "a", "a.b", "c"])
            return .item(identifier, domain: domain, [.title: text(&generator)])
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<generator.number(0...4)).map { _ in generator.pick(words) }.joined(
            separator: generator.pick([" ", "", "."]))
    }

    /// Sends everything as a snapshot in ranges of a few records.
    private static func sendAll(
        from stage: SearchStage, to other: SearchStage, _ generator: inout SeededGenerator
    ) throws {
        var after: RecordIdentity?
        let start = try stage.store.summary().complete
        repeat {
            let request = RangeRequest(lane: .index, after: after, since: nil, covered: nil, bytes: 300)
            guard case .range(let range) = try stage.store.range(request) else {
                Issue.record("a snapshot was refused")
                return
            }
            var transaction = StoreTransaction(
                lane: .index, writes: range.ahead + range.writes, completing: VersionVector(),
                clock: range.horizon,
                resume: StoreTransaction.Resume(
                    peer: DeviceIdentifier(high: 7, low: 7), token: ResumeToken(bytes: [7])))
            transaction.range = ReceivedRange(
                after: after, through: range.through, isEndAhead: range.isEndAhead, known: range.complete,
                dropped: range.dropped, horizon: range.horizon, start: start)
            transaction.renewingLife = Life(high: 9, low: 9)
            _ = try other.store.commit(transaction)
            after = range.through
        } while after != nil
    }

    // MARK: Checks

    /// Compares what is found with what a new store finds that has only the items that exist.
    private static func compare(_ stage: SearchStage, _ when: String) throws {
        let fresh = try SearchStage()
        let visible = try stage.store.records(of: .item)
        let writes = visible.flatMap(\.survivingWrites)
        _ = try fresh.store.commit(
            StoreTransaction(lane: .index, writes: writes, completing: VersionVector()))
        // Ranks are computed from the number of rows.
        let rows = try stage.rowCounts()
        #expect(rows.counted == rows.present, "\(when)")
        let words = try stage.words()
        #expect(words.counted == words.present, "\(when)")
        for query in queries {
            let (found, expected) = (try stage.find(query), try fresh.find(query))
            let order = { (items: [FoundItem]) in items.sorted { $0.identifier < $1.identifier } }
            #expect(order(found.items) == order(expected.items), "\(query) \(when)")
            guard query == "x1" else { continue }
            let matching = visible.compactMap(SearchText.init).filter { text in
                text.texts.contains { text in
                    WordCutter.words(of: text, for: .index).contains { $0.folded.hasPrefix("x1") }
                }
            }
            #expect(found.items.count == matching.count, "\(when)")
        }
    }
}
