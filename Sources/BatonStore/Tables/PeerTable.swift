import BatonCore

/// The rows of the tables `peers` and `snapshots`.
///
/// They say where each peer resumes sending changes or a snapshot.
struct PeerTable {
    let rows: LaneRows

    /// Stores the resume token that a peer sent last.
    func keep(_ resume: StoreTransaction.Resume) throws(StoreFailure) {
        try rows.run(
            "INSERT OR REPLACE INTO peers (device, token) VALUES (?, ?)", .blob(resume.peer.bytes),
            .blob(resume.token.bytes))
    }

    /// Returns the resume token that a peer sent last.
    func resumeToken(of peer: DeviceIdentifier) throws(StoreFailure) -> ResumeToken? {
        try rows.statement("SELECT token FROM peers WHERE device = ?").first([.blob(peer.bytes)]) {
            (row) throws(StoreFailure) in ResumeToken(bytes: row.blob(0))
        }
    }

    /// Removes the resume token of a peer.
    func remove(_ peer: DeviceIdentifier) throws(StoreFailure) {
        try rows.run("DELETE FROM peers WHERE device = ?", .blob(peer.bytes))
    }

    // MARK: Snapshots

    /// Stores how much of a peer's snapshot has arrived.
    func keepSnapshot(
        of peer: DeviceIdentifier, through last: RecordIdentity, start: VersionVector, token: ResumeToken
    ) throws(StoreFailure) {
        var bytes = CBORWriter()
        start.encode(to: &bytes)
        try rows.run(
            "INSERT OR REPLACE INTO snapshots (device, kind, hash, start, token) VALUES (?, ?, ?, ?, ?)",
            .blob(peer.bytes), .integer(last.kind.rawValue), .blob(last.hash.bytes), .blob(bytes.bytes),
            .blob(token.bytes))
    }

    /// Returns how much of a peer's snapshot has arrived; nil if no snapshot from the peer is in progress.
    func snapshot(of peer: DeviceIdentifier) throws(StoreFailure) -> SnapshotProgress? {
        try rows.statement("SELECT kind, hash, start, token FROM snapshots WHERE device = ?")
            .first([.blob(peer.bytes)]) { (row) throws(StoreFailure) in
                SnapshotProgress(
                    through: try rows.identity(row, from: 0), start: try vector(row.blob(2)),
                    token: ResumeToken(bytes: row.blob(3)))
            }
    }

    /// Returns a vector of everything that the senders of the snapshots in progress claimed when the snapshots began.
    func snapshotStarts() throws(StoreFailure) -> VersionVector {
        var starts = VersionVector()
        try rows.statement("SELECT start FROM snapshots").rows([]) { (row) throws(StoreFailure) in
            starts.join(try vector(row.blob(0)))
            return true
        }
        return starts
    }

    /// Removes the progress of a peer's snapshot, because the snapshot is complete or no longer needed.
    func removeSnapshot(of peer: DeviceIdentifier) throws(StoreFailure) {
        try rows.run("DELETE FROM snapshots WHERE device = ?", .blob(peer.bytes))
    }

    private func vector(_ bytes: [UInt8]) throws(StoreFailure) -> VersionVector {
        try rows.decode(bytes) { (reader) throws(CBORError) in try VersionVector(from: &reader) }
    }
}
