import BatonCore

/// Keeps the digest of a lane up to date.
///
/// Two devices compare their digests to notice a difference.
final class LaneDigest {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let claims: LaneClaims

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader, _ claims: LaneClaims
    ) {
        (self.tables, self.transaction) = (tables, transaction)
        (self.records, self.claims) = (records, claims)
    }

    /// Whether all batches and clears are settled, and all writes that are stored or were garbage-collected are
    /// claimed.
    func holdsWhatItClaims() throws(StoreFailure) -> Bool {
        guard !transaction.state.isUnsettled, transaction.state.isWhole else { return false }
        return try !tables.writes.hasWrites(after: try claims.findSettled())
    }

    /// Returns the sum over all records that have not expired at this time.
    ///
    /// Only the records that expire between this time and `digestTime` are read.
    func digest(at time: WallTime) throws(StoreFailure) -> StateDigest {
        var (digest, kept) = (transaction.state.digest, transaction.state.digestTime)
        for record in try records.records(expiringAfter: min(kept, time), upTo: max(kept, time)) {
            if time > kept { digest -= record.digest } else { digest += record.digest }
        }
        return digest
    }

    /// Moves the time for which the digest is kept.
    func move(to time: WallTime) throws(StoreFailure) {
        (transaction.state.digest, transaction.state.digestTime) = (try digest(at: time), time)
    }

    /// Computes the digest anew from all records, and returns the sum of each part.
    ///
    /// Records that have expired at this time are not counted.
    func recount(at time: WallTime) throws(StoreFailure) -> LaneSums {
        var sums = [StateDigest](repeating: StateDigest(), count: LaneSums.count)
        var digest = StateDigest()
        try tables.records.visitNumbers { (number) throws(StoreFailure) in
            guard let record = try records.stored(number: number)?.raw else { return }
            let own = record.digest(at: time)
            sums[Int(record.identity.hash.part)] += own
            digest += own
        }
        (transaction.state.digest, transaction.state.digestTime) = (digest, time)
        return LaneSums(lane: tables.rows.lane, sums: sums, at: time)
    }
}
