import BatonCore
import BatonStore
import Disks
import Support

/// A series of steps on a store on a `TestDisk`, and what is found there after a power loss or a kill at any moment.
///
/// Each lane must be as it was after one of the steps: no durable step may be missing, and none may be there in part.
final class DiskTrial {
    let disk: TestDisk
    private let cipher: (any PageCipher)?
    private var series: StoreSeries
    private var store: SQLiteStore?
    private var generator: SeededGenerator
    /// The states after the opening and after each step.
    private var states: [InMemoryStore.State] = []
    private var dumps: [Lane: [LaneDump]] = [:]
    /// Views of the states, lane by lane, that were made before.
    private var views: [Lane: [Int: LaneView]] = [:]
    /// The last step that survives a power loss; none before the first report.
    private var durable: Int?
    /// Ends during the current step, which are checked once its outcome is known.
    private var ends: [End] = []
    /// At how many percent of the writes a kill is tried.
    private let killing: Int
    private let losses: [PowerLoss]
    /// How many percent of the ends are also compared with the model through the store.
    private let comparing: Int
    /// How many ends were checked, and how many syncs there were.
    private(set) var endCount = 0
    private(set) var syncCount = 0
    /// How many syncs belonged to steps that neither report nor open: SQLite moved its log into the database.
    private(set) var moves = 0
    private var isQuiet = false

    /// The disk after everything ended at some moment.
    private struct End {
        let image: DiskImage
        /// The step that must be there, and the later ones that may be.
        let surely: Int?
        let isPowerLoss: Bool
        let what: String
    }

    /// Creates a trial with a power loss at each sync, and kills at some writes.
    init(
        seed: UInt64, isLarge: Bool = false, faults: DiskFaults = DiskFaults(),
        losses: [PowerLoss] = [.forgets, .keeps, .tears, .tears], killing: Int = 5,
        cipher: (any PageCipher)? = nil
    ) {
        self.cipher = cipher
        (series, generator) = (
            StoreSeries(seed: seed, isLarge: isLarge), SeededGenerator(seed: seed ^ 0xd15c)
        )
        (self.losses, self.killing, comparing) = (losses, killing, isLarge ? 10 : 40)
        disk = TestDisk(seed: seed)
        disk.faults = faults
    }

    deinit { disk.observe = nil }

    // MARK: Running

    /// Does this many steps, and checks all ends; throws what is wrong.
    func run(steps: Int) throws {
        try open()
        for _ in 0..<steps {
            let step = series.next()
            if step.isReopening {
                store = nil
                try open()
                continue
            }
            watch()
            guard let store else { return }
            isQuiet = !step.isReport
            defer { isQuiet = false }
            let outcome = try step.perform(store)
            try series.take(step, outcome)
            if step.isReport { durable = states.count }
            try keep(step.description)
        }
        watch()
        store = nil
        try keep("the closing")
    }

    private func open() throws {
        watch()
        store = try open(disk)
        try keep("the opening")
    }

    private func open(_ disk: TestDisk) throws(StoreFailure) -> SQLiteStore {
        try SQLiteStore(
            folder: "", account: StoreSeries.account, fileSystem: disk.name, cipher: cipher)
    }

    /// Checks the ends of the step that is done now.
    private func keep(_ step: String) throws {
        disk.observe = nil
        for lane in Lane.allCases {
            let dump = try LaneDump(lane, on: disk, cipher)
            guard dump.troubles.isEmpty else { throw StoreViolation("after \(step): \(dump.troubles)") }
            dumps[lane, default: []].append(dump)
        }
        states.append(series.model.state)
        let ends = ends
        self.ends = []
        for (number, end) in ends.enumerated() {
            do {
                try look(at: end)
            } catch {
                throw StoreViolation(
                    "step \(states.count - 1), \(step), end \(number), \(end.what): \(error)")
            }
        }
    }

    // MARK: Ends

    private func watch() {
        disk.observe = { [unowned self] event in
            let step = states.count - 1
            switch event {
            case .change:
                guard generator.chance(killing) else { return }
                ends.append(
                    End(
                        image: disk.image.afterProcesses, surely: step >= 0 ? step : nil, isPowerLoss: false,
                        what: "the process was killed"))
            case .beforeSync, .afterSync:
                syncCount += event == .beforeSync ? 1 : 0
                moves += isQuiet && event == .beforeSync ? 1 : 0
                for loss in losses {
                    let image = disk.image.afterPowerLoss(loss, &generator)
                    ends.append(
                        End(
                            image: image, surely: durable, isPowerLoss: true,
                            what: "power that \(loss), at \(event)"))
                }
            }
        }
    }

