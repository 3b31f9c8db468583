import BatonCore

/// The only row of the table `progress`, which every transaction writes.
struct ProgressTable {
    let rows: LaneRows

    /// The content of the row.
    struct Content: Equatable {
        /// The largest hybrid time of any write that this lane has ever stored.
        var clock: HybridTime
        /// The settled place: every write up to this place in the order of arrival is claimed.
        var settled: Arrival
        /// The last place that was given out in the order of arrival.
        var head: Arrival
        /// The sum of the digests of all records that have not expired at `digestTime`.
        var digest: StateDigest
        var digestTime: WallTime
        /// The identifier of the order of arrival.
        var order: ArrivalOrder
        /// The latest stamp of everything that was garbage-collected.
        var horizon: HybridTime
        /// The latest time for which expired records were swept or are being swept.
        var swept: WallTime
        /// The number of times that records were removed without a new place in the order of arrival.
        var removals: Int64
    }

    /// Reads the row; nil if there is none.
    func content() throws(StoreFailure) -> Content? {
        try rows.statement(
            """
            SELECT time, settled, digest, arrival_order, horizon, digest_time, swept, head,
                removals
            FROM progress
            """
        )
        .first([]) { (row) throws(StoreFailure) in
            guard let digest = StateDigest(bytes: row.blob(2)), let order = ArrivalOrder(bytes: row.blob(3))
            else { throw rows.damaged(.outOfRange) }
            return Content(
                clock: HybridTime(value: row.unsigned(0)), settled: Arrival(value: row.unsigned(1)),
                head: Arrival(value: row.unsigned(7)),
                digest: digest, digestTime: row.isNull(5) ? .never : WallTime(milliseconds: row.integer(5)),
                order: order, horizon: HybridTime(value: row.unsigned(4)),
                swept: row.isNull(6) ? .never : WallTime(milliseconds: row.integer(6)),
                removals: row.integer(8))
        }
    }

    /// Reads the largest hybrid time of any write that this lane has ever stored.
    func clock() throws(StoreFailure) -> HybridTime {
        try rows.statement("SELECT time FROM progress").first([]) { (row) in
            HybridTime(value: row.unsigned(0))
        } ?? .zero
    }

    /// Writes the row, even if its content has not changed.
    ///
    /// SQLite ignores an update that changes nothing, and a transaction that writes nothing doesn't sync the earlier
    /// commits either. The row also has the owner's tag, which shows to which database a journal belongs. So an
    /// unchanged row is first changed, and then changed back.
    func write(_ content: Content, insteadOf before: Content) throws(StoreFailure) {
        if content == before { try rows.run("UPDATE progress SET time = ~time") }
        try rows.run(
            """
            UPDATE progress
            SET time = ?, settled = ?, head = ?, digest = ?, arrival_order = ?, horizon = ?, digest_time = ?,
                swept = ?, removals = ?
            """,
            .integer(content.clock.value), .integer(content.settled.value), .integer(content.head.value),
            .blob(content.digest.bytes),
            .blob(content.order.bytes), .integer(content.horizon.value),
            .integer(content.digestTime.milliseconds), .integer(content.swept.milliseconds),
            .integer(content.removals))
    }
}

extension WallTime {
    /// A time that is earlier than any time that a clock shows.
    static let never = WallTime(milliseconds: .min)
}
