/// The reports that each side of a session has sent to the other.
struct Reporting: Sendable {
    /// The reports that the peer may lack.
    private var untold = Reports()
    /// The reports that the peer knows.
    private var known = Reports()
    /// The reports of the peer that are still to be stored, and whether the store is storing earlier ones now.
    private var arrived = Reports()
    private var isKeeping = false

    /// Begins with the reports that both sides know from the start.
    mutating func begin(with reports: Reports) { known = reports }

    mutating func tell(_ reports: Reports) { untold.join(reports) }

    /// Handles reports that the peer sent.
    mutating func handleReports(_ reports: Reports) {
        known.join(reports)
        arrived.join(reports)
    }

    /// Called when the store has stored the reports that it was sent.
    mutating func handleKept() { isKeeping = false }

    /// Returns the reports to store now: all that have arrived; nil while others are being stored.
    mutating func keep() -> Reports? {
        guard !isKeeping, !arrived.isEmpty else { return nil }
        defer { (arrived, isKeeping) = (Reports(), true) }
        return arrived
    }

    /// Whether there may be reports to send.
    var hasUntold: Bool { !untold.isEmpty }

    /// Returns frames with the reports that are news to a peer with these claims.
    mutating func frames(toPeerWith complete: VersionVector) -> [Frame] {
        guard hasUntold else { return [] }
        let news = passable(toPeerWith: complete)
        guard !news.isEmpty else { return [] }
        untold = untold.beyond(news)
        defer { known.join(news) }
        return news.beyond(known).frames
    }

    /// Returns the reports that can be sent to the peer, because it has everything that they cover.
    private func passable(toPeerWith complete: VersionVector) -> Reports { untold.within(complete) }
}
