import BatonCore

/// What was done for writes of a peer that the store has not taken yet.
struct TakenWrites {
    /// What is noted with them.
    let changes: LastChanges.Taken
    /// The activities of which those who watch were told.
    let told: Set<RecordIdentity>
}
