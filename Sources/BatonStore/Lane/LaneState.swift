import BatonCore

/// The state of a lane as a whole, read from its tables and held in memory.
///
/// The state is one value, so one assignment undoes everything that a failed transaction did to it. For the same
/// reason, nothing that is derived from rows may be kept anywhere else.
struct LaneState {
    var claims = Claims()
    var tombstones = Tombstones()
    var clears = Clearing()
    var batches = Batches()
    /// Client states that can't be shown yet.
    var states = HeldStates()
    var searching = Searching()
    var usage = Usage()
    var quarantine = QuarantinedWrites()
    var recent = RecentRecords()
    /// The last place that was given out in the order of arrival.
    var head = Arrival.none
    /// The place in the order of arrival of the last clear.
    var lastClear = Arrival.none
    /// The place in the order of arrival of the last write that opens no record.
    var lastFurther = Arrival.none
    /// The identifier of the order of arrival to which the places of the writes belong.
    var order = ArrivalOrder(high: 0, low: 0)
    /// The largest hybrid time of any write that this lane has ever stored.
    var clock = HybridTime.zero
    /// Whether a write with an unbelieved time has arrived.
    ///
    /// Own writes to the same record may then have no effect, because their times are earlier.
    var hasUnbelievedTime = false
    /// The sum of the digests of all records that have not expired at `digestTime`.
    var digest = StateDigest()
    var digestTime = WallTime.never
    /// The latest time for which expired records were swept or are being swept.
    var swept = WallTime.never
    /// The number of times that records were removed without a new place in the order of arrival.
    var removals: Int64 = 0

    /// The claims of the lane, and everything on which they depend.
    struct Claims {
        /// The claims of the lane.
        ///
        /// Every write that this vector covers is stored, or a stored write has overwritten or deleted it.
        var complete = VersionVector()
        /// For each claimed life, the earlier lives that it follows.
        var lineage = Lineage()
        /// Lives of this device in which it may have made more writes than are stored here.
        var abandoned: Set<Life> = []
        /// The shared lives of which no writes are stored under their old dots anymore.
        var renamed: Set<Life> = []
        /// The writes that their senders claim and that this store does not claim yet.
        ///
        /// The sender does not send these writes again. It sends a whole batch later, and this store then claims the
        /// writes. Until then, no device may adopt the writes.
        var promised = VersionVector()
        /// For each peer, the writes that it has sent in a stream that has not ended.
        ///
        /// These writes are claimed when the stream ends, and they are not sent again. So until then, none of them may
        /// be removed because another peer does not have it.
        var openStreams: [DeviceIdentifier: VersionVector] = [:]
        /// The writes that this store answered for before it gave up its claims.
        ///
        /// The records in this store may be all that is left of these writes. So if a peer does not know all of the
        /// writes, its snapshot does not tell which records may be removed.
        var givenUp = VersionVector()
        /// The settled place: every write up to this place in the order of arrival is claimed.
        var settled = Arrival.none
    }

    /// The tombstones that may be garbage-collected, and those that were.
    struct Tombstones {
        /// A vector that covers all tombstones that were garbage-collected.
        var dropped = VersionVector()
        /// The reports of devices, which say what each device has stored durably of this lane.
        var reports = Reports()
        /// The latest stamp of everything that was garbage-collected.
        var horizon = HybridTime.zero
    }

    /// The clears of the lane, which are compared with arriving writes.
    struct Clearing {
        /// A summary of all clears (`ClearFinder`).
        var scopes = ClearedScopes()
        /// Clears whose sweep has not finished, oldest first.
        private(set) var sweeps: [Sweep] = []
        /// The clears in `sweeps`.
        ///
        /// Records are read as if the sweeps of these clears had finished.
        private(set) var unswept = Clears()

        init() {}

        init(unfinished: [Sweep]) {
            sweeps = unfinished
            for sweep in sweeps { unswept.add(sweep.clear) }
        }

