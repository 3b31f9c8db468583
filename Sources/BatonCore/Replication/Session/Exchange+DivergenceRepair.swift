/// Batches that mend a difference go through the same window as all others, and after them.
extension Exchange {
    /// Does something about what differs, and makes batches of the writes that this leads to.
    mutating func mend<Result, Failure>(
        _ body: (inout DivergenceRepair) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try body(&mending)
        for piece in mending.takePieces() { enqueue(piece) }
        return result
    }

    /// They claim nothing, and say nothing of where to go on.
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

    /// A batch arrived that mends.
    mutating func handle(_ place: MendingPlace, of batch: Batch) throws(CloseReason) {
        guard batch.complete == nil, batch.range == nil else {
            throw CloseReason(.malformed, "a batch that mends claims nothing and is no range")
        }
        try mending.handle(place, of: batch.lane)
    }
}
