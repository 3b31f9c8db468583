import BatonCore

/// A batch that has ended and is not merged to its end.
struct PendingBatch: Equatable {
    /// Of its row.
    let number: Int64
    let batch: StagedBatch
    /// How many drafts are merged, the first ones first.
    var merged: Int
    /// How many of its drafts write an item in full, merged or not, and the bytes of those.
    let written: AppUsage.Amount

    /// The numbers of its drafts that are not merged.
    var staged: Range<Int64> { StagedNumber.range(number, merged..<batch.count) }
}

/// The number of a staged draft: that of its batch and its place there.
enum StagedNumber {
    static func range(_ batch: Int64, _ places: Range<Int>) -> Range<Int64> {
        batch << 32 + Int64(places.lowerBound)..<batch << 32 + Int64(places.upperBound)
    }

    /// All that a batch can have.
    static func all(of batch: Int64) -> Range<Int64> { batch << 32..<(batch + 1) << 32 }

    static func place(_ number: Int64) -> Int { Int(number & 0xffff_ffff) }
}
