/// The number of records that one step does of what batches and clears have left to be done.
///
/// Each step is a transaction, and many small ones cost several times what few large ones do. So steps grow while each
/// is back soon, the sooner the faster, and are small once an app writes, too.
package struct SettlingPace: Sendable {
    /// How many records the next step does.
    package private(set) var most: Int
    private let sizes: ClosedRange<Int>
    private let longest: Duration

    package init(_ limits: Limits) {
        sizes = limits.settledRecords...limits.settledRecords * Limits.settledMore
        (most, longest) = (limits.settledRecords, limits.settlingStep)
    }

    /// Notes how long a step took, in which it may have waited for others, and whether an app wrote meanwhile.
    package mutating func recordTime(_ time: Duration, besideWrites: Bool = false) {
        if besideWrites {
            most = sizes.lowerBound
        } else if time > longest {
            most = max(most / 2, sizes.lowerBound)
        } else if time < longest / 8 {
            most = min(most * 4, sizes.upperBound)
        } else if time < longest / 2 {
            most = min(most * 2, sizes.upperBound)
        } else if time < longest * 2 / 3 {
            most = min(most * 5 / 4, sizes.upperBound)
        }
    }
}
