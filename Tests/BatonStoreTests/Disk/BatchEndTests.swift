import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// Batches of an app that each write all items of an index again, with a power loss or a kill at any moment.
///
/// Everything that is found must be of one batch: its client state, and its items by name and by words.
@Suite struct `Batches at a power loss or a kill` {
    @Test(arguments: Seeds.first(4), [1, 500])
    func `each batch survives as a whole or not at all, and acknowledged batches always survive`(
        _ seed: UInt64, _ recordsAtOnce: Int
    ) throws {
        let trial = try BatchTrial(seed: seed, recordsAtOnce: recordsAtOnce)
        for _ in 0..<12 { try trial.runBatch() }
        #expect(trial.endCount > 50, "\(trial.endCount) ends were looked at")
        if recordsAtOnce == 1 { #expect(trial.pendingCount > 5, "\(trial.pendingCount) were not merged yet") }
    }
}

private final class BatchTrial {
    private static let account = AccountIdentifier(high: 1, low: 2)
    private static let index = ClientStateName(app: "a", index: "i")
    private static let items = 9

    private let disk: TestDisk
    private var generator: SeededGenerator
    private let store: SQLiteStore
    private let recordsAtOnce: Int
    private var journal: Journal
    private let now = WallTime(milliseconds: 1_000_000)
    /// The batch that was acknowledged last, and the current one.
    private var acknowledged: UInt8 = 0, begun: UInt8 = 0
    private(set) var endCount = 0, pendingCount = 0

    init(seed: UInt64, recordsAtOnce: Int) throws {
        (generator, disk) = (SeededGenerator(seed: seed), TestDisk(seed: seed))
        self.recordsAtOnce = recordsAtOnce
        store = try Self.open(disk, recordsAtOnce)
        let life = Life(
            after: HybridTime(value: 1 << 16), of: DeviceIdentifier(high: 7, low: 7), random: 1)
        journal = Journal(life: life, latest: .zero)
    }

    private static func open(_ disk: TestDisk, _ recordsAtOnce: Int) throws -> SQLiteStore {
        let store = try SQLiteStore(folder: "", account: account, fileSystem: disk.name)
        store.recordsAtOnce = recordsAtOnce
        if recordsAtOnce == 1 { store.wordsKeptLeast = 1 }
        return store
    }

    // MARK: Running

    /// Stages a batch in pieces, ends it, and settles it.
    func runBatch() throws {
        begun += 1
        let identifier = BatchIdentifier(value: UInt64(begun))
        var drafts = (0..<Self.items).map { draft($0, of: begun) }
        if generator.chance(30) { drafts.insert(clear(), at: 0) }
        let count = drafts.count
        while !drafts.isEmpty {
            let piece = Array(drafts.prefix(generator.number(1...4)))
            drafts.removeFirst(piece.count)
            try attempt { try store.stage(piece, in: identifier) }
        }
        let state = try Journal.Draft(ending: [begun], of: Self.index, changed: now)
        let ending = journal.ending(identifier, count: count, with: state, now: now)
        let transaction = try #require(ending, "a batch within limits")
        try attempt {
            try store.group(durably: true) { () throws(StoreFailure) in _ = try store.commit(transaction) }
        }
        acknowledged = begun
        try look(at: disk.image.afterPowerLoss(.forgets, &generator), "after the end was acknowledged")
        var isSettled = false
        // Sometimes the next batch ends while this one is merged.
        for _ in 0..<generator.pick([2, 100]) where !isSettled {
            try attempt { isSettled = try store.settle(most: 2) == nil }
        }
    }

    /// Runs the closure, and notes ends at every sync and at some writes.
    private func attempt(_ body: () throws -> Void) throws {
        var images: [(DiskImage, String)] = []
        var generator = generator
        disk.observe = { [disk] event in
            switch event {
            case .change:
                if generator.chance(5) {
                    images.append((disk.image.afterProcesses, "the process was killed"))
                }
            case .beforeSync, .afterSync:
                for loss in [PowerLoss.forgets, .keeps, .tears] {
                    images.append(
                        (disk.image.afterPowerLoss(loss, &generator), "power that \(loss), at \(event)"))
                }
            }
        }
        defer { disk.observe = nil }
        try body()
        disk.observe = nil
        self.generator = generator
        for (image, what) in images { try look(at: image, what) }
    }

    private func draft(_ number: Int, of batch: UInt8) -> Journal.Draft {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("batch\(batch)"))
        return Journal.Draft(.full(Item(attributes: attributes).content(name(number))), name(number).key)
    }

    private func name(_ number: Int) -> ItemName {
        ItemName(app: Self.index.app, index: Self.index.index, identifier: "\(number)")
    }

    private func clear() -> Journal.Draft {
        let scope = Scope.items(app: Self.index.app, index: Self.index.index)
        return Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
    }

    // MARK: Ends

    private func look(at image: DiskImage, _ what: String) throws {
        endCount += 1
        let disk = TestDisk(image, seed: 1)
        let store = try Self.open(disk, recordsAtOnce)
        let state = try store.shownState(of: Self.index)?.state.state.first ?? 0
        guard (acknowledged...begun).contains(state) else {
            throw StoreViolation("\(what): batch \(state) is there, and \(acknowledged) was acknowledged")
        }
        // At once, and when everything is merged.
        try judge(store, state, what)
        if try store.settle(most: 1) != nil { pendingCount += 1 }
        while try store.settle(most: 3) != nil {}
        try judge(store, state, what + ", and all was merged")
        guard state > 0 else { return }
        let reader = try SearchReader(folder: "", stop: SearchStop(), fileSystem: disk.name)
        let found = try reader.find("batch\(state)", most: 100, at: now).items
        guard found.count == Self.items else {
            throw StoreViolation("\(what): \(found.count) items of batch \(state) are found by words")
        }
    }

    private func judge(_ store: SQLiteStore, _ state: UInt8, _ what: String) throws {
        for number in 0..<Self.items {
            let title = try store.record(name(number).key.identity).flatMap(FoundItem.init)?.title
            let expected = state == 0 ? nil : "batch\(state)"
            guard title == expected else {
                throw StoreViolation("\(what): item \(number) is “\(title ?? "")” in batch \(state)")
            }
        }
    }
}
