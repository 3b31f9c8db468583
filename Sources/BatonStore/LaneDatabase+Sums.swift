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

    /// Reads every record, and keeps what they come to as the digest of the lane.
    func recount() throws(StoreFailure) -> LaneSums {
        var sums = [StateDigest](repeating: StateDigest(), count: LaneSums.count)
        var digest = StateDigest()
        try connection.statement("SELECT number FROM records").rows([]) { (row) throws(StoreFailure) in
            guard let record = try storedRecord(number: row.integer(0))?.raw else { return true }
            sums[Int(record.identity.hash.part)] += record.digest
            digest += record.digest
            return true
        }
        progress.digest = digest
        return LaneSums(lane: lane, sums: sums)
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
            kind = try self.kind(from: current + 1)
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
    package func check() throws(StoreFailure) -> StateCheck? {
        guard let state = try state else { return nil }
        var complete = activities.progress.complete
        complete.join(index.progress.complete)
        return StateCheck(complete: complete.digest, state: state)
    }

    /// The digest of all records, if this store holds what it claims.
    ///
    /// It was kept up as records came and went; what a fault of the disk took stays in it until `recount(_:)`.
    var state: StateDigest? {
        get throws(StoreFailure) {
            for database in lanes where try !database.holdsWhatItClaims() { return nil }
            var digest = activities.progress.digest
            digest += index.progress.digest
            return digest
        }
    }

    package func recount(_ lane: Lane) throws(StoreFailure) -> LaneSums {
        guard isGrouping else {
            var sums: LaneSums?
            try group { () throws(StoreFailure) in sums = try recount(lane) }
            guard let sums else { preconditionFailure("a group that succeeds ran its body") }
            return sums
        }
        try database(lane).begin()
        return try database(lane).recount()
    }

    package func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart {
        try database(request.lane).part(request)
    }
}
