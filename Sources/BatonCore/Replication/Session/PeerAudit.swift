/// Checks the behaviour of a peer in a session, beyond the form of its messages.
///
/// It checks whether the peer's claims can be true, whether the peer takes claims back, and whether the peer sends
/// anything new.
///
/// Its memory use is limited by other parts of the session: `Exchange` limits the claims, and the window limits the
/// batches.
struct PeerAudit: Sendable {
    /// The position of this device's journal when the current message arrived; nil if it is not known.
    var named: JournalPosition?
    /// The claims that the peer made in this session.
    private var claimed = VersionVector()
    /// The reports that the peer sent in this session.
    private var reported = Reports()
    /// For each lane, the batches that wait for the store, oldest first.
    ///
    /// A value says whether the batch is already known to bring something new.
    private var waiting = PerLane<[Bool]>(activities: [], index: [])
    /// The number of messages without anything new since the last message with something new.
    private(set) var idleCount = 0
    /// The number of requests to continue in the current period, and the time when the period began.
    private var continuing: (since: Instant, count: Int)

    init(since now: Instant) { continuing = (now, 0) }

    // MARK: Claims

    /// Called when the session is open and the peer has made these claims.
    mutating func begin(_ complete: VersionVector) { claimed = complete }

    /// Handles the peer's standing.
    func handleStanding(_ standing: Standing) throws(CloseReason) {
        try demandMade(standing.complete)
        try demandMade(standing.dropped)
    }

    /// Handles a batch that has the expected number.
    ///
    /// `handleApplied(_:of:)` is called when the store has stored the batch.
    mutating func handleBatch(_ batch: Batch, bytes: Int) throws(CloseReason) {
        for vector in [batch.complete, batch.range?.complete, batch.range?.dropped] {
            if let vector { try demandMade(vector) }
        }
        let dots = batch.writes.lazy.map(\.dot) + batch.quarantined.map(\.dot)
        guard dots.allSatisfy({ named?.made($0) ?? true }) else { throw Self.lifeTaken }
        var isNews = bytes >= Limits.idleBytes
        if let complete = batch.complete {
            // A peer sends only claims that this side is not known to have. So a missing origin is not a claim that was
            // taken back.
            try demandForward(complete.sorted.allSatisfy { $0.sequence >= claimed[$0.origin] })
            isNews = isNews || !complete.isWithin(claimed)
            claimed.join(complete)
        }
        if let complete = batch.range?.complete {
            try demandForward(claimed.restricted(to: batch.lane).isWithin(complete))
            isNews = isNews || !complete.isWithin(claimed)
            claimed.join(complete)
        }
        waiting[batch.lane].append(isNews)
    }

    private func demandForward(_ isForward: Bool) throws(CloseReason) {
        guard isForward else {
            throw CloseReason(.backwards, "the claims are less than before in this session")
        }
    }

    /// Throws if the vector covers transactions that this device's current life has not named.
    ///
    /// Only another machine that writes under the same life can have made such transactions.
    private func demandMade(_ vector: VersionVector) throws(CloseReason) {
        guard named?.made(vector) ?? true else { throw Self.lifeTaken }
    }

    private static let lifeTaken = CloseReason(
        .lifeTaken, "there are writes in the current life of this device that it did not make")

    // MARK: Messages without news

    /// Called when the store has stored the oldest waiting batch of a lane.
    ///
    /// There is such a batch, because the session requested its storage.
    mutating func handleApplied(_ commit: StoreCommit, of lane: Lane) throws(CloseReason) {
        let isNews = waiting[lane].removeFirst()
        if isNews || !commit.changed.isEmpty { idleCount = 0 } else { try noteIdle() }
    }

    /// Called when the peer acknowledged a batch.
    mutating func handleAcknowledgement() { idleCount = 0 }

    /// Called when the peer sends addresses.
    ///
    /// They count as nothing new, because it costs the peer nothing to send them.
    mutating func handleAddresses() throws(CloseReason) { try noteIdle() }

    /// Called when the peer sends a ping.
    ///
    /// It counts as nothing new, because it costs the peer nothing to send it.
    mutating func handlePing() throws(CloseReason) { try noteIdle() }

    /// Handles the peer's reports of what devices have stored durably.
    mutating func handleReports(_ reports: Reports) throws(CloseReason) {
        for (_, vector) in reports.sorted { try demandMade(vector) }
        if reports.beyond(reported).isEmpty { try noteIdle() }
        reported.join(reports)
    }

    private mutating func noteIdle() throws(CloseReason) {
        idleCount += 1
        guard idleCount <= Limits.idleMessages else {
            throw CloseReason(.idle, "\(idleCount) messages in a row contained nothing new")
        }
    }

    /// Called when the peer asks to continue an activity, because each such request causes a write on this device.
    mutating func handleContinueRequest(at now: Instant) throws(CloseReason) {
        if continuing.since + Limits.continuingPeriod <= now { continuing = (now, 0) }
        continuing.count += 1
        guard continuing.count <= Limits.continuingMost else {
            throw CloseReason(.idle, "\(continuing.count) requests to continue in \(Limits.continuingPeriod)")
        }
    }
}
