/// Adapts the number of records that one step of settling handles.
///
/// Each step is a transaction, and many small ones cost several times what few large ones do. So steps grow while they
/// end soon (the sooner, the more), and have the smallest size while an app writes.
package struct SettlingPace: Sendable {
    /// How many records the next step handles.
    package private(set) var most: Int
    private let sizes: ClosedRange<Int>
    private let longest: Duration

    package init(_ limits: Limits) {
        sizes = limits.settledRecords...limits.settledRecords * Limits.settledMore
        (most, longest) = (limits.settledRecords, limits.settlingStep)
    }

    /// Notes how long a step took, including its wait for other writes, and whether an app wrote during it.
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
