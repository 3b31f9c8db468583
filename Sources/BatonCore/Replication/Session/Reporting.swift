/// The reports that each side of a session has sent to the other.
struct Reporting: Sendable {
    /// The reports that the peer may lack.
    private var untold = Reports()
    /// The reports that the peer knows.
    private var known = Reports()
    /// The reports of the peer that are not stored yet, and whether the store is storing earlier reports now.
    private var arrived = Reports()
    private var isKeeping = false

    /// Sets the reports that both sides know when the session opens.
    mutating func begin(with reports: Reports) { known = reports }

    mutating func tell(_ reports: Reports) { untold.join(reports) }

    /// Handles reports that the peer sent.
    mutating func handleReports(_ reports: Reports) {
        known.join(reports)
        arrived.join(reports)
    }

    /// Called when the store has stored the reports that `keep()` returned.
    mutating func handleKept() { isKeeping = false }

    /// Returns all arrived reports, to be stored now; nil if there are none, or if others are being stored.
    mutating func keep() -> Reports? {
        guard !isKeeping, !arrived.isEmpty else { return nil }
        defer { (arrived, isKeeping) = (Reports(), true) }
        return arrived
    }

    /// Whether there are reports that the peer may lack.
    var hasUntold: Bool { !untold.isEmpty }

    /// Returns frames with the reports that are new to the peer and that it can be sent now.
    ///
    /// `complete` are the peer's claims.
    mutating func frames(toPeerWith complete: VersionVector) -> [Frame] {
        guard hasUntold else { return [] }
        let news = passable(toPeerWith: complete)
        guard !news.isEmpty else { return [] }
        untold = untold.beyond(news)
        defer { known.join(news) }
        return news.beyond(known).frames
    }

    /// Returns the reports that can be sent to the peer now.
    ///
    /// A report can be sent only if the peer has everything that the report covers.
    private func passable(toPeerWith complete: VersionVector) -> Reports { untold.within(complete) }
}
