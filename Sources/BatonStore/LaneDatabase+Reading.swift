import BatonCore

extension LaneDatabase {
    /// The last write that arrived.
    func head() throws(StoreFailure) -> Arrival {
        // The table of AUTOINCREMENT remembers also what was deleted since.
        let value = try connection.statement("SELECT seq FROM sqlite_sequence WHERE name = 'writes'")
            .first([]) { (row) throws(StoreFailure) in row.unsigned(0) }
        return Arrival(value: value ?? 0)
    }

    /// Looks how far everything is claimed by now, among so many writes.
    @discardableResult
    func findSettled(most: Int = .max) throws(StoreFailure) -> Arrival {
        var place = progress.settled
        try connection.statement(
            "SELECT arrival, life, sequence FROM writes WHERE arrival > ? ORDER BY arrival LIMIT ?"
        )
        .rows([.integer(progress.settled.value), .integer(Int64(most))]) { (row) throws(StoreFailure) in
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

    /// Writes that a peer lacks: first the clears, then the others in the order of their arrival.
    func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer {
        guard request.needed.isWithin(progress.complete) else { return .notNow }
        guard progress.dropped.isWithin(request.covered) else { return .snapshotNeeded }
        var assembly = ChangesAssembly(request)
        let clear = RecordKind.clear(in: lane)
        for (place, write) in try clears(after: request.clearsAfter) {
            guard request.covered.covers(write.dot) || assembly.add(clear: write, at: place) else { break }
        }
        let query = """
            SELECT arrival, \(Self.columns), kind, hash, name FROM writes JOIN records ON records.number = record
            WHERE arrival > ? ORDER BY arrival
            """
        try connection.statement(query).rows([.integer(request.after.value)]) { (row) throws(StoreFailure) in
            let place = Arrival(value: row.unsigned(0))
            let origin = Origin(life: try life(row.integer(1)), lane: lane)
            guard assembly.wants((origin, row.unsigned(2)), at: place) else { return !assembly.isAtEnd }
            let identity = try identity(row, from: 11)
            if identity.kind == clear { return true }
            let write = try write(
                row, from: 1, identity: identity, name: row.isNull(13) ? nil : row.blob(13))
            guard let left = progress.unswept.remains(of: write) else { return true }
            return assembly.add(left, at: place)
        }
        var changes = assembly.changes(upTo: try head(), claiming: progress.complete)
        guard isMerging, !assembly.isAtEnd else { return .changes(changes) }
        // What is claimed is not all here to be told.
        if changes.writes.isEmpty { return .notNow }
        changes.complete = nil
        return .changes(changes)
    }

    /// Surviving writes of those devices that are not claimed, or of those lives, in the order of their arrival.
    func strays(
        of devices: Set<DeviceIdentifier>, orIn shared: Set<Life>
    ) throws(StoreFailure) -> [Write] {
        var strays: [Write] = []
        let query = """
            SELECT \(Self.columns), kind, hash, name FROM writes JOIN records ON records.number = record
            WHERE arrival > ? ORDER BY arrival
            """
        // All is read for lives that have become shared, and not again unless more of them comes.
        let shared = shared.filter { life in devices.contains(where: life.isOf) }
        let unread = shared.subtracting(progress.renamed)
        let start = unread.isEmpty ? try findSettled() : .none
        try connection.statement(query).rows([.integer(start.value)]) {
            (row) throws(StoreFailure) in
            let origin = Origin(life: try life(row.integer(0)), lane: lane)
            let isLost = progress.complete[origin] < row.unsigned(1) || shared.contains(origin.life)
            guard isLost, devices.contains(where: origin.life.isOf) else { return true }
            let name = row.isNull(12) ? nil : row.blob(12)
            strays.append(try write(row, from: 0, identity: try identity(row, from: 10), name: name))
            return true
        }
        progress.renamed.formUnion(unread.subtracting(strays.map(\.dot.origin.life)))
        return strays
    }

    /// The clears that arrived after a place, in the order of their arrival.
    func clears(after place: Arrival) throws(StoreFailure) -> [(place: Arrival, write: Write)] {
        var clears: [(Arrival, Write)] = []
        let query = """
            SELECT arrival, \(Self.columns), kind, hash, name FROM records JOIN writes ON record = number
            WHERE kind = ? AND arrival > ? ORDER BY arrival
            """
        try connection.statement(query).rows(
            [.integer(RecordKind.clear(in: lane).rawValue), .integer(place.value)]
        ) { (row) throws(StoreFailure) in
            let write = try write(
                row, from: 1, identity: try identity(row, from: 11),
                name: row.isNull(13) ? nil : row.blob(13))
            clears.append((Arrival(value: row.unsigned(0)), write))
            return true
        }
        return clears
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
