import BatonCore
import Disks
import Foundation
import Support
import Synchronization
import Testing

@testable import BatonStore

/// A store whose files are encrypted with a cipher, on a real disk.
@Suite struct `An encrypted store` {
    private static let account = SearchStage.account

    // MARK: Use

    @Test func `is searched by another thread while it is written`() throws {
        let stage = try SearchStage(cipher: TestCipher())
        // The log is moved into the database and truncated several times.
        stage.store.logBytes = 1 << 18
        try stage.write(Self.drafts(0))
        let (path, gate) = (stage.folder.path, stage.store.readers)
        let searching = Searching()
        let thread = DispatchGroup()
        DispatchQueue.global().async(group: thread) {
            do {
                let reader = try SearchReader(
                    folder: path, stop: SearchStop(), gate: gate, cipher: TestCipher())
                var least = 20
                while !searching.isOver.load(ordering: .acquiring) {
                    let found = try reader.find("word ", most: 10_000, at: WallTime(milliseconds: 0))
                    guard found.items.count >= least, found.items.count % 20 == 0 else {
                        throw StoreViolation("\(found.items.count) items after \(least)")
                    }
                    least = found.items.count
                    searching.count.add(1, ordering: .relaxed)
                }
            } catch {
                searching.failure.withLock { $0 = error }
            }
        }
        for part in 1..<60 { try stage.write(Self.drafts(part)) }
        try eventually("some searches") {
            searching.count.load(ordering: .relaxed) > 3 || searching.failure.withLock { $0 != nil }
        }
        searching.isOver.store(true, ordering: .releasing)
        thread.wait()
        try searching.failure.withLock { if let error = $0 { throw error } }
        #expect(try stage.find("word ").items.count == 60 * 20)
    }

    /// The state that a thread that searches shares with a thread that writes.
    private final class Searching: Sendable {
        let failure = Mutex<(any Error)?>(nil)
        let isOver = Atomic(false)
        let count = Atomic(0)
    }

    @Test func `has everything after checkpoints, and after it was opened again`() throws {
        let stage = try SearchStage(cipher: TestCipher())
        for part in 0..<10 { try stage.write(Self.drafts(part)) }
        #expect(try stage.find("word ").items.count == 200)
        try stage.reopen()
        #expect(try stage.find("word ").items.count == 200)
        try stage.write([.removal(of: "3 3"), .removal(of: "4 4")])
        while try stage.store.ownLane(.index).erase(.replaced) != .done {}
        try stage.write(Self.drafts(10))
        #expect(try stage.find("word ").items.count == 218)
        try stage.reopen()
        #expect(try stage.find("word ").items.count == 218)
        #expect(try stage.names("number3x3 ") == [] && stage.names("number3x5 ") == ["3 5"])
    }

    @Test func `forgets searches that find nothing, for which it reads the other lane`() throws {
        let stage = try SearchStage(cipher: TestCipher())
        try stage.write(Self.drafts(0))
        let (lane, now) = (stage.store.ownLane(.index), WallTime(milliseconds: 1))
        try lane.remember(search: "number0x7", at: now)
        try lane.remember(search: "number0x8", at: now)
        try stage.write([.removal(of: "0 7")])
        #expect(try lane.database.history.withoutItems() == ["number0x7"])
        try lane.forgetVainSearches(at: now)
        #expect(try lane.database.history.withoutItems() == [])
        #expect(try lane.database.tables.history.entries().map(\.text) == ["number0x8"])
    }

    /// Returns twenty items that all have one word, and a word of their own each.
    private static func drafts(_ part: Int) -> [Journal.Draft] {
        (0..<20).map {
            .item("\(part) \($0)", [.title: "word number\(part)x\($0)", .contentDescription: "a text"])
        }
    }

    // MARK: Secrecy

