import BatonCore

/// The rows of the table `notes`, which are never sent to other devices.
///
/// Other data that must be committed in the same transaction as records is also stored as notes: quarantined writes,
/// the claims of senders, and the requests that ask apps to index again.
struct NoteTable {
    let rows: LaneRows

    /// Stores a note, or removes the stored note if `note` has no value.
    func keep(_ note: LocalNote) throws(StoreFailure) {
        let (space, name) = (SQLiteValue.integer(Int64(note.space.rawValue)), SQLiteValue.blob(note.name))
        if let value = note.value {
            try rows.run(
                "INSERT OR REPLACE INTO notes (space, name, value) VALUES (?, ?, ?)", space, name,
                .blob(value))
        } else {
            try rows.run("DELETE FROM notes WHERE space = ? AND name = ?", space, name)
        }
    }

    /// Returns the notes of a space, in the order of their names.
    func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        var notes: [LocalNote] = []
        try visit(space) { note in
            notes.append(note)
            return true
        }
        return notes
    }

    /// Visits the notes of a space, in the order of their names, until the closure returns false.
    func visit(_ space: NoteSpace, _ body: (LocalNote) -> Bool) throws(StoreFailure) {
        try rows.statement("SELECT name, value FROM notes WHERE space = ? ORDER BY name")
            .rows([.integer(Int64(space.rawValue))]) { (row) throws(StoreFailure) in
                body(LocalNote(space: space, name: row.blob(0), value: row.blob(1)))
            }
    }

    /// Returns the note with this name; nil if there is none.
    func note(in space: NoteSpace, named name: [UInt8]) throws(StoreFailure) -> LocalNote? {
        var found: LocalNote?
        try rows.statement("SELECT value FROM notes WHERE space = ? AND name = ?")
            .rows([.integer(Int64(space.rawValue)), .blob(name)]) { (row) throws(StoreFailure) in
                found = LocalNote(space: space, name: name, value: row.blob(0))
                return false
            }
        return found
    }

    // MARK: Requests to index again

    /// Asks an app to index something again, in addition to what its earlier requests ask for.
    ///
    /// If the new request is to every app, it is also added to some requests for a single index: those whose apps have
    /// already begun to index again (`isBegunAnew`).
    func requestReindexing(
        _ extent: ReindexRequest.Extent, of index: ClientStateName?
    ) throws(StoreFailure) {
        var request = ReindexRequest(extent, of: index)
        for note in try notes(in: .reindex) {
            var standing = ReindexRequest(note)
            if note.name == request.noteName {
                standing.join(extent)
                request = standing
            } else if index == nil, standing.isBegunAnew {
                standing.join(extent)
                try keep(standing.note)
            }
        }
        try keep(request.note)
    }

    // MARK: Times that no clock shows

    /// Whether a write with an unbelieved time (`HybridTime.isUnbelieved`) has ever arrived.
    func hasUnbelievedTime() throws(StoreFailure) -> Bool { try !notes(in: .outOfReach).isEmpty }

    /// Stores that a write with an unbelieved time has arrived.
    func keepUnbelievedTime() throws(StoreFailure) {
        try keep(LocalNote(space: .outOfReach, name: [1], value: [1]))
    }
}

/// The quarantined writes, which are stored as notes.
struct QuarantineTable {
    let rows: LaneRows
    let notes: NoteTable

    /// Reads all quarantined writes.
    func writes() throws(StoreFailure) -> QuarantinedWrites {
        var writes = QuarantinedWrites()
        for note in try notes.notes(in: .quarantined) {
            guard let value = note.value else { continue }
            do throws(CBORError) {
                writes.add(try QuarantinedWrite(encoded: value))
            } catch {
                throw rows.damaged(error)
            }
        }
        return writes
    }

    /// Stores a quarantined write.
    func keep(_ write: QuarantinedWrite) throws(StoreFailure) {
        try notes.keep(LocalNote(space: .quarantined, name: Self.name(of: write.dot), value: write.encoded))
    }

    /// Removes the quarantined write with this dot.
    func remove(_ dot: Dot) throws(StoreFailure) {
        try notes.keep(LocalNote(space: .quarantined, name: Self.name(of: dot), value: nil))
    }

    /// Returns the name of the note for a quarantined write, which is the dot without its lane.
    private static func name(of dot: Dot) -> [UInt8] {
        dot.origin.life.bytes + (0..<8).map { UInt8(truncatingIfNeeded: dot.sequence >> (56 - 8 * $0)) }
            + (0..<4).map { UInt8(truncatingIfNeeded: dot.place >> (24 - 8 * $0)) }
    }
}
