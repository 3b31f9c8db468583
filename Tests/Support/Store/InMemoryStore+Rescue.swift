import BatonCore

extension InMemoryStore {
    /// Keeps what stands here, the notes and the times, and forgets what is claimed and what was told, as who saves what
    /// is left of a broken store does.
    package func rescue() {
        let (old, writes) = (state, survivingWrites)
        state = State()
        for lane in Lane.allCases {
            state.update(lane) {
                ($0.clock, $0.notes, $0.horizon) = (old[lane].clock, old[lane].notes, old[lane].horizon)
            }
        }
        for write in writes {
            keep(
                StoreTransaction(
                    lane: write.dot.origin.lane, writes: [write], completing: VersionVector(),
                    clock: write.stamp.time))
        }
    }
}
