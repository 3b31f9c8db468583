import BatonCore
import BatonStore
import Disks
import Support

/// A store after a series of steps, of which single bytes become others.
struct DamagedStore {
    private let image: DiskImage
    /// How each lane looked after each step, the last one first.
    private let views: [Lane: [LaneView]]

    /// What became of a store with a damaged file.
    enum Outcome: Hashable {
        /// Nothing is different: the byte meant nothing, or stood in what SQLite throws away.
        case unharmed
        /// A lane is as it was once, as if power had been lost.
        case setBack
        /// It is not opened, or not read, and says what is wrong.
        case refused(StoreFailure.Code)
        /// It tells what was never in it.
        case servesWrong
    }

    /// A store as a process leaves it that ends in order, or one that is killed.
    init(seed: UInt64, isKilled: Bool) throws {
        let disk = TestDisk(seed: seed)
        var (series, views) = (StoreSeries(seed: seed), [Lane: [LaneView]]())
        let store = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
        for _ in 0..<25 {
            for lane in Lane.allCases {
                views[lane, default: []].insert(
                    try LaneView(lane, of: InMemoryStore(series.model.state)), at: 0)
            }
            let step = series.next()
            if !step.isReopening { try series.take(step, try step.perform(store)) }
        }
        for lane in Lane.allCases {
            views[lane, default: []].insert(try LaneView(lane, of: InMemoryStore(series.model.state)), at: 0)
        }
        self.views = views
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

    /// Makes one byte of a file another one, and tells in which file, and what became of it.
    func flip(_ generator: inout SeededGenerator) throws -> (file: String, outcome: Outcome) {
        let file = generator.pick(image.fileNames.filter { image.count(of: $0) > 0 })
        var damaged = image
        damaged.flip(
            file, at: generator.number(0...image.count(of: file) - 1), by: UInt8(generator.number(1...255)))
        return (file, try outcome(of: damaged))
    }

    private func outcome(of image: DiskImage) throws -> Outcome {
        let disk = TestDisk(image)
        do {
            let store = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
            var outcome = Outcome.unharmed
            for lane in Lane.allCases {
                let view = try LaneView(lane, of: store)
                guard let place = views[lane]?.firstIndex(of: view) else { return .servesWrong }
                if place > 0 { outcome = .setBack }
            }
            return outcome
        } catch let failure as StoreFailure {
            return .refused(failure.code)
        } catch is StoreViolation {
            // The digest is not that of the records: recounted, it would be noticed by comparing with another device.
            return .servesWrong
        }
    }
}
