import BatonCore

/// Effects of a peer's writes before the store has committed them.
struct TakenWrites {
    /// The last changes that are stored with the writes.
    let changes: LastChanges.Taken
    /// The activities whose changes were reported to watchers.
    let told: Set<RecordIdentity>
}
