/// Judges what a peer does in a session, beyond the form of its messages: whether what it says can be true, whether
/// it takes back what it said, and whether it ever says anything.
///
/// What it keeps is bounded by what the session keeps: the claims by `Exchange`, batches by the window.
struct PeerAudit: Sendable {
    /// How far the present life of this device had come when the message at hand arrived, if that is known.
    var named: JournalPosition?
    /// What the peer claimed in this session.
    private var claimed = VersionVector()
    /// What the peer reported in this session.
    private var reported = Reports()
    /// Batches of each lane that wait for the store, the oldest first: whether it is known already that they bring
    /// something.
    private var waiting: [Lane: [Bool]] = [:]
    /// How many messages have brought nothing since the last that did.
    private(set) var idleCount = 0
    /// How many requests to continue came since then.
    private var continuing: (since: Instant, count: Int)

    init(since now: Instant) { continuing = (now, 0) }

    // MARK: Claims

    /// The session opened, and the peer claims this.
    mutating func begin(_ complete: VersionVector) { claimed = complete }

    /// The peer says what it has.
    func handle(_ standing: Standing) throws(CloseReason) {
        try demandMade(standing.complete)
        try demandMade(standing.dropped)
    }

    /// A batch came in its turn; what became of it is said by `handleApplied(_:)`.
    mutating func handle(_ batch: Batch, bytes: Int) throws(CloseReason) {
        for vector in [batch.complete, batch.range?.complete, batch.range?.dropped] {
            if let vector { try demandMade(vector) }
        }
        let dots = batch.writes.lazy.map(\.dot) + batch.asides.map(\.dot)
        guard dots.allSatisfy({ named?.made($0) ?? true }) else { throw Self.lifeTaken }
        var isNews = bytes >= Limits.idleBytes
        if let complete = batch.complete {
            // Only what the receiver is not known to have is told, so what is left out says nothing.
            try demandForward(complete.sorted.allSatisfy { $0.sequence >= claimed[$0.origin] })
            isNews = isNews || !complete.isWithin(claimed)
            claimed.join(complete)
        }
        if let complete = batch.range?.complete {
            try demandForward(claimed.restricted(to: batch.lane).isWithin(complete))
            isNews = isNews || !complete.isWithin(claimed)
            claimed.join(complete)
        }
        waiting[batch.lane, default: []].append(isNews)
    }

    private func demandForward(_ isForward: Bool) throws(CloseReason) {
        guard isForward else { throw CloseReason(.backwards, "less is claimed than before in this session") }
    }

    /// Nobody can have what this device's present life has not named, unless another makes writes in its name.
    private func demandMade(_ vector: VersionVector) throws(CloseReason) {
        guard named?.made(vector) ?? true else { throw Self.lifeTaken }
    }

    private static let lifeTaken = CloseReason(
        .lifeTaken, "there are writes in the name of this device's present life that it did not make")

    // MARK: What brings nothing

    /// The store kept the oldest batch of a lane that waited; there is one, as the session asked for that.
    mutating func handleApplied(_ commit: StoreCommit, of lane: Lane) throws(CloseReason) {
        let isNews = waiting[lane, default: []].removeFirst()
        if isNews || !commit.changed.isEmpty { idleCount = 0 } else { try noteIdle() }
    }

    /// The peer took something.
    mutating func handleAcknowledgement() { idleCount = 0 }

    /// The peer tells addresses, which cost it nothing.
    mutating func handleAddresses() throws(CloseReason) { try noteIdle() }

    /// The peer tells what devices have for good.
    mutating func handle(_ reports: Reports) throws(CloseReason) {
        for (_, vector) in reports.sorted { try demandMade(vector) }
        if reports.beyond(reported).isEmpty { try noteIdle() }
        reported.join(reports)
    }

    private mutating func noteIdle() throws(CloseReason) {
        idleCount += 1
        guard idleCount <= Limits.idleMessages else {
            throw CloseReason(.idle, "\(idleCount) messages in a row have brought nothing")
        }
    }

    /// The peer goes on with an activity, which makes a write here.
    mutating func handleContinueRequest(at now: Instant) throws(CloseReason) {
        if continuing.since + Limits.continuingPeriod <= now { continuing = (now, 0) }
        continuing.count += 1
        guard continuing.count <= Limits.continuingMost else {
            throw CloseReason(.idle, "\(continuing.count) requests to continue in \(Limits.continuingPeriod)")
        }
    }
}
