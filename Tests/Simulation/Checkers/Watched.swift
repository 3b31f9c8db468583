import BatonCore

/// What checkers remember of one side of a connection.
struct Watched {
    /// The batches that this side sent and the other one has not acknowledged.
    var unacknowledged: [SentBatch] = []
    /// Whether this side has said that it closes.
    var saidClose = false
    /// How many bytes arrived here once more that had been kept before.
    var bytesAgain = 0
    /// The addresses that this side told and the other one has not heard of yet.
    var told: [[DeviceAddresses]] = []
    /// The writes that came over this connection and were kept.
    var taken: [Dot: Write] = [:]
    var takenBytes = 0
    /// The writes that this side sent, each as it was sent last, and those that it sent in more than one form.
    var sent: [Dot: Write] = [:]
    var reshaped: Set<Dot> = []
    /// Whether a part of a snapshot crossed the connection.
    var hasSnapshot = false
    /// Whether the peer has lost since then what it claimed as the session began.
    var isOutdated = false
    /// Whether the store held more than it claimed as the session began, and has not told since what it holds.
    var holdsMore = false
    /// The summary that the store gave as the session began.
    var summary: StoreSummary?
    /// The places at which the peer said that this side is to go on, until the lane is read for the first time.
    var places: [Lane: ResumeToken] = [:]

    /// Whether this side found that the peer holds something else, and has not found since that both hold the same.
    var differs = false

    /// A batch on its way, and how far the other side has come with it.
    struct SentBatch {
        let batch: Batch
        var progress = Progress.sent

        enum Progress {
            case sent
            /// It was merged in a group that may still fail.
            case merged
            case kept
        }
    }
}
