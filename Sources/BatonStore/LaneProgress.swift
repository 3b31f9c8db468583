import BatonCore

/// What the tables of a lane say as a whole, held in memory too; a transaction that fails puts it back.
struct LaneProgress {
    /// What is claimed.
    var complete = VersionVector()
    /// The largest hybrid time that any write taken here spoke of.
    var clock = HybridTime.zero
    /// Up to where every write is known to be claimed.
    var settled = Arrival.none
    /// The sum of the digests of all records that are there.
    var digest = StateDigest()
    /// What was cleared, to be asked about what arrives.
    var clears = Clears()
}
