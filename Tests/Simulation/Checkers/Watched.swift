import BatonCore

/// The checkers' notes about one side of a connection.
struct Watched {
    /// The batches that this side sent and the other side has not acknowledged.
    var unacknowledged: [SentBatch] = []
    /// Whether this side has announced its close.
    var saidClose = false
    /// The number of bytes received again that had been stored before.
    var bytesAgain = 0
    /// The addresses that this side sent and the other side has not received yet.
    var told: [[DeviceAddresses]] = []
    /// The writes that came over this connection and were stored.
    var taken: [Dot: Write] = [:]
    var takenBytes = 0
    /// The writes that this side sent, each in its last form, and those that it sent in more than one form.
    var sent: [Dot: Write] = [:]
    var reshaped: Set<Dot> = []
    /// Whether a part of a snapshot crossed the connection.
    var hasSnapshot = false
    /// Whether the peer has lost since then something that it claimed as the session began.
    var isOutdated = false
    /// Whether the store held more than it claimed as the session began, and has not reported since what it holds.
    var holdsMore = false
    /// The summary that the store gave as the session began.
    var summary: StoreSummary?
    /// The positions at which the peer asked this side to resume, until the lane is read for the first time.
    var places: [Lane: ResumeToken] = [:]

    /// The facts by which closings for silence are judged.
    var silence = Silence()
    /// The lanes of which this side began to read a snapshot from the beginning.
    var snapshotsBegun: Set<Lane> = []
    /// The claims with which the snapshots that this side sends began, and those of snapshots that it sent to their end.
    var (snapshotStarts, snapshotsSent): ([Lane: VersionVector], [Lane: VersionVector]) = ([:], [:])

    /// Whether this side found that the peer holds a different state, and has not found since that both agree.
    var differs = false

    /// The times at which this side sent and heard something, and at which the other side read something.
    struct Silence {
        /// The last batch that was sent, and the last one that the other side acknowledged.
        var (sent, acknowledged): (UInt64, UInt64) = (0, 0)
        /// Since when batches are on the way; nil if none is.
        var sendingSince: Instant?
        /// Since when batches are on the way and the other side has acknowledged nothing; nil if none is.
        var waitingSince: Instant?
        /// When something arrived here.
        var lastArrival: Instant?
        /// When the other side read something.
        var lastReading: Instant? { readings.last?.latest }
        /// The periods since the last arrival in which bytes waited, each with the time at which the other side last read
        /// some of them.
        private(set) var readings: [(began: Instant, latest: Instant)] = []
        /// Since when bytes wait.
        private var began: Instant?

        /// Bytes are about to wait behind nothing else.
        mutating func noteWaiting(at now: Instant) { began = now }

        mutating func noteArrival(at now: Instant) {
            (lastArrival, readings) = (now, readings.suffix(1))
        }

        mutating func noteReading(at now: Instant) {
            guard let began else { return }
            if readings.last?.began == began {
                readings[readings.count - 1].latest = now
            } else {
                readings.append((began, now))
            }
        }
    }

    /// The batches that the store was asked to keep, without those up to which all are kept.
    private var arrived: [(lane: Lane, isKept: Bool)] = []
    /// The number of the last batch up to which all are kept here, and of the last batch that was acknowledged.
    private(set) var keptNumber: UInt64 = 0
    var acknowledgedNumber: UInt64 = 0
    /// The lanes in which the store took something and that this side has not read since.
    private(set) var unread: Set<Lane> = []
    /// Whether the store took something, and this side has not asked since what it holds.
    private(set) var isUncompared = false
    /// The reports that the session was given to pass on, and those that it sent.
    var (reportsToPass, reportsSent) = (Reports(), Reports())
    /// The reports that the peer had when it composed its first message, with their digest.
    var reportsKnown = Reports()
    /// The reports that arrived, those that the store was asked to keep, and whether it has not answered the last time.
    var (reportsArrived, reportsAsked, awaitsReports) = (Reports(), Reports(), false)

    mutating func noteCommit(_ lane: Lane) {
        unread.insert(lane)
        isUncompared = true
    }

    mutating func note(_ request: StoreRequest) {
        switch request {
        case .changes(let request): unread.remove(request.lane)
        case .range(let request): unread.remove(request.lane)
        case .apply(let transaction): arrived.append((transaction.lane, false))
        case .check(at: nil): isUncompared = false
        case .keepReports(let reports):
            reportsAsked.join(reports)
            awaitsReports = true
        default: break
        }
    }

    mutating func noteKept(_ lane: Lane) {
        guard let place = arrived.firstIndex(where: { $0.lane == lane && !$0.isKept }) else { return }
        arrived[place].isKept = true
        let kept = arrived.prefix(while: \.isKept).count
        arrived.removeFirst(kept)
        keptNumber += UInt64(kept)
    }

    /// A batch on its way, and how far the other side has processed it.
    struct SentBatch {
        let batch: Batch
        var progress = Progress.sent

        enum Progress {
            case sent
            /// The other side merged it in a group that may still fail.
            case merged
            case kept
        }
    }
}
