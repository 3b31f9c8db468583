import BatonCore

/// What the tables of a lane say as a whole, held in memory too; a transaction that fails puts it back.
struct LaneProgress {
    /// What is claimed.
    var complete = VersionVector()
    /// Which of the lives that are claimed follow which.
    var lineage = Lineage()
    /// Lives of which this device may have written more than is here.
    var abandoned: Set<Life> = []
    /// Shared lives of which nothing stands here by its old name any more.
    var renamed: Set<Life> = []
    /// What covers all traces that were let go.
    var dropped = VersionVector()
    /// What devices have for good of this lane.
    var reports = Reports()
    /// The latest stamp of all that was let go.
    var horizon = HybridTime.zero
    /// The largest hybrid time that any write taken here spoke of.
    var clock = HybridTime.zero
    /// Whether a write came with a time that no wall clock shows, so that own writes may not count.
    var hasUnreachable = false
    /// Up to where every write is known to be claimed.
    var settled = Arrival.none
    /// The sum of the digests of all records that are there and have not expired at that time.
    var digest = StateDigest()
    var digestTime = WallTime(milliseconds: .min)
    /// What had expired by then was swept, or is being swept.
    var swept = WallTime(milliseconds: .min)
    /// In which the places of writes are told to others.
    var order = ArrivalOrder(high: 0, low: 0)
    /// What can't be read.
    var asides = QuarantinedWrites()
    /// What peers claimed of writes that they sent, as far as it is not claimed here yet.
    var promised = VersionVector()
    /// What was cleared, to be asked about what arrives.
    var clears = Clears()
    /// Those of them of which not all that they end was looked for yet, in the order in which they came.
    var sweeps: [Sweep] = []
    var unswept = Clears()
    /// Batches that have not ended, those that have and are to be merged, and those that never will.
    var staging: [BatchIdentifier: OpenBatch] = [:]
    var pending: [PendingBatch] = []
    var discarded: [Int64] = []
    /// What changed of how much apps have.
    var usage = AppUsage()
    /// Records up to this number are counted in that; nothing if all are.
    var counted: Int64?
    /// Client states that can't be shown yet.
    var held = HeldStates()
    /// Records up to this number stand in the full-text table as they should; nothing if all do.
    var searched: Int64?
    /// How many changes wait to be told to the full-text table, and how often some were.
    var searchChanges = 0, searchRounds = 0
}

extension LaneProgress {
    /// Whether the row that keeps it differs from that of an earlier one.
    func differsInRow(from earlier: Self) -> Bool {
        (clock, settled, digest, order) != (earlier.clock, earlier.settled, earlier.digest, earlier.order)
            || (horizon, digestTime, swept) != (earlier.horizon, earlier.digestTime, earlier.swept)
    }
}
