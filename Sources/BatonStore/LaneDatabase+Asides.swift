import BatonCore

/// What came and can't be read, which stands among the notes of its lane, so that it is kept with what is claimed.
extension LaneDatabase {
    /// Reads what is set aside.
    func loadAsides() throws(StoreFailure) {
        for note in try notes(in: .aside) {
            guard let value = note.value else { continue }
            do throws(CBORError) {
                progress.asides.add(try QuarantinedWrite(encoded: value))
            } catch {
                throw damaged(error)
            }
        }
    }

    /// Sets aside what can't be read and is not here, and lets go of what has come.
    func setAside(_ transaction: StoreTransaction, _ commit: inout StoreCommit) throws(StoreFailure) {
        for write in transaction.writes where progress.asides.contains(write.dot) {
            try resolve(write.dot, &commit)
        }
        for aside in transaction.asides
        where !progress.asides.contains(aside.dot) && !progress.complete.covers(aside.dot) {
            guard try !isHere(aside) else { continue }
            guard progress.asides.count < Limits.asides else {
                throw StoreFailure(
                    .unreadable, "more than \(Limits.asides) records can't be read: \(aside.reason)")
            }
            progress.asides.add(aside)
            try keep(LocalNote(space: .aside, name: Self.name(of: aside.dot), value: aside.encoded))
            commit.setAside.append(aside)
        }
    }

    /// Lets go of what means nothing any more where these records have come to what they are.
    func resolveOverwritten(in records: [Record], _ commit: inout StoreCommit) throws(StoreFailure) {
        for aside in progress.asides.overwritten(in: records) { try resolve(aside.dot, &commit) }
        commit.resolved.sort()
    }

    private func resolve(_ dot: Dot, _ commit: inout StoreCommit) throws(StoreFailure) {
        progress.asides.remove(dot)
        try keep(LocalNote(space: .aside, name: Self.name(of: dot), value: nil))
        commit.resolved.append(dot)
    }

    /// Whether the write came from elsewhere, or has been overwritten.
    private func isHere(_ aside: QuarantinedWrite) throws(StoreFailure) -> Bool {
        if let target = aside.target, let stored = try storedRecord(target.identity),
            aside.isOverwritten(in: stored.record)
        {
            return true
        }
        let query = "SELECT 1 FROM writes WHERE life = ? AND sequence = ? AND place = ?"
        let number = try connection.statement(query).first([
            .integer(try number(of: aside.dot.origin.life)), .integer(aside.dot.sequence),
            .integer(Int64(aside.dot.place)),
        ]) { (row) throws(StoreFailure) in row.integer(0) }
        return number != nil
    }

    /// The name of a note: the dot, but for its lane.
    private static func name(of dot: Dot) -> [UInt8] {
        dot.origin.life.bytes + (0..<8).map { UInt8(truncatingIfNeeded: dot.sequence >> (56 - 8 * $0)) }
            + (0..<4).map { UInt8(truncatingIfNeeded: dot.place >> (24 - 8 * $0)) }
    }
}
