import BatonCore
import BatonStore
import CSQLite
import Disks
import Glibc
import Support
import Testing

/// The bytes of removed items in the files of a store.
@Suite struct `Erasing` {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `no file has a word of a removed and erased item, even if the process was killed in between`(
        seed: UInt64
    ) throws {
        var trial = ErasureTrial(seed: seed)
        var seen = 0
        for _ in 0..<3 {
            try trial.open { stage in for _ in 0..<40 { try stage.act() } }
            seen += trial.left.count
            for _ in 0..<trial.generator.number(0...3) {
                try trial.open { stage in
                    let steps = stage.generator.number(0...6)
                    for _ in 0..<steps { _ = try stage.erase() }
                    if stage.generator.chance(50) { try stage.act() }
                }
            }
            try trial.open { stage in
                while try stage.erase() != .done {}
                try stage.demandFound()
            }
            #expect(trial.left == [], "seed \(seed)")
            #expect(trial.unusedBytes == 0, "seed \(seed)")
        }
        // Otherwise the search of the files would say little.
        #expect(seen > 20, "\(seen) removed words were in the files before")
    }

    @Test func `the opening counts of deleted items are found in steps, without those of other items`()
        throws
    {
        let stage = try SearchStage()
        let names = (0..<7).map(String.init)
        try stage.write(names.map { .item($0, [.title: "Note"]) })
        for name in names { try stage.open(name, times: 2) }
        let lane = stage.store.ownLane(.index)
        func gone(most: Int = 2) throws -> [RecordIdentity] {
            var (found, place) = ([RecordIdentity](), KeyHash?.none)
            repeat {
                let step = try lane.usesOfGoneItems(after: place, most: most)
                found += step.keys.map(\.identity)
                place = step.last
            } while place != nil
            return found
        }
        #expect(try gone().isEmpty)
        let removed = ["2", "4", "5"]
        try stage.write(removed.map { .removal(of: $0) })
        let expected = removed.map {
            EngagementName(counting: Journal.Draft.removal(of: $0).key).key.identity
        }
        #expect(try Set(gone()) == Set(expected))
        #expect(try Set(gone(most: 100)) == Set(expected))
        // An item that was indexed anew is ranked as before.
        try stage.write([.item("4", [.title: "Note"])])
        #expect(try Set(gone()) == Set([expected[0], expected[2]]))
        // A clear ends the counts with the items.
        let scope = Scope.items(app: "org.example.app", index: "notes", domain: nil)
        try stage.write([Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))])
        #expect(try gone(most: 1000).isEmpty)
    }

    @Test func `an unclaimed count of openings is kept, because its item may still arrive`() throws {
        let stage = try SearchStage()
        let thing = Journal.Draft.removal(of: "1").key
        let scope = Scope.items(app: "org.example.app", index: "notes", domain: nil)
        let draft = Engagement.draft(
            opening: thing, in: scope, by: DeviceIdentifier(high: 5, low: 5), at: WallTime(milliseconds: 5),
            after: nil)
        var transaction = try stage.transaction([draft])
        let claim = transaction.completing
        transaction.completing = VersionVector()
        _ = try stage.store.commit(transaction)
        let lane = stage.store.ownLane(.index)
        #expect(try lane.usesOfGoneItems(after: nil, most: 10).keys.isEmpty)
        _ = try stage.store.commit(StoreTransaction(lane: .index, writes: [], completing: claim))
        #expect(try lane.usesOfGoneItems(after: nil, most: 10).keys.count == 1)
    }

    @Test func `words of replaced texts are erased on request`() throws {
        var trial = ErasureTrial(seed: 1)
        try trial.open { stage in
            for _ in 0..<30 { try stage.add() }
            for _ in 0..<5 { try stage.replace() }
            while try stage.erase(.removed) != .done {}
        }
        #expect(!trial.left.isEmpty)
        try trial.open { stage in while try stage.erase(.replaced) != .done {} }
        #expect(trial.left == [])
    }

    @Test func `words of items that a batch replaces are erased, although the batch is merged only later`()
        throws
    {
        var trial = ErasureTrial(seed: 4)
        try trial.open { stage in
            for _ in 0..<30 { try stage.add() }
            try stage.replaceAllInBatch()
            try stage.replaceAllInBatch()
        }
        #expect(!trial.left.isEmpty)
        try trial.open { stage in
            while try stage.erase() != .done {}
            try stage.demandFound()
        }
        #expect(trial.left == [])
    }

    @Test func `erasing rewrites nothing if nothing was removed`() throws {
        var trial = ErasureTrial(seed: 2)
        try trial.open { stage in
            for _ in 0..<30 { try stage.add() }
            // The log of an open store may have anything.
            while try stage.erase() != .done {}
            let steps = stage.store.steps
            for _ in 0..<3 { #expect(try stage.erase() == .done) }
            #expect(stage.store.steps == steps)
            try stage.add()
            var count = 0
            while try stage.erase() != .done { count += 1 }
            #expect(count == 1, "the log is emptied, and the words stay as they are")
        }
    }

    @Test func `words that are removed during an erasure are erased by the next rewriting`() throws {
        var trial = ErasureTrial(seed: 3)
        try trial.open { stage in
            for _ in 0..<60 { try stage.add() }
            try stage.remove()
            #expect(try stage.store.ownLane(.index).erase(.removed, pages: 1) == .more)
            for _ in 0..<3 { try stage.remove() }
            while try stage.erase() != .done {}
        }
        #expect(trial.left == [])
    }

    @Test func `the log is emptied once no reader uses it`() throws {
        let stage = try SearchStage()
        try stage.write([.item("a", [.title: "quixotic"])])
        try stage.write([.removal(of: "a")])
        let lane = stage.store.ownLane(.index)
        var reader: OpaquePointer?
        defer { sqlite3_close(reader) }
        let path = stage.folder.path + "/index.sqlite"
        try #require(sqlite3_open_v2(path, &reader, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let reads = "BEGIN; SELECT count(*) FROM account"
        try #require(sqlite3_exec(reader, reads, nil, nil, nil) == SQLITE_OK)
        try stage.write([.item("b", [.title: "later"])])
        var held = 0
        for _ in 0..<10 where try lane.erase(.replaced) == .held { held += 1 }
        #expect(held > 0)
        try #require(sqlite3_exec(reader, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        while try lane.erase(.replaced) != .done {}
        var status = stat()
        try #require(stat(path + "-wal", &status) == 0)
        #expect(status.st_size == 0)
    }
}