        /// Adds a sweep, or updates how far the sweep has come.
        mutating func keep(_ sweep: Sweep) {
            if let place = sweeps.firstIndex(where: { $0.clear.scope == sweep.clear.scope }) {
                sweeps[place] = sweep
            } else {
                sweeps.append(sweep)
            }
            unswept.add(sweep.clear)
        }

        /// Ends the sweep of a scope; returns false if there was none.
        mutating func remove(_ scope: Scope) -> Bool {
            guard let place = sweeps.firstIndex(where: { $0.clear.scope == scope }) else { return false }
            unswept.remove(sweeps.remove(at: place).clear)
            return true
        }

        /// Moves the sweep of a clear to the front; returns false if the sweep has finished.
        mutating func bringForward(_ clear: Clear) -> Bool {
            guard let place = sweeps.firstIndex(where: { $0.clear == clear }) else { return false }
            sweeps.swapAt(0, place)
            return true
        }
    }

    /// Batches of apps, which are staged piece by piece.
    struct Batches {
        /// Batches that have not ended.
        var open: [BatchIdentifier: OpenBatch] = [:]
        /// Batches that have ended but are not merged completely, in the order in which they ended.
        var pending: [PendingBatch] = []
        /// The numbers of batches that will never end and whose rows are not all removed yet.
        var discarded: [Int64] = []
    }

    /// The state of the full-text table.
    struct Searching {
        /// The largest number of rows of word changes that are kept while a batch is being merged, about 2 MiB.
        static let keptWordsMost = 240

        /// The number of the last record whose words are in the table; nil if the words of all records are in the
        /// table.
        var through: Int64?
        /// The number of changes in the queue (`SearchQueue`).
        var waiting = 0
        /// The number of times that the queue was written to the table.
        var rounds = 0
        /// The kind of removed words that the next rewrite of the table is to erase.
        var removed = RemovedWords.none
        /// Whether the table is being rewritten.
        ///
        /// The rewrite leaves out the words that were removed before it began.
        var isRewriting = false
        /// Whether the database may have vectors of texts.
        var hasVectors = false
        /// The number of rows in `WordChangeTable`.
        var keptWords = 0
    }

    /// The state of counting how much apps have in their indexes.
    struct Usage {
        /// The changes in the open transaction.
        var changes = AppUsage()
        /// The number of the last record that is counted; nil if all records are counted.
        var counted: Int64?
    }
}

extension LaneState {
    /// Whether some work of batches or clears remains.
    var isUnsettled: Bool {
        !batches.pending.isEmpty || !clears.sweeps.isEmpty || !batches.discarded.isEmpty
            || usage.counted != nil || searching.keptWords > 0
    }

    /// Whether the changes of words that were kept for later are to be added to the table of words now.
    var isCountingWords: Bool {
        searching.keptWords > (batches.pending.isEmpty ? 0 : Searching.keptWordsMost)
    }

    /// Whether some changes exist only as staged drafts, which can't be sent to peers yet.
    var isMerging: Bool { !batches.pending.isEmpty }

    /// Whether everything that was garbage-collected is claimed; false in the middle of a snapshot.
    var isWhole: Bool { tombstones.dropped.isWithin(claims.complete) }

    /// The content of the one row of the table `progress`.
    var progress: ProgressTable.Content {
        get {
            ProgressTable.Content(
                clock: clock, settled: claims.settled, head: head, digest: digest, digestTime: digestTime,
                order: order, horizon: tombstones.horizon, swept: swept, removals: removals)
        }
        set {
            (clock, claims.settled, head) = (newValue.clock, newValue.settled, newValue.head)
            order = newValue.order
            (digest, digestTime) = (newValue.digest, newValue.digestTime)
            (tombstones.horizon, swept) = (newValue.horizon, newValue.swept)
            removals = newValue.removals
        }
    }
}
