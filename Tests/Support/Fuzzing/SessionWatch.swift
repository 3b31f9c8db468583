import BatonCore

/// Checks a session's outputs, whatever its inputs.
struct SessionWatch {
    /// The number of times that it ended; at most one is right.
    private(set) var endings = 0
    private var ending: SessionEvent?
    private var goodbyes = 0
    private var acknowledged: UInt64 = 0
    private var sentNumber: UInt64 = 0
    /// The bytes of each batch that the peer did not acknowledge.
    private var inFlight: [UInt64: Int] = [:]

    mutating func note(_ event: SessionEvent) {
        switch event {
        case .closedHere, .closedByPeer: (endings, ending) = (endings + 1, event)
        case .differed, .agreed: break
        case .greeted, .opened, .continueRequested, .addressesTold, .continueAnswered, .lifeTaken,
            .snapshotLost, .timeTold, .met, .toldAll:
            break
        }
    }

    mutating func note(_ frame: Frame) throws(FuzzViolation) {
        try FuzzTarget.require(goodbyes == 0, "a \(frame.kind) after the last message")
        let message: PeerMessage
        do throws(CloseReason) {
            message = try PeerMessage(frame)
        } catch {
            throw FuzzViolation(description: "a \(frame.kind) that can't be read was sent: \(error)")
        }
        switch message {
        case .close(let reason):
            goodbyes += 1
            try FuzzTarget.require(ending, is: .closedHere(reason), "how the session ended")
        case .batch(let batch):
            sentNumber += 1
            try FuzzTarget.require(batch.number, is: sentNumber, "the number of a batch")
            inFlight[sentNumber] = frame.body.count
            let bytes = inFlight.values.reduce(0, +)
            try FuzzTarget.require(bytes <= Self.mostBytes, "\(bytes) bytes are on the way")
        case .acknowledgement(let number):
            try FuzzTarget.require(number > acknowledged, "\(number) was acknowledged before")
            acknowledged = number
        case .stream: throw FuzzViolation(description: "a \(frame.kind), which is not the session's to say")
        case .hello, .standing, .continueRequest, .continueAnswer, .addresses, .reports, .check, .sums, .ping,
            .pong:
            break
        }
        if goodbyes == 0 { try FuzzTarget.require(endings, is: 0, "the endings before a \(frame.kind)") }
    }

    /// The peer acknowledges all batches up to that number.
    mutating func noteArrival(ofAcknowledgement number: UInt64) {
        inFlight = inFlight.filter { $0.key > number }
    }

    /// The window, and a batch of each lane that was read before the window was full.
    private static let mostBytes = Limits.windowBytes + Lane.allCases.count * Limits.frameBytes

    /// The most reads for divergence repair.
    ///
    /// The sums of both lanes are asked for at once; later there is one read of each.
    private static let repairReads = Lane.allCases.count

    /// Checks the session's own counts and the store's pending requests against the limits.
    func judge(_ session: borrowing Session, _ requests: [StoreRequest]) throws(FuzzViolation) {
        try FuzzTarget.require(endings, is: session.isClosed ? 1 : 0, "the endings")
        try FuzzTarget.require(!(session.isOpen && session.isClosed), "it is open or closed")
        var (reads, waiting, reports, checks) = (0, 0, 0, 0)
        for request in requests {
            switch request {
            case .summary, .changes, .range, .sums, .part: reads += 1
            case .check: checks += 1
            case .keepReports: reports += 1
            case .apply(let transaction):
                waiting += transaction.writes.reduce(0) { $0 + $1.byteCount }
            }
        }
        try FuzzTarget.require(reads <= Lane.allCases.count + Self.repairReads, "\(reads) reads at once")
        try FuzzTarget.require(checks <= 2, "\(checks) comparisons at once")
        try FuzzTarget.require(reports <= 1, "\(reports) times reports at once")
        // Writes that a store has yet to keep came in frames, which the window bounds.
        try FuzzTarget.require(
            waiting <= 2 * Self.mostBytes, "\(waiting) bytes wait for the store")
    }
}
