import BatonCore

/// What peers claimed of writes that they sent, as far as it is not claimed here yet.
///
/// Such a peer will say with a whole batch that the writes are here, and does not send them once more: nothing may take
/// them for nobody's until then. It stands among the notes of its lane, so that it is kept with the writes.
extension LaneDatabase {
    /// Reads what is promised.
    func loadPromises() throws(StoreFailure) {
        for note in try notes(in: .promise) {
            guard let life = Life(bytes: note.name[...]), let value = note.value, value.count == 8 else {
                throw damaged(.outOfRange)
            }
            let sequence = value.reduce(0) { $0 << 8 | UInt64($1) }
            progress.promised.extend(Origin(life: life, lane: lane), to: sequence)
        }
    }

    /// Notes what the sender of writes claims of them, and forgets what is claimed here by now.
    func notePromises(of transaction: StoreTransaction) throws(StoreFailure) {
        let before = progress.promised
        progress.promised.join(transaction.promised(beyond: progress.complete))
        progress.promised = progress.promised.beyond(progress.complete)
        for (origin, _) in before.sorted where progress.promised[origin] == 0 { try keep(origin, nil) }
        for (origin, sequence) in progress.promised.beyond(before).sorted { try keep(origin, sequence) }
    }

    /// Forgets all of it, because everything is to come anew.
    func forgetPromises() throws(StoreFailure) {
        for (origin, _) in progress.promised.sorted { try keep(origin, nil) }
        progress.promised = VersionVector()
    }

    /// What is claimed, and what will be once the snapshots and the streams that are under way are at their ends.
    var expected: VersionVector {
        get throws(StoreFailure) {
            var expected = progress.complete
            expected.join(progress.promised)
            try connection.statement("SELECT start FROM snapshots").rows([]) { (row) throws(StoreFailure) in
                expected.join(
                    try read(row.blob(0)) { (reader) throws(CBORError) in try VersionVector(from: &reader) })
                return true
            }
            return expected
        }
    }

    private func keep(_ origin: Origin, _ sequence: UInt64?) throws(StoreFailure) {
        let value = sequence.map { sequence in
            (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * $0)) }
        }
        try keep(LocalNote(space: .promise, name: origin.life.bytes, value: value))
    }
}
