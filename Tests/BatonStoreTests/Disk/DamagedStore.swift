import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// A store after a series of steps, of whose files single bytes are changed.
struct DamagedStore {
    private let image: DiskImage
    /// How each lane looked after each step, the last one first.
    private let views: [Lane: [LaneView]]
    /// Every write that survived a step, by its dot.
    private let writes: [Dot: [Write]]
    /// The contents of the store at the end.
    private let model: InMemoryStore.State

    /// The outcome of opening a store with a damaged file.
    enum Outcome: Hashable {
        /// Nothing is different: the byte had no meaning, or SQLite discards it.
        case unharmed
        /// A lane is as it was earlier, as after a power loss.
        case setBack
        /// A lane was rescued; what could be read of it is there and not claimed.
        case rescued
        /// The store fails to open, or to be read, with a reason.
        case refused(StoreFailure.Code)
        /// The store returns what was never in it.
        case servesWrong
    }

    /// Makes a store as a process leaves it that ends normally, or one that is killed.
    init(seed: UInt64, isKilled: Bool) throws {
        let disk = TestDisk(seed: seed)
        var (series, views) = (StoreSeries(seed: seed), [Lane: [LaneView]]())
        var writes: [Dot: [Write]] = [:]
        let look = { (model: InMemoryStore) in
            for lane in Lane.allCases {
                views[lane, default: []].insert(try LaneView(lane, of: model), at: 0)
                for write in Self.writes(of: model, in: lane) where writes[write.dot]?.contains(write) != true
                {
                    writes[write.dot, default: []].append(write)
                }
            }
        }
        let store = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
        for _ in 0..<25 {
            try look(InMemoryStore(series.model.state))
            let step = series.next()
            if !step.isReopening { try series.take(step, try step.perform(store)) }
        }
        try look(InMemoryStore(series.model.state))
        (self.views, self.writes, model) = (views, writes, series.model.state)
        guard !isKilled else {
            image = disk.image.afterProcesses
            return
        }
        let other = TestDisk(disk.image.afterProcesses)
        try withExtendedLifetime(other) {
            _ = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: other.name)
        }
        image = other.image
    }

    /// Changes one byte of a file; returns the file and the outcome.
    func flip(_ generator: inout SeededGenerator) throws -> (file: String, outcome: Outcome) {
        let file = generator.pick(image.fileNames.filter { image.count(of: $0) > 0 })
        var damaged = image
        damaged.flip(
            file, at: generator.number(0...image.count(of: file) - 1), by: UInt8(generator.number(1...255)))
        return (file, try outcome(of: damaged))
    }

    private func outcome(of image: DiskImage) throws -> Outcome {
        let disk = TestDisk(image)
        return try withExtendedLifetime(disk) {
            do {
                return try outcome(of: StoreFolder(disk), damaged: [:])
            } catch let failure as StoreFailure {
                return .refused(failure.code)
            } catch is StoreViolation {
                // The digest is not that of the records; a recount, after comparing with another device, would find
                // that.
                return .servesWrong
            }
        }
    }

    /// Opens the store as a node does, and again if damage is found while reading.
    private func outcome(of folder: StoreFolder, damaged: [Lane: StoreFailure]) throws -> Outcome {
        var found: [Lane] = []
        do {
            let (store, rescues) = try SQLiteStore.open(
                folder, account: StoreSeries.account, day: "2026-01-02", damaged: damaged)
            defer { found = store.damagedLanes }
            var outcome = Outcome.unharmed
            for lane in Lane.allCases {
                guard !rescues.contains(where: { $0.lane == lane }) else {
                    if let wrong = try rescued(lane, of: store, in: folder) { return wrong }
                    outcome = .rescued
                    continue
                }
                let view = try LaneView(lane, of: store)
                guard let place = views[lane]?.firstIndex(of: view) else { return .servesWrong }
                if place > 0, outcome == .unharmed { outcome = .setBack }
            }
            return outcome
        } catch let failure as StoreFailure where failure.code == .damaged && damaged.isEmpty {
            return try outcome(
                of: folder, damaged: Dictionary(found.map { ($0, failure) }) { first, _ in first })
        }
    }

    /// Returns what is wrong with a rescued lane, if anything; then it takes everything from a device that has it.
    private func rescued(_ lane: Lane, of store: SQLiteStore, in folder: StoreFolder) throws -> Outcome? {
        let summary = try store.summary()
        let name = lane == .activities ? "/activities.sqlite" : "/index.sqlite"
        let isQuarantined =
            folder.exists("\(name).damaged-2026-01-02") || folder.exists("\(name).damaged-2026-01-02-wal")
        #expect(isQuarantined, "the damaged database is kept")
        #expect(summary.complete.restricted(to: lane).isEmpty && summary.dropped.restricted(to: lane).isEmpty)
        #expect(try store.shownState(of: ClientStateName(app: "a", index: "i")) == nil || lane == .activities)
        let held = Self.writes(of: store, in: lane)
        guard held.allSatisfy({ writes[$0.dot]?.contains($0) == true }) else { return .servesWrong }
        try bringBack(lane, to: store)
        return nil
    }

    private static func writes(of store: any AccountStore, in lane: Lane) -> [Write] {
        let request = RangeRequest(lane: lane, after: nil, since: nil, covered: nil, bytes: .max)
        guard case .range(let range)? = try? store.range(request) else { return [] }
        return range.ahead + range.writes
    }

    /// Sends a snapshot from a device that has everything, and checks that both hold the same.
    private func bringBack(_ lane: Lane, to store: SQLiteStore) throws {
        let peer = InMemoryStore(model)
        let request = RangeRequest(lane: lane, after: nil, since: nil, covered: nil, bytes: .max)
        guard case .range(let range) = peer.range(request), range.through == nil else { return }
        let device = DeviceIdentifier(high: 0x3333_3333 << 32, low: 1)
        var transaction = StoreTransaction(
            lane: lane, writes: range.ahead + range.writes, completing: VersionVector(), clock: range.horizon,
            resume: StoreTransaction.Resume(peer: device, token: ResumeToken(bytes: [1])))
        transaction.range = ReceivedRange(
            after: nil, through: nil, isEndAhead: range.isEndAhead, known: range.complete,
            dropped: range.dropped, horizon: range.horizon, start: range.complete)
        transaction.sender = range.complete
        transaction.renewingLife = Life(
            after: HybridTime(value: 1 << 40), of: StoreSeries.own, random: 77)
        _ = try store.commit(transaction)
        #expect(try store.summary().complete.restricted(to: lane) == range.complete.restricted(to: lane))
    }
}