    /// Writes items, and returns the markers that each moment's files have.
    private func markers(in cipher: TestCipher?) throws -> [Set<String>] {
        let markers = ["kqzidentifier", "kqztitle", "kqztext", "kqzindex", "kqzdomain", "kqzsearch"]
        let stage = try SearchStage(cipher: cipher)
        let files = { () throws -> Set<String> in
            let names = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path)
            #expect(names.contains("index.sqlite"))
            // A full-text table has the words in lower case, as they are here.
            let all = try names.map {
                try Data(contentsOf: URL(fileURLWithPath: stage.folder.path + "/" + $0))
            }
            return Set(
                markers.filter { marker in all.contains { $0.range(of: Data(marker.utf8)) != nil } })
        }
        for part in 0..<10 {
            try stage.write(
                (0..<20).map { number in
                    .item(
                        "kqzidentifier \(part) \(number)", domain: "kqzdomain",
                        [.title: "kqztitle \(number)", .textContent: "kqztext of \(part)"],
                        app: "org.example.kqzindex")
                })
        }
        try stage.store.ownLane(.index).remember(search: "kqztitle kqzsearch", at: WallTime(milliseconds: 1))
        #expect(try stage.find("kqztext ").items.count == 200)
        var found = [try files()]
        try stage.store.ownLane(.index).database.restartLog()
        found.append(try files())
        try stage.reopen()
        found.append(try files())
        return found
    }

    @Test func `has no title, text or name of an item in any file`() throws {
        #expect(try markers(in: TestCipher()) == [[], [], []])
        // The same search finds everything in a store without a cipher.
        for found in try markers(in: nil) { #expect(found.count == 6, "\(found)") }
    }

    @Test func `makes no temporary file, even if a query sorts more than fits into memory`() throws {
        let opened = { (cipher: TestCipher?, setting: String) throws -> Int in
            let disk = TestDisk()
            return try withExtendedLifetime(disk) {
                let writer = try Connection(
                    path: "/notes.sqlite", lane: .index, fileSystem: disk.name, cipher: cipher)
                try writer.apply(.writing)
                try writer.script("CREATE TABLE notes (text TEXT)")
                let reader = try Connection(
                    path: "/notes.sqlite", lane: .index, fileSystem: disk.name, cipher: cipher,
                    isReading: true)
                try reader.apply(.reading)
                try reader.script("SELECT count(*) FROM notes; \(setting)")
                disk.faults = DiskFaults()
                let numbers = "WITH n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)"
                try reader.script("\(numbers) SELECT hex(randomblob(1000)) AS text FROM n ORDER BY text")
                return disk.counts[.open, default: 0]
            }
        }
        #expect(try opened(TestCipher(), "") == 0)
        #expect(try opened(nil, "") > 0, "the query would need a file")
        // A temporary file would not be encrypted, so it can't be opened.
        #expect(throws: StoreFailure.self) { try opened(TestCipher(), "PRAGMA temp_store = FILE") }
    }

    // MARK: Failures

    @Test func `is damaged for a wrong key, and still has everything for the right one`() throws {
        for isKilled in [false, true] {
            let written = try Written(isKilled: isKilled)
            for cipher in [nil] + (2...40).map({ TestCipher(key: $0) }) {
                let disk = TestDisk(written.image)
                try withExtendedLifetime(disk) {
                    let failure = failure { () throws(StoreFailure) in try Written.open(disk, cipher) }
                    #expect(failure?.code == .damaged, "\(String(describing: failure))")
                    let view = try Written.view(disk)
                    #expect(view == written.views.first)
                }
                // A reader that is the last connection may remove the log.
                let other = TestDisk(written.image)
                withExtendedLifetime(other) {
                    let found = self.failure { () throws(StoreFailure) in
                        let reader = try SearchReader(
                            folder: "", stop: SearchStop(), fileSystem: other.name, cipher: cipher)
                        _ = try reader.find("word ", most: 10, at: WallTime(milliseconds: 0))
                    }
                    #expect(found?.code == .damaged, "\(String(describing: found))")
                }
            }
        }
    }

    @Test func `is damaged if a plain store is opened with a key`() throws {
        let disk = TestDisk()
        try withExtendedLifetime(disk) {
            _ = try Written.open(disk, nil)
            #expect(
                failure { () throws(StoreFailure) in try Written.open(disk, TestCipher()) }?.code == .damaged)
        }
    }

    private func failure<Value>(_ body: () throws(StoreFailure) -> Value) -> StoreFailure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [false, true])
    func `never has wrong content if a byte of a file was changed`(isKilled: Bool) throws {
        let written = try Written(isKilled: isKilled)
        var (generator, counts) = (SeededGenerator(seed: Seeds.replayed ?? 1), [Outcome: Int]())
        let name = isKilled ? "index.sqlite-wal" : "index.sqlite"
        let size = written.image.count(of: name)
        #expect(size > 20 * 4096)
        for start in stride(from: 0, to: size, by: 1371) {
            var image = written.image
            image.flip(
                name, at: min(size - 1, start + generator.number(0...1370)),
                by: UInt8(generator.number(1...255)))
            counts[try written.outcome(of: image), default: 0] += 1
        }
        print("An encrypted store with a changed byte: \(counts.map { "\($0.value) × \($0.key)" }.sorted())")
        #expect(counts[.wrong] == nil)
        // A changed frame ends the log, and a changed page is damaged. Only free pages are never read.
        #expect(counts[isKilled ? .setBack : .damaged, default: 0] > counts[.unharmed, default: 0])
    }

    @Test func `never has wrong content if the log was truncated`() throws {
        let written = try Written(isKilled: true)
        let bytes = written.image.bytes(of: "index.sqlite-wal")
        var counts: [Outcome: Int] = [:]
        for count in stride(from: 0, to: bytes.count, by: 2057) {
            var image = written.image
            image.put(Array(bytes.prefix(count)), as: "index.sqlite-wal")
            counts[try written.outcome(of: image), default: 0] += 1
        }
        #expect(counts[.wrong] == nil && counts[.damaged] == nil)
        #expect(counts[.setBack, default: 0] > 10)
    }

    @Test func `is damaged if a page was moved to another place or file`() throws {
        let written = try Written(isKilled: false)
        let (index, activities) = ("index.sqlite", "activities.sqlite")
        let page = { (name: String, number: Int) in
            Array(written.image.bytes(of: name)[4096 * number..<4096 * (number + 1)])
        }
        // The first page of each database is read first.
        for other in [page(activities, 0), page(index, 1)] {
            var image = written.image
            image.put(other + written.image.bytes(of: index)[4096...], as: index)
            #expect(try written.outcome(of: image) == .damaged)
        }
    }

    @Test func `reports a failure of the cipher, and never takes encrypted bytes for content`() throws {
        let cipher = FailingCipher()
        let disk = TestDisk()
        try withExtendedLifetime(disk) {
            var store: SQLiteStore? = try Written.open(disk, cipher)
            var journal = Journal(life: Life(high: 5, low: 1), latest: .zero)
            let write = { (part: Int) throws in
                let transaction = journal.transaction(
                    .index, Self.drafts(part), now: WallTime(milliseconds: 1))
                _ = try store?.commit(try #require(transaction))
            }
            try write(0)
            cipher.fails.store(true, ordering: .relaxed)
            let failure = #expect(throws: StoreFailure.self) { try write(1) }
            #expect(failure?.code == .failed)
            store = nil
            let refusal = self.failure { () throws(StoreFailure) in try Written.open(disk, cipher) }
            #expect(refusal?.code == .failed)
            cipher.fails.store(false, ordering: .relaxed)
            let reader = try Written.open(disk, cipher)
            #expect(try reader.records(of: .item).count == 20)
        }
    }

    /// A cipher that can be made to fail.
    private final class FailingCipher: PageCipher {
        let fails = Atomic(false)

        func encrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool {
            !fails.load(ordering: .relaxed) && TestCipher().encrypt(bytes, count: count, number: number)
        }

        func decrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool {
            !fails.load(ordering: .relaxed) && TestCipher().decrypt(bytes, count: count, number: number)
        }
    }

    /// How a store is whose files were changed.
    private enum Outcome: Hashable {
        case unharmed
        /// It is as it was after an earlier commit.
        case setBack
        case damaged
        /// It has what it never had.
        case wrong
    }

    /// The files of an encrypted store with some commits, and a view after each of them.
    private struct Written {
        private(set) var image = DiskImage()
        /// The views after each commit, the last one first.
        private(set) var views: [View] = []

        /// Everything that can be read of the index.
        struct View: Equatable {
            let lane: LaneView
            let found: [String]
        }

        /// Writes a store, and either closes it or leaves it as a killed process does.
        ///
        /// The database of the killed store has nothing but a schema.
        init(isKilled: Bool) throws {
            let disk = TestDisk()
            try withExtendedLifetime(disk) {
                var store: SQLiteStore? = try Self.open(disk, TestCipher())
                var journal = Journal(life: Life(high: 5, low: 1), latest: .zero)
                views = [try Self.view(disk)]
                for part in 0..<4 {
                    let transaction = journal.transaction(
                        .index, drafts(part), now: WallTime(milliseconds: 1_000_000 + Int64(part)))
                    _ = try store?.commit(try #require(transaction))
                    views.insert(try Self.view(disk), at: 0)
                }
                if !isKilled { store = nil }
                image = disk.image.afterProcesses
                store = nil
            }
        }

        static func open(
            _ disk: TestDisk, _ cipher: (any PageCipher)?
        ) throws(StoreFailure) -> SQLiteStore {
            try SQLiteStore(folder: "", account: account, fileSystem: disk.name, cipher: cipher)
        }

        /// Reads all of a copy of the index.
        static func view(_ disk: TestDisk) throws -> View {
            let copy = TestDisk(disk.image.afterProcesses)
            return try withExtendedLifetime(copy) {
                let store = try open(copy, TestCipher())
                return try withExtendedLifetime(store) {
                    let reader = try SearchReader(
                        folder: "", stop: SearchStop(), fileSystem: copy.name, cipher: TestCipher())
                    let found = try reader.find("word ", most: 10_000, at: WallTime(milliseconds: 0))
                    return View(lane: try LaneView(.index, of: store), found: found.items.map(\.identifier))
                }
            }
        }

        func outcome(of image: DiskImage) throws -> Outcome {
            let disk = TestDisk(image)
            return try withExtendedLifetime(disk) {
                do {
                    guard let place = views.firstIndex(of: try Self.view(disk)) else { return .wrong }
                    return place == 0 ? .unharmed : .setBack
                } catch let failure as StoreFailure where failure.code == .damaged {
                    return .damaged
                }
            }
        }
    }
}
