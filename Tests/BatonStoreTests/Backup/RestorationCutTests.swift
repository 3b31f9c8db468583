import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// A restoration that is interrupted anywhere, or finds no room.
@Suite struct `A restoration that is interrupted` {
    /// Runs a restoration; returns the state before it, the state after it, and the disk at each moment.
    private func cuts(
        seed: UInt64
    ) throws -> (before: [LaneView], after: [LaneView], cuts: [(image: DiskImage, isPowerLoss: Bool)]) {
        let stage = try BackedUpStore(seed: seed, steps: 25)
        try stage.backUp()
        try stage.advance(by: 25)
        // A report makes everything before it durable.
        _ = try stage.store?.report(of: StoreSeries.own, having: VersionVector())
        let before = try BackedUpStore.views(stage.store)
        var generator = SeededGenerator(seed: seed)
        var cuts: [(DiskImage, Bool)] = []
        stage.disk.observe = { [unowned stage] event in
            switch event {
            case .change:
                if generator.chance(10) { cuts.append((stage.disk.image.afterProcesses, false)) }
            case .beforeSync, .afterSync:
                // Renaming is atomic, but this disk would treat a torn renaming as the loss of the file.
                let loss = generator.pick([PowerLoss.forgets, .keeps])
                cuts.append((stage.disk.image.afterPowerLoss(loss, &generator), true))
            }
        }
        try stage.restore()
        stage.disk.observe = nil
        return (before, try BackedUpStore.views(stage.store), cuts)
    }

    @Test(arguments: UInt64(1)...6)
    func `an interrupted restoration leaves the old or the restored state, and can be repeated`(
        seed: UInt64
    ) throws {
        let (before, after, cuts) = try cuts(seed: seed)
        var (old, new) = (0, 0)
        for (number, cut) in cuts.enumerated() {
            let disk = TestDisk(cut.image, seed: seed)
            try withExtendedLifetime(disk) {
                var store: SQLiteStore? = try BackedUpStore.openFinished(disk)
                let views = try BackedUpStore.views(store)
                #expect(
                    views == before || views == after,
                    "cut \(number) of \(cuts.count): \(difference(views, before)), or \(difference(views, after))"
                )
                if views == after { new += 1 } else { old += 1 }
                store = nil
                #expect(!disk.image.fileNames.contains { $0.contains("restor") }, "\(disk.image.fileNames)")
                guard views == after else { return }
                // The old database is complete, and can be put back by renaming it.
                for name in ["activities.sqlite", "index.sqlite"] {
                    for part in ["", "-wal"] where disk.exists("\(name).replaced-2026-01-02\(part)") {
                        disk.move("\(name).replaced-2026-01-02\(part)", to: name + part)
                    }
                    disk.remove(name + "-shm")
                }
                store = try BackedUpStore.openFinished(disk)
                let found = try BackedUpStore.views(store)
                #expect(found == before, difference(found, before))
            }
        }
        print("Cut restorations: \(old) left the state before, \(new) the one that came back")
        #expect(old > 10 && new > 3)
    }

    @Test func `a restoration on a full disk changes nothing, and names the reason`() throws {
        let stage = try BackedUpStore(seed: 9, steps: 25)
        try stage.backUp()
        try stage.advance(by: 10)
        let before = try BackedUpStore.views(stage.store)
        let used = stage.disk.image.fileNames.reduce(0) { $0 + stage.disk.image.count(of: $1) }
        for room in stride(from: 0, through: 200_000, by: 20_000) {
            stage.disk.faults.capacity = used + room
            let failure = #expect(throws: StoreFailure.self) { try stage.prepare() }
            #expect(failure?.code == .full, "\(failure as Any)")
            stage.disk.faults = DiskFaults()
            #expect(!stage.disk.image.fileNames.contains { $0.contains("restor") })
        }
        let after = try BackedUpStore.views(stage.store)
        #expect(after == before, difference(after, before))
    }

    @Test func `a restoration that fails while it inserts rows reports whether the disk is full or failing`()
        throws
    {
        let stage = try BackedUpStore(seed: 9, steps: 5)
        // SQLite keeps 8 MiB of a draft in memory, and writes the rest before the draft ends.
        for number in 1...64 as ClosedRange<UInt64> {
            var fields = Fields()
            fields.set(1) { $0.data([UInt8](repeating: 0, count: 250_000)) }
            let note = Write.told(
                .told(number), at: 1_000_000 + number, by: 9, .full(Write.Content(fields: fields)))
            _ = try stage.store?.commit(
                StoreTransaction(lane: .index, writes: [note], completing: VersionVector()))
        }
        try stage.backUp()
        stage.close()
        let used = stage.disk.image.fileNames.reduce(0) { $0 + stage.disk.image.count(of: $1) }
        var (full, failing) = (DiskFaults(), DiskFaults())
        full.capacity = used + (2 << 20)
        failing.failure = DiskFaults.Failure(.write, after: 1000, isLasting: true)
        for (faults, code) in [(full, StoreFailure.Code.full), (failing, .failed)] {
            stage.disk.faults = faults
            let failure = #expect(throws: StoreFailure.self) { try stage.prepare() }
            stage.disk.faults = DiskFaults()
            #expect(failure?.code == code)
            #expect(failure?.text.contains("INSERT INTO") == true, "\(failure as Any)")
            #expect(failure?.text.contains("does not fit") == false, "\(failure as Any)")
        }
    }

    @Test func `an earlier interrupted rescue does not undo a restoration`() throws {
        let stage = try BackedUpStore(seed: 10, steps: 25)
        try stage.backUp()
        try stage.store?.begin(BackedUpStore.order)
        let before = try BackedUpStore.views(stage.store)
        stage.close()
        var cut: DiskImage?
        stage.disk.observe = { [unowned stage] _ in
            if cut == nil, stage.disk.exists("index.sqlite.rescued") { cut = stage.disk.image.afterProcesses }
        }
        _ = try SQLiteStore.open(
            StoreFolder(stage.disk), account: StoreSeries.account, day: "2026-01-02",
            damaged: [.index: StoreFailure(.damaged, "in a test")])
        stage.disk.observe = nil
        let disk = TestDisk(try #require(cut))
        try withExtendedLifetime(disk) {
            try StoreRestoration.prepare(
                try BackupInput(path: stage.path("backup"), watch: BackupWatch()), for: BackedUpStore.request,
                in: StoreFolder(disk), watch: BackupWatch())
            try StoreRestoration.decide(in: StoreFolder(disk))
            let after = try BackedUpStore.views(try BackedUpStore.openFinished(disk))
            #expect(after == before, difference(after, before))
        }
    }
}
