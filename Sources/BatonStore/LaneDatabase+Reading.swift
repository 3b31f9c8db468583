import BatonCore

extension LaneDatabase {
    /// The last write that arrived.
    func head() throws(StoreFailure) -> Arrival {
        // The table of AUTOINCREMENT remembers also what was deleted since.
        let value = try connection.statement("SELECT seq FROM sqlite_sequence WHERE name = 'writes'")
            .first([]) { (row) throws(StoreFailure) in row.unsigned(0) }
        return Arrival(value: value ?? 0)
    }

    /// Looks how far everything is claimed by now.
    func findSettled() throws(StoreFailure) -> Arrival {
        var place = progress.settled
        try connection.statement(
            "SELECT arrival, life, sequence FROM writes WHERE arrival > ? ORDER BY arrival"
        )
        .rows([.integer(progress.settled.value)]) { (row) throws(StoreFailure) in
            let origin = Origin(life: try life(row.integer(1)), lane: lane)
            guard progress.complete[origin] >= row.unsigned(2) else {
                place = Arrival(value: row.unsigned(0) - 1)
                return false
            }
            place = Arrival(value: row.unsigned(0))
            return true
        }
        progress.settled = max(progress.settled, place)
        return progress.settled
    }

    /// Writes that a peer lacks, in the order of their arrival.
    func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer {
        guard progress.dropped.isWithin(request.covered) else { return .snapshotNeeded }
        var (writes, next, bytes, isWhole): ([Write], Arrival, Int, Bool) = ([], request.after, 0, true)
        let query = """
            SELECT arrival, \(Self.columns), kind, hash, name FROM writes JOIN records ON records.number = record
            WHERE arrival > ? ORDER BY arrival
            """
        try connection.statement(query).rows([.integer(request.after.value)]) { (row) throws(StoreFailure) in
            let origin = Origin(life: try life(row.integer(1)), lane: lane)
            if request.covered[origin] < row.unsigned(2) {
                guard bytes < request.bytes, writes.count < Limits.batchWrites else {
                    isWhole = false
                    return false
                }
                let identity = try identity(row, from: 11)
                let write = try write(
                    row, from: 1, identity: identity, name: row.isNull(13) ? nil : row.blob(13))
                writes.append(write)
                bytes += write.byteCount
            }
            next = Arrival(value: row.unsigned(0))
            return true
        }
        return .changes(Changes(writes: writes, next: next, complete: isWhole ? progress.complete : nil))
    }

    // MARK: Peers

    /// Keeps where a peer is to go on.
    func keep(_ resume: StoreTransaction.Resume) throws(StoreFailure) {
        try connection.run(
            "INSERT OR REPLACE INTO peers (device, token) VALUES (?, ?)", .blob(resume.peer.bytes),
            .blob(resume.token.bytes))
    }

    /// What a peer told last.
    func resumeToken(of peer: DeviceIdentifier) throws(StoreFailure) -> ResumeToken? {
        try connection.statement("SELECT token FROM peers WHERE device = ?").first([.blob(peer.bytes)]) {
            (row) throws(StoreFailure) in ResumeToken(bytes: row.blob(0))
        }
    }

    // MARK: Notes

    /// Keeps a note, or removes it.
    func keep(_ note: LocalNote) throws(StoreFailure) {
        let (space, name) = (SQLiteValue.integer(Int64(note.space.rawValue)), SQLiteValue.blob(note.name))
        if let value = note.value {
            try connection.run(
                "INSERT OR REPLACE INTO notes (space, name, value) VALUES (?, ?, ?)", space, name,
                .blob(value))
        } else {
            try connection.run("DELETE FROM notes WHERE space = ? AND name = ?", space, name)
        }
    }

    /// The notes of a space, in the order of names.
    func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        var notes: [LocalNote] = []
        try connection.statement("SELECT name, value FROM notes WHERE space = ? ORDER BY name")
            .rows([.integer(Int64(space.rawValue))]) { (row) throws(StoreFailure) in
                notes.append(LocalNote(space: space, name: row.blob(0), value: row.blob(1)))
                return true
            }
        return notes
    }
}
