/// Batches that repair a difference go through the same window as all others, and after them.
extension Exchange {
    /// Changes the state of the repair, and makes batches of the writes that result.
    mutating func mend<Result, Failure>(
        _ body: (inout DivergenceRepair) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try body(&mending)
        for piece in mending.takePieces() { enqueue(piece) }
        return result
    }

    /// Queues the batches of a piece; they claim nothing and carry no cursor.
    private mutating func enqueue(_ piece: DivergenceRepair.Piece) {
        let parts = piece.writes.isEmpty ? [[]] : piece.writes.batches
        for (place, writes) in parts.enumerated() {
            let isLast = piece.isLast && place == parts.count - 1
            enqueue(
                Batch(
                    number: 0, lane: piece.lane, writes: writes, complete: nil,
                    resume: ResumeToken(bytes: []),
                    mending: isLast ? .last : .more))
        }
    }

    /// Handles a repair batch that arrived.
    mutating func handle(_ place: MendingPlace, of batch: Batch) throws(CloseReason) {
        guard batch.complete == nil, batch.range == nil else {
            throw CloseReason(.malformed, "a batch that mends claims nothing and is no range")
        }
        try mending.handle(place, of: batch.lane)
    }
}
