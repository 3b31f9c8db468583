import BatonCore

/// The rows of `complete`, which are this store's claims, and the claims of senders, which are stored as notes.
struct ClaimTable {
    let rows: LaneRows
    let notes: NoteTable

    /// Reads the claims.
    func complete() throws(StoreFailure) -> VersionVector {
        try rows.vector("SELECT life, sequence FROM complete")
    }

    /// Stores further claims.
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

    /// Reads the claims of senders about their writes.
    func promised() throws(StoreFailure) -> VersionVector {
        var promised = VersionVector()
        for note in try notes.notes(in: .promise) {
            promised.join(try promise(note.name, note.value ?? []))
        }
        return promised
    }

    /// Decodes a note that stores what a sender claims.
    func promise(_ name: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> VersionVector {
        guard let life = Life(bytes: name[...]), value.count == 8 else { throw rows.damaged(.outOfRange) }
        let sequence = value.reduce(0) { $0 << 8 | UInt64($1) }
        return VersionVector([(Origin(life: life, lane: rows.lane), sequence)])
    }

    /// Replaces the claims of senders about their writes.
    func keepPromised(_ now: VersionVector, insteadOf before: VersionVector) throws(StoreFailure) {
        for (origin, _) in before.sorted where now[origin] == 0 { try keepPromise(origin, nil) }
        for (origin, sequence) in now.beyond(before).sorted { try keepPromise(origin, sequence) }
    }

    /// Reads, for each peer whose stream has not ended, the writes of the stream that have arrived.
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

    /// Stores the writes that have arrived of a peer's unfinished stream; nil once the stream has ended.
    func keepOpenStream(of peer: DeviceIdentifier, _ writes: VersionVector?) throws(StoreFailure) {
        try notes.keep(LocalNote(space: .openStream, name: peer.bytes, value: writes.map(encoded)))
    }

    /// Reads what this store answered for before it gave up its claims.
    func givenUp() throws(StoreFailure) -> VersionVector {
        guard let value = try notes.notes(in: .givenUp).first?.value else { return VersionVector() }
        return try rows.decode(value) { (reader) throws(CBORError) in try VersionVector(from: &reader) }
    }

    /// Stores what this store answered for before it gave up its claims.
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
