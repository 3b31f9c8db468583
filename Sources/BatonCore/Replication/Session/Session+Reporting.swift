/// What a session says and hears of what devices have for good.
extension Session {
    /// Tells the peer what devices have for good, as far as that is news to it, once it has as much itself.
    ///
    /// So a report never speaks of what its receiver might wait for in vain.
    package mutating func tellReports(_ reports: Reports) {
        guard isOpen, features.contains(Features.lettingGo) else { return }
        reporting.tell(reports)
    }

    mutating func handle(_ reports: Reports) throws(CloseReason) {
        guard features.contains(Features.lettingGo) else {
            throw CloseReason(.unexpected, "reports, which this session is without")
        }
        try conduct.handle(reports)
        reporting.handle(reports)
        keepReports()
    }

    mutating func handleKeptReports() {
        reporting.handleKept()
        keepReports()
    }

    private mutating func keepReports() {
        if let reports = reporting.keep() { storeRequests.append(.keepReports(reports)) }
    }

    /// What can be told now, behind all batches.
    mutating func reportFrames() -> [Frame] {
        guard let exchange, exchange.waitsForNothing else { return [] }
        return reporting.frames(toPeerWith: exchange.peerComplete)
    }
}

/// Which reports each side of a session has told the other.
struct Reporting: Sendable {
    /// What the peer may lack.
    private var untold = Reports()
    /// What the peer knows.
    private var known = Reports()
    /// What the peer told and the store was not asked to keep yet, and whether it keeps others now.
    private var arrived = Reports()
    private var isKeeping = false

    /// Both sides know these from the beginning.
    mutating func begin(with reports: Reports) { known = reports }

    mutating func tell(_ reports: Reports) { untold.join(reports) }

    /// The peer told these.
    mutating func handle(_ reports: Reports) {
        known.join(reports)
        arrived.join(reports)
    }

    /// The store kept what it was asked to.
    mutating func handleKept() { isKeeping = false }

    /// What the store is to keep now: what arrived, all of it at once, however much comes meanwhile.
    mutating func keep() -> Reports? {
        guard !isKeeping, !arrived.isEmpty else { return nil }
        defer { (arrived, isKeeping) = (Reports(), true) }
        return arrived
    }

    /// What is news to a peer that has so much.
    mutating func frames(toPeerWith complete: VersionVector) -> [Frame] {
        guard !untold.isEmpty else { return [] }
        let news = passable(toPeerWith: complete)
        guard !news.isEmpty else { return [] }
        untold = untold.beyond(news)
        defer { known.join(news) }
        return news.beyond(known).frames
    }

    /// What the peer can be told, as it has that much itself.
    private func passable(toPeerWith complete: VersionVector) -> Reports {
        #if DEBUG
            if Faults.isPlanted(.tombstoneWithoutStability) { return untold }
        #endif
        return untold.within(complete)
    }
}
