import BatonCore

/// The rows of the table `complete`, which has the claims of this store.
///
/// It also reads and writes the claims of senders, which are stored as notes.
struct ClaimTable {
    let rows: LaneRows
    let notes: NoteTable

    /// Reads the claims of this store.
    func complete() throws(StoreFailure) -> VersionVector {
        try rows.vector("SELECT life, sequence FROM complete")
    }

    /// Adds claims to those of this store.
    func keep(_ claims: VersionVector) throws(StoreFailure) {
        for (origin, sequence) in claims.sorted {
            try rows.run(
                """
                INSERT INTO complete (life, sequence) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET sequence = excluded.sequence
                """,
                .integer(try rows.number(of: origin.life)), .integer(sequence))
        }
    }

    // MARK: Claims of senders

    /// Reads which writes their senders claim and this store does not claim yet.
    func promised() throws(StoreFailure) -> VersionVector {
        var promised = VersionVector()
        for note in try notes.notes(in: .promise) {
            promised.join(try promise(note.name, note.value ?? []))
        }
        return promised
    }

    /// Decodes the name and the value of a note with claims of a sender.
    func promise(_ name: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> VersionVector {
        guard let life = Life(bytes: name[...]), value.count == 8 else { throw rows.damaged(.outOfRange) }
        let sequence = value.reduce(0) { $0 << 8 | UInt64($1) }
        return VersionVector([(Origin(life: life, lane: rows.lane), sequence)])
    }

    /// Replaces the stored claims of senders.
    func keepPromised(_ now: VersionVector, insteadOf before: VersionVector) throws(StoreFailure) {
        for (origin, _) in before.sorted where now[origin] == 0 { try keepPromise(origin, nil) }
        for (origin, sequence) in now.beyond(before).sorted { try keepPromise(origin, sequence) }
    }

    /// Reads which writes have arrived of each peer's unfinished stream.
    func openStreams() throws(StoreFailure) -> [DeviceIdentifier: VersionVector] {
        var streams: [DeviceIdentifier: VersionVector] = [:]
        for note in try notes.notes(in: .openStream) {
            guard let peer = DeviceIdentifier(bytes: note.name), let value = note.value else {
                throw rows.damaged(.outOfRange)
            }
            streams[peer] = try rows.decode(value) { (reader) throws(CBORError) in
                try VersionVector(from: &reader)
            }
        }
        return streams
    }

    /// Stores which writes of a peer's unfinished stream have arrived; nil if the stream has ended.
    func keepOpenStream(of peer: DeviceIdentifier, _ writes: VersionVector?) throws(StoreFailure) {
        try notes.keep(LocalNote(space: .openStream, name: peer.bytes, value: writes.map(encoded)))
    }

    /// Reads the vector that this store answered for before it gave up its claims.
    func givenUp() throws(StoreFailure) -> VersionVector {
        guard let value = try notes.notes(in: .givenUp).first?.value else { return VersionVector() }
        return try rows.decode(value) { (reader) throws(CBORError) in try VersionVector(from: &reader) }
    }

    /// Stores the vector that this store answered for before it gave up its claims.
    func keepGivenUp(_ writes: VersionVector) throws(StoreFailure) {
        try notes.keep(LocalNote(space: .givenUp, name: [1], value: encoded(writes)))
    }

    private func encoded(_ writes: VersionVector) -> [UInt8] {
        var bytes = CBORWriter()
        writes.encode(to: &bytes)
        return bytes.bytes
    }

    private func keepPromise(_ origin: Origin, _ sequence: UInt64?) throws(StoreFailure) {
        let value = sequence.map { sequence in
            (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * $0)) }
        }
        try notes.keep(LocalNote(space: .promise, name: origin.life.bytes, value: value))
    }
}
