import BatonCore

/// The one row of `progress`, which every transaction writes.
struct ProgressTable {
    let rows: LaneRows

    /// The content of the row.
    struct Content: Equatable {
        /// The largest hybrid time that any write here had.
        var clock: HybridTime
        /// Every write up to this place is claimed.
        var settled: Arrival
        /// The last place that was given out in the order of arrival.
        var head: Arrival
        /// The sum of the digests of all records that had not expired at `digestTime`.
        var digest: StateDigest
        var digestTime: WallTime
        /// The name of the order of arrival.
        var order: ArrivalOrder
        /// The latest stamp of everything that was garbage-collected.
        var horizon: HybridTime
        /// The time whose expired records were swept, or are being swept.
        var swept: WallTime
    }

    /// Reads the row; nil if there is none.
    func content() throws(StoreFailure) -> Content? {
        try rows.statement(
            "SELECT time, settled, digest, arrival_order, horizon, digest_time, swept, head FROM progress"
        )
        .first([]) { (row) throws(StoreFailure) in
            guard let digest = StateDigest(bytes: row.blob(2)), let order = ArrivalOrder(bytes: row.blob(3))
            else { throw rows.damaged(.outOfRange) }
            return Content(
                clock: HybridTime(value: row.unsigned(0)), settled: Arrival(value: row.unsigned(1)),
                head: Arrival(value: row.unsigned(7)),
                digest: digest, digestTime: row.isNull(5) ? .never : WallTime(milliseconds: row.integer(5)),
                order: order, horizon: HybridTime(value: row.unsigned(4)),
                swept: row.isNull(6) ? .never : WallTime(milliseconds: row.integer(6)))
        }
    }

    /// Reads the largest hybrid time that any write here had.
    func clock() throws(StoreFailure) -> HybridTime {
        try rows.statement("SELECT time FROM progress").first([]) { (row) in
            HybridTime(value: row.unsigned(0))
        } ?? .zero
    }

    /// Writes the row, even if its content has not changed.
    ///
    /// SQLite ignores an update that changes nothing, and a transaction that writes nothing syncs nothing, although
    /// earlier commits may wait for the sync. The row also has the owner's tag, by which a journal is recognized. So an
    /// unchanged row is changed and then changed back.
    func write(_ content: Content, insteadOf before: Content) throws(StoreFailure) {
        if content == before { try rows.run("UPDATE progress SET time = ~time") }
        try rows.run(
            """
            UPDATE progress
            SET time = ?, settled = ?, head = ?, digest = ?, arrival_order = ?, horizon = ?, digest_time = ?,
                swept = ?
            """,
            .integer(content.clock.value), .integer(content.settled.value), .integer(content.head.value),
            .blob(content.digest.bytes),
            .blob(content.order.bytes), .integer(content.horizon.value),
            .integer(content.digestTime.milliseconds), .integer(content.swept.milliseconds))
    }
}

extension WallTime {
    /// Before any time that a clock shows.
    static let never = WallTime(milliseconds: .min)
}
