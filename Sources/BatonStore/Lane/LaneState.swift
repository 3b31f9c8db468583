import BatonCore

/// The state of a lane as a whole, read from its tables and held in memory.
///
/// It is one value, so that one assignment undoes everything that a failed transaction did to it. Nothing that is
/// derived from rows may be kept anywhere else.
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
    /// The last place that was given to a clear.
    var lastClear = Arrival.none
    /// The last place that was given to a write that opens no record.
    var lastFurther = Arrival.none
    /// The name of the order of arrival to which the places of writes belong.
    var order = ArrivalOrder(high: 0, low: 0)
    /// The largest hybrid time that any write here had.
    var clock = HybridTime.zero
    /// Whether a write with an unbelieved time has arrived, against which own writes may have no effect.
    var hasUnbelievedTime = false
    /// The sum of the digests of all records that had not expired at `digestTime`.
    var digest = StateDigest()
    var digestTime = WallTime.never
    /// The time whose expired records were swept, or are being swept.
    var swept = WallTime.never

    /// The claims of the lane, and everything on which they depend.
    struct Claims {
        /// The claims: every write that this covers is stored, or was overwritten or deleted by a stored write.
        var complete = VersionVector()
        /// The order in which claimed lives follow one another.
        var lineage = Lineage()
        /// Lives of this device in which it may have made more writes than are stored here.
        var abandoned: Set<Life> = []
        /// Shared lives whose writes are no longer stored under their old dots.
        var renamed: Set<Life> = []
        /// The claims of senders about their writes that this store does not claim yet.
        ///
        /// A sender with such a claim will complete it with a whole batch, and does not send the writes again. Until
        /// then, no device may adopt the writes.
        var promised = VersionVector()
        /// The writes that a peer has sent in a stream that has not ended.
        ///
        /// The end of the stream will claim them, and they are not sent again. So until then, none of them may be
        /// removed on the ground that another peer does not have it.
        var openStreams: [DeviceIdentifier: VersionVector] = [:]
        /// The writes that this store answered for before it gave up its claims.
        ///
        /// The records here may be all that is left of these writes, so a peer that does not know all of them can't
        /// tell which records may be removed.
        var givenUp = VersionVector()
        /// Every write up to this place is claimed.
        var settled = Arrival.none
    }

    /// The tombstones that may be garbage-collected, and those that were.
    struct Tombstones {
        /// Covers all tombstones that were garbage-collected.
        var dropped = VersionVector()
        /// The reports of devices about what they have stored durably of this lane.
        var reports = Reports()
        /// The latest stamp of everything that was garbage-collected.
        var horizon = HybridTime.zero
    }

    /// Clears, which arriving writes are compared with.
    struct Clearing {
        /// A summary of all clears (`ClearFinder`).
        var scopes = ClearedScopes()
        /// Clears whose sweep has not finished, oldest first.
        private(set) var sweeps: [Sweep] = []
        /// The same clears; records are read as if their sweeps had finished.
        private(set) var unswept = Clears()

        init() {}

        init(unfinished: [Sweep]) {
            sweeps = unfinished
            for sweep in sweeps { unswept.add(sweep.clear) }
        }

        /// Begins a sweep, or notes how far it has come.
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
        /// Batches that have ended and are not merged completely, in the order in which they ended.
        var pending: [PendingBatch] = []
        /// The numbers of batches that will never end and still have rows.
        var discarded: [Int64] = []
    }

    /// The state of the full-text table.
    struct Searching {
        /// The most rows of word changes that are kept while a batch is being merged: some 2 MiB.
        static let keptWordsMost = 240

        /// The table has the words of records up to this number; nil if it has the words of all.
        var through: Int64?
        /// How many changes wait in the queue.
        var waiting = 0
        /// How often the queue was written to the table.
        var rounds = 0
        /// The words that are to be erased, not counting those that are being erased.
        var removed = RemovedWords.none
        /// Whether the table is being rewritten without the words that were removed before the rewriting began.
        var isRewriting = false
        /// Whether there may be vectors of texts.
        var hasVectors = false
        /// How many rows of `WordChangeTable` there are.
        var keptWords = 0
    }

    /// How much apps have in their indexes.
    struct Usage {
        /// The changes in the open transaction.
        var changes = AppUsage()
        /// Items are counted up to this record; nil if all are.
        var counted: Int64?
    }
}

extension LaneState {
    /// Whether batches or clears have some work left.
    var isUnsettled: Bool {
        !batches.pending.isEmpty || !clears.sweeps.isEmpty || !batches.discarded.isEmpty
            || usage.counted != nil || searching.keptWords > 0
    }

    /// Whether the changes of words that were kept for later are to be added now.
    var isCountingWords: Bool {
        searching.keptWords > (batches.pending.isEmpty ? 0 : Searching.keptWordsMost)
    }

    /// Whether some records are here only as staged drafts, so that peers can't be sent everything.
    var isMerging: Bool { !batches.pending.isEmpty }

    /// Whether everything that was garbage-collected is claimed; false in the middle of a snapshot.
    var isWhole: Bool { tombstones.dropped.isWithin(claims.complete) }

    /// The content of the row of the progress.
    var progress: ProgressTable.Content {
        get {
            ProgressTable.Content(
                clock: clock, settled: claims.settled, head: head, digest: digest, digestTime: digestTime,
                order: order, horizon: tombstones.horizon, swept: swept)
        }
        set {
            (clock, claims.settled, head) = (newValue.clock, newValue.settled, newValue.head)
            order = newValue.order
            (digest, digestTime) = (newValue.digest, newValue.digestTime)
            (tombstones.horizon, swept) = (newValue.horizon, newValue.swept)
        }
    }
}
