import BatonCore

extension InMemoryStore {
    /// Keeps the writes, the notes and the times, and forgets all claims and reports, as the rescue of a broken store
    /// does.
    package func rescue() {
        let (old, writes) = (state, survivingWrites)
        state = State()
        for lane in Lane.allCases {
            state.update(lane) {
                ($0.clock, $0.notes, $0.horizon) = (old[lane].clock, old[lane].notes, old[lane].horizon)
                ($0.swept, $0.givenUp) = (old[lane].swept, old[lane].answered)
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