    private func look(at end: End) throws {
        endCount += 1
        let found = try self.found(end)
        if end.isPowerLoss, generator.chance(20) { try loseOnceMore(end, found) }
        // The rows are those of a state that was found right; so it is enough to check some through the store.
        guard generator.chance(comparing) else { return }
        let disk = TestDisk(end.image, seed: generator.next())
        try compare(try open(disk), found)
        if generator.chance(20) { try goOn(on: disk) }
    }

    /// Loses power again while the store is opened, or closed.
    private func loseOnceMore(_ end: End, _ found: [Lane: Int?]) throws {
        let disk = TestDisk(end.image, seed: generator.next())
        var images: [DiskImage] = []
        disk.observe = { [unowned disk, unowned self] event in
            if case .change = event { return }
            images.append(disk.image.afterPowerLoss(.tears, &generator))
        }
        try withExtendedLifetime(disk) {
            _ = try open(disk)
        }
        for image in images.prefix(4) {
            let end = End(image: image, surely: nil, isPowerLoss: true, what: "")
            for (lane, place) in try self.found(end) {
                guard let before = found[lane] ?? nil else { continue }
                guard let place, dumps[lane]?[place] == dumps[lane]?[before] else {
                    throw StoreViolation("\(lane) is another when power was lost once more")
                }
            }
        }
    }

    /// Returns the step after which each lane was as it is found; nil before the first.
    private func found(_ end: End) throws -> [Lane: Int?] {
        let disk = TestDisk(end.image, seed: 1)
        var found: [Lane: Int?] = [:]
        for lane in Lane.allCases {
            let dump = try LaneDump(lane, on: disk, cipher)
            guard dump.troubles.isEmpty else { throw StoreViolation("\(lane) is damaged: \(dump.troubles)") }
            let all = dumps[lane] ?? []
            let first = end.surely ?? 0
            if let place = all.indices.last(where: { all[$0] == dump }) {
                guard all[first...].contains(dump) else {
                    throw StoreViolation("\(lane) is as after step \(place), but \(first) was promised")
                }
                found[lane] = .some(place)
            } else if end.surely == nil {
                // The database was not made completely; opening it shows that it is empty.
                found[lane] = .some(nil)
            } else {
                let nearest = all.last.map { $0.difference(from: dump) } ?? []
                throw StoreViolation("\(lane) is as it never was; other than now are \(nearest)")
            }
        }
        return found
    }

    /// Compares a store with the model after the steps that were found.
    private func compare(_ store: SQLiteStore, _ found: [Lane: Int?]) throws {
        for lane in Lane.allCases {
            let (view, expected) = (
                try LaneView(lane, of: store), try self.view(of: lane, after: found[lane] ?? nil)
            )
            guard view == expected else {
                throw StoreViolation("\(lane) of step \(found): \(view.difference(from: expected))")
            }
        }
    }

    /// Returns the model's lane after a step; before the first it is empty.
    private func view(of lane: Lane, after step: Int?) throws -> LaneView {
        if let view = views[lane]?[step ?? -1] { return view }
        let view = try LaneView(lane, of: InMemoryStore(step.map { states[$0] } ?? InMemoryStore.State()))
        views[lane, default: [:]][step ?? -1] = view
        return view
    }

    /// Checks that the store can be used: what it takes now is there after reopening, and after a power loss.
    private func goOn(on disk: TestDisk) throws {
        let origin = Origin(life: generator.identifier(), lane: generator.pick(Lane.allCases))
        let key = RecordKey(kind: origin.lane == .index ? .item : .device, parts: 1) { $0.unsigned(999) }
        let write = Write(
            dot: Dot(origin: origin, sequence: 1), key: key,
            stamp: Stamp(time: HybridTime(value: .max >> 2), life: origin.life),
            action: .full(Write.Content(fields: Fields())))
        var transaction = StoreTransaction(
            lane: origin.lane, writes: [write], completing: VersionVector([(origin, 1 as UInt64)]))
        transaction.clock = write.stamp.time
        disk.observe = nil
        var store = try open(disk)
        _ = try store.commit(transaction)
        let reports = try store.report(of: StoreSeries.own, having: try store.summary().complete)
        let after = TestDisk(disk.image.afterPowerLoss(.forgets, &generator), seed: 1)
        store = try open(after)
        guard try store.record(write.identity)?.survivingWrites == [write],
            try store.summary().reports == reports
        else { throw StoreViolation("what was taken afterwards is not there") }
    }
}
