package import BatonCore

/// What two stores compare to find in which parts of a lane they differ.
///
/// Records are indexed by kind and hash, so that a part is a piece of each kind; there are few kinds.
extension LaneDatabase {
    /// Whether nothing is held that is not claimed, and nothing was let go elsewhere that is not claimed here.
    func holdsWhatItClaims() throws(StoreFailure) -> Bool {
        guard !hasPending, progress.dropped.isWithin(progress.complete) else { return false }
        let open = try connection.statement("SELECT 1 FROM writes WHERE arrival > ? LIMIT 1")
            .first([.integer(try findSettled().value)]) { (_) throws(StoreFailure) in true }
        return open == nil
    }

    /// Reads every record, and keeps what those come to that have not expired at that time as the digest of the lane.
    func recount(at time: WallTime) throws(StoreFailure) -> LaneSums {
        var sums = [StateDigest](repeating: StateDigest(), count: LaneSums.count)
        var digest = StateDigest()
        try connection.statement("SELECT number FROM records").rows([]) { (row) throws(StoreFailure) in
            guard let record = try storedRecord(number: row.integer(0))?.raw else { return true }
            let own = record.digest(at: time)
            sums[Int(record.identity.hash.part)] += own
            digest += own
            return true
        }
        (progress.digest, progress.digestTime) = (digest, time)
        return LaneSums(lane: lane, sums: sums, at: time)
    }

    /// The sum over all records that are there and have not expired at that time.
    ///
    /// Only what expires between that time and the one for which the sum is kept up is read.
    func digest(at time: WallTime) throws(StoreFailure) -> StateDigest {
        var (digest, kept) = (progress.digest, progress.digestTime)
        for record in try records(expiringAfter: min(kept, time), upTo: max(kept, time)) {
            if time > kept { digest -= record.digest } else { digest += record.digest }
        }
        return digest
    }

    /// Keeps the sum up for that time from now on.
    func moveDigest(to time: WallTime) throws(StoreFailure) {
        (progress.digest, progress.digestTime) = (try digest(at: time), time)
    }

    /// Surviving writes of records of a part, in the order of their identities.
    func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart {
        var assembly = RangeAssembly(bytes: request.bytes)
        var (kind, isWhole) = (try kind(from: request.after?.kind.rawValue ?? 0), true)
        while let current = kind, isWhole {
            // A shorter blob stands before all that begin with it, and so before the part's first hash.
            var first = [request.part]
            if let after = request.after, after.kind.rawValue == current { first = after.hash.bytes }
            let end = request.part == .max ? [UInt8](repeating: .max, count: 17) : [request.part + 1]
            let query = """
                SELECT number, kind, hash FROM records WHERE kind = ? AND hash > ? AND hash < ? ORDER BY hash
                """
            try connection.statement(query).rows([.integer(current), .blob(first), .blob(end)]) {
                (row) throws(StoreFailure) in
                guard let stored = try storedRecord(number: row.integer(0)) else { return true }
                isWhole = assembly.add(stored.record.survivingWrites, of: try identity(row, from: 1))
                return isWhole
            }
            // A number beyond the largest kind would come to SQLite as the least one that there is.
            kind = current < RecordKind.largest ? try self.kind(from: current + 1) : nil
        }
        return RecordPart(assembly, isWhole: isWhole)
    }

    /// The next kind of which there are records.
    private func kind(from least: UInt64) throws(StoreFailure) -> UInt64? {
        try connection.statement("SELECT kind FROM records WHERE kind >= ? ORDER BY kind LIMIT 1")
            .first([.integer(least)]) { (row) throws(StoreFailure) in row.unsigned(0) }
    }
}

extension SQLiteStore {
    /// What is kept up as records come and go is the sum for the time that was asked for last: a day's first question
    /// reads what has expired in that day, and the others nothing.
    ///
    /// What a fault of the disk took stays in the sum until `recount(_:at:)`.
    package func check(at time: WallTime) throws(StoreFailure) -> StateCheck? {
        for database in databases where try !database.holdsWhatItClaims() || time < database.progress.swept {
            return nil
        }
        try keepDigests(at: time)
        var digest = activities.database.progress.digest
        digest += index.database.progress.digest
        return StateCheck(complete: complete.digest, state: digest, at: time)
    }

    private func keepDigests(at time: WallTime) throws(StoreFailure) {
        guard databases.contains(where: { $0.progress.digestTime != time }) else { return }
        try change { (database) throws(StoreFailure) in try database.moveDigest(to: time) }
    }
}
