import BatonCore
import Support

/// A disk that is only the state of a store in memory, and a copy of its synced part.
final class MemoryDisk: SimulatedDisk {
    private let kept = InMemoryStore()
    private var synced = InMemoryStore.State()
    private(set) var backup: DiskCopy?
    var isFull = false
    /// A store in memory fails where a world says so, and nowhere else.
    var isFailing: Bool {
        get { false }
        set {}
    }

    var store: any AccountStore { kept }
    var contents: any StoreContents { kept }
    var image: DiskCopy { .memory(kept.state) }
    var refusal: StoreFailure? { isFull ? StoreFailure(.full, "the disk is full") : nil }

    func sync() { synced = kept.state }

    func noteSync(of lanes: [Lane]) {
        #if DEBUG
            if Faults.isPlanted(.reportBeforeDurable) { return }
        #endif
        for lane in lanes { synced[lane] = kept.state[lane] }
    }

    func workOn(toEnd: Bool) {}

    func endProcess() { forgetOpenBatches() }
    /// Closing a database in order syncs everything that it stored.
    func close() {
        forgetOpenBatches()
        sync()
    }

    /// Drops the staged changes of unended batches, which are lost with the process.
    private func forgetOpenBatches() { kept.state.index.staged = [:] }

    func losePower() -> Bool {
        defer {
            kept.state = synced
            forgetOpenBatches()
        }
        return kept.state != synced
    }

    func backUp() { backup = image }

    func put(_ image: DiskCopy) {
        switch image {
        case .empty: kept.state = InMemoryStore.State()
        case .memory(let state): kept.state = state
        case .files, .backup: preconditionFailure("all disks of a world are of one kind")
        }
        forgetOpenBatches()
        sync()
    }

    func rescue() {
        #if DEBUG
            let claimed = Faults.isPlanted(.rescuedStoreKeepsVector) ? kept.complete : VersionVector()
        #else
            let claimed = VersionVector()
        #endif
        kept.rescue()
        forgetOpenBatches()
        for lane in Lane.allCases where !claimed.isEmpty {
            kept.keep(
                StoreTransaction(
                    lane: lane, writes: [], completing: claimed.restricted(to: lane), clock: kept.clock))
        }
        sync()
    }
}
