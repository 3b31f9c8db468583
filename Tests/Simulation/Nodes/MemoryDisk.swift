import BatonCore
import Support

/// A disk that is only the state of a store in memory, and a copy of its synced part.
final class MemoryDisk: SimulatedDisk {
    private let kept = InMemoryStore()
    private var synced = InMemoryStore.State()
    /// The lanes whose last group that was to survive a power loss failed.
    private var doubted: Set<Lane> = []
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
        #if MISTAKES
            if Faults.isPlanted(.reportBeforeDurable) { return }
        #endif
        for lane in lanes {
            synced[lane] = kept.state[lane]
            doubted.remove(lane)
        }
    }

    func noteFailedSync(of lane: Lane) {
        // The state has nothing of what failed any more.
        if !doubted.insert(lane).inserted { synced[lane] = kept.state[lane] }
    }

    func workOn(toEnd: Bool) {}

    func endProcess() { begin(kept.state) }
    /// Closing a database in order syncs everything that it stored.
    func close() {
        begin(kept.state)
        sync()
    }

    /// Another process finds this state, and doubts nothing yet.
    private func begin(_ state: InMemoryStore.State) {
        kept.state = state
        // The staged changes of unended batches are lost with the process.
        kept.state.index.staged = [:]
        doubted = []
    }

    func losePower() -> Bool {
        defer { begin(synced) }
        return kept.state != synced
    }

    func backUp() { backup = image }

    func put(_ image: DiskCopy) {
        switch image {
        case .empty: begin(InMemoryStore.State())
        case .memory(let state): begin(state)
        case .files, .backup: preconditionFailure("all disks of a world are of one kind")
        }
        sync()
    }

    func rescue() {
        #if MISTAKES
            let claimed = Faults.isPlanted(.rescuedStoreKeepsVector) ? kept.complete : VersionVector()
        #else
            let claimed = VersionVector()
        #endif
        kept.rescue()
        begin(kept.state)
        for lane in Lane.allCases where !claimed.isEmpty {
            kept.keep(
                StoreTransaction(
                    lane: lane, writes: [], completing: claimed.restricted(to: lane), clock: kept.clock))
        }
        sync()
    }
}