/// Items with words that no other text has, on a disk in memory.
struct ErasureTrial {
    var generator: SeededGenerator
    private var image = DiskImage()
    private var journal = Journal(life: Life(high: 5, low: 1), latest: .zero)
    private var items: [String: [String]] = [:]
    private var removed: [String] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Opens the store, passes it to the closure, and kills the process then.
    mutating func open(_ body: (inout Stage) throws -> Void) throws {
        let disk = TestDisk(image)
        image = try withExtendedLifetime(disk) {
            let store = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
            return try withExtendedLifetime(store) {
                var stage = Stage(
                    store: store, disk: disk.name, generator: generator, journal: journal, items: items,
                    removed: removed)
                try body(&stage)
                (generator, journal) = (stage.generator, stage.journal)
                (items, removed) = (stage.items, stage.removed)
                return disk.image.afterProcesses
            }
        }
    }

    /// The words of removed items that are in some file.
    var left: [String] {
        // The full-text table stores the letters that a word has in common with the word before only once.
        let ends = removed.map { Array($0.utf8.suffix(Self.endBytes)) }
        var mayBegin = [Bool](repeating: false, count: 1 << 16)
        for end in ends { mayBegin[Int(end[0]) << 8 | Int(end[1])] = true }
        let sought = Set(ends)
        var found: Set<[UInt8]> = []
        for name in image.fileNames {
            let file = image.bytes(of: name)
            var pair = 0
            for place in file.indices {
                pair = (pair << 8 | Int(file[place])) & 0xffff
                guard mayBegin[pair], place > 0, place - 1 + Self.endBytes <= file.count else { continue }
                let end = Array(file[place - 1..<place - 1 + Self.endBytes])
                if sought.contains(end) { found.insert(end) }
            }
        }
        return zip(removed, ends).filter { found.contains($0.1) }.map(\.0)
    }

    private static let endBytes = 12

