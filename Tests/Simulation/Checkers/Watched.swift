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

    /// Whether this side found that the peer holds a different state, and has not found since that both agree.
    var differs = false

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