    /// How many bytes that are not zero lie between the rows' places and the rows of pages of B-trees.
    var unusedBytes: Int {
        image.fileNames.filter { $0.hasSuffix(".sqlite") }.reduce(0) { total, name in
            let bytes = image.bytes(of: name)
            return total
                + stride(from: 0, to: bytes.count, by: 4096).reduce(0) { sum, start in
                    let head = start == 0 ? 100 : start
                    guard [2, 5, 10, 13].contains(bytes[head]) else { return sum }
                    let short = { (place: Int) in Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
                    let places = head + ([2, 5].contains(bytes[head]) ? 12 : 8) + 2 * short(head + 3)
                    return sum + bytes[places..<start + short(head + 5)].count { $0 != 0 }
                }
        }
    }

    /// The open store, and what is in it.
    struct Stage {
        let store: SQLiteStore
        let disk: String
        var generator: SeededGenerator
        fileprivate(set) var journal: Journal
        /// The words of the items that are there.
        fileprivate(set) var items: [String: [String]]
        /// The words of items that are not there any more.
        fileprivate(set) var removed: [String]

        /// Does one of the things that apps and persons do.
        mutating func act() throws {
            switch generator.number(0...9) {
            case 0...4: for _ in 0..<generator.number(1...8) { try add() }
            case 5: try replace()
            case 6, 7: try remove()
            case 8:
                let domain = generator.pick(["a", "b", "c"])
                try write([
                    Journal.Draft(
                        .full(Write.Content(fields: Fields())),
                        Scope.items(app: "org.example.app", index: "notes", domain: domain).clearKey(
                            in: .index))
                ])
                while try store.lane(.index).settle(most: 100) != nil {}
                let left = Set(
                    try store.records(of: .item).filter { $0.content != nil }.compactMap(\.key).map {
                        try ItemName($0).identifier
                    })
                for name in items.keys.sorted() where !left.contains(name) { forget(name) }
            default: try stageAndDiscard()
            }
        }

        mutating func add() throws {
            let name = word()
            items[name] = [name] + (0..<generator.number(1...3)).map { _ in word() }
            try write([draft(name)])
        }

        /// Gives an item other words, but the same name.
        mutating func replace() throws {
            guard let name = items.keys.sorted().randomElement(using: &generator), let words = items[name]
            else {
                return
            }
            removed += words.dropFirst()
            items[name] = [name, word()]
            try write([draft(name)])
        }

        /// Gives all items other words in a batch, the changes of which are kept for later.
        mutating func replaceAllInBatch() throws {
            (store.recordsAtOnce, store.wordsKeptLeast) = (0, 1)
            var drafts: [Journal.Draft] = []
            for name in items.keys.sorted() {
                removed += (items[name] ?? []).dropFirst()
                items[name] = [name, word()]
                drafts.append(draft(name))
            }
            let batch = BatchIdentifier(value: UInt64(generator.number(1...1_000_000)))
            try store.stage(drafts, in: batch)
            let ending = journal.ending(
                batch, count: drafts.count, with: nil, now: WallTime(milliseconds: 1_000_000))
            _ = try store.commit(try #require(ending))
            while try store.lane(.index).unsettled().toMerge > 0 { _ = try store.settle(most: 100) }
        }

        mutating func remove() throws {
            guard let name = items.keys.sorted().randomElement(using: &generator) else { return }
            try write([.removal(of: name)])
            forget(name)
        }

        private mutating func stageAndDiscard() throws {
            let batch = BatchIdentifier(value: UInt64(generator.number(1...1_000_000)))
            var drafts: [Journal.Draft] = []
            for _ in 0..<generator.number(1...20) {
                let name = word()
                items[name] = [name, word()]
                drafts.append(draft(name))
                forget(name)
            }
            try store.stage(drafts, in: batch)
            store.ownLane(.index).discard(batch)
            while try store.lane(.index).settle(most: 7) != nil {}
        }

        private mutating func forget(_ name: String) { removed += items.removeValue(forKey: name) ?? [] }

        private mutating func draft(_ name: String) -> Journal.Draft {
            let words = (items[name] ?? []).dropFirst()
            // Long texts fill pages of their own.
            let rest = (0..<generator.pick([3, 30, 2000])).map { "word\($0 % 777)" }.joined(separator: " ")
            return .item(
                name, domain: generator.pick(["a", "b", "c", "d"]), expires: nil,
                [
                    .title: words.joined(separator: " "),
                    .textContent: rest + " " + words.joined(separator: ", "),
                ])
        }

        private mutating func write(_ drafts: [Journal.Draft]) throws {
            let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: 1_000_000))
            _ = try store.commit(try #require(transaction))
        }

        /// Returns a word that no other text has.
        private mutating func word() -> String {
            String(generator.next(), radix: 36) + "q" + String(generator.next(), radix: 36)
        }

        func erase(_ words: RemovedWords = .replaced) throws -> ErasureProgress {
            for lane in [Lane.activities, .index] {
                let progress = try store.ownLane(lane).erase(words)
                if progress != .done { return progress }
            }
            return .done
        }

        /// Checks that searches find the items that are there, and nothing else.
        func demandFound() throws {
            let reader = try SearchReader(folder: "", stop: SearchStop(), fileSystem: disk)
            for (name, words) in items {
                for word in words.dropFirst() {
                    #expect(
                        try reader.find(word + " ", most: 5, at: WallTime(milliseconds: 0)).items.map(
                            \.identifier) == [name])
                }
            }
            for word in removed {
                #expect(try reader.find(word + " ", most: 5, at: WallTime(milliseconds: 0)).items.isEmpty)
            }
        }
    }
}
